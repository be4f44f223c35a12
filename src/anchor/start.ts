/** The answer to a start request: the moment an anchor is created, before the first frame. */
export interface RunStart {
  readonly runId: string;
  readonly streamId?: string | null;
  readonly sessionId?: string | null;
  readonly turnId?: string | null;
  readonly prompt?: string | null;
  /** ms since 1970. */
  readonly startedAt?: number | null;
  /** The server's own number in seconds, exactly: proof of which user message the run answers (law 10). */
  readonly startedAtSeconds?: number | null;
}
