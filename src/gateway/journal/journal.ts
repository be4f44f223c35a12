/**
 * The journal's contract: what was said in each session, in one order, before any reader sees it.
 *
 * `agent stdio → ACP lines → recorder → **journal** → SSE frames`
 *
 * One file implements it for one machine (`sqlite-journal.ts`); a store for several machines is one more file. Everything
 * is asynchronous for its sake. Errors are `JournalError`s.
 */
import type {RunEvent} from '../../protocol/index.js';

/** One event as every reader gets it, live or replayed. */
export interface JournalFrame {
  /** Order in the session, from 1, without gaps: what a session's readers count by. */
  readonly position: number;
  /** `s.<session>` for events of the session itself. */
  readonly run: string;
  /** From 1 in its run, without gaps. */
  readonly seq: number;
  /** The event's JSON, one line. The same string instance for every reader of the live tail, so it is encoded once. */
  readonly data: string;
}

/** What is known of a session beside its frames. */
export interface SessionRecord {
  readonly id: string;
  /** Who may see it. */
  readonly owner: string;
  readonly profile: string;
  readonly title: string | null;
  /** The agent's own id of its session; null before `session/new` was answered. */
  readonly agentSessionId: string | null;
  readonly cwd: string;
  /** Mode, configuration and the like, kept for the next process; JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A run, as the journal knows it from its frames. */
export interface RunRecord {
  readonly id: string;
  readonly session: string;
  /** Of its last frame; 0 for the run `s.<session>` before its first. */
  readonly lastSeq: number;
  /** True once its terminal event stands. */
  readonly ended: boolean;
}

/** The right to write to a session, until somebody claims it anew. */
export interface Fence {
  readonly session: string;
  readonly token: number;
}

/**
 * `fenced`: another writer has the session. `gap`: an event does not follow the last one of its run. The rest is about
 * the store: `in-use` by another gateway, `newer` than this program, `full`, `damaged`, `unwritable`.
 */
export type JournalErrorCode =
  | 'fenced'
  | 'gap'
  | 'unknown-session'
  | 'unknown-run'
  | 'closed'
  | 'in-use'
  | 'newer'
  | 'full'
  | 'damaged'
  | 'unwritable';

export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    readonly code: JournalErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What is read: all of a session, or one run. */
export type JournalScope = {readonly session: string} | {readonly run: string};

/** What an append brings: the events of one message, and the message itself (raw, one line) for whoever debugs. */
export interface JournalEntry {
  readonly events: readonly RunEvent[];
  /** The line they came from, or a fact of the gateway as JSON; a very long one is cut. Without events it is a diagnostic. */
  readonly source: string | null;
  readonly at: number;
}

/** A line (or fact of the gateway) as it was journaled. */
export interface JournalSource {
  readonly at: number;
  readonly source: string;
}

export interface Journal {
  createSession(record: SessionRecord): Promise<void>;
  /** Replaces the named fields. */
  updateSession(
    id: string,
    change: Partial<Omit<SessionRecord, 'id' | 'owner' | 'createdAt'>>,
  ): Promise<void>;
  session(id: string): Promise<SessionRecord | null>;
  /** An owner's sessions, those last updated first; the beginning and the end of a run are updates too. */
  sessions(owner: string): Promise<readonly SessionRecord[]>;
  /** Removes a session and all that was said in it, at once; a follower that keeps up still gets what stood before. */
  removeSession(id: string): Promise<void>;
  /** Also the run `s.<session>`, which never ends. */
  run(id: string): Promise<RunRecord | null>;
  /** In the order of their first events, without `s.<session>`. */
  runs(session: string): Promise<readonly RunRecord[]>;
  /** Runs without a terminal event: after a start, those that a dead gateway left. */
  openRuns(): Promise<readonly RunRecord[]>;

  /** Takes a session for writing; earlier fences are refused from now on. */
  claim(session: string): Promise<Fence>;
  /**
   * Appends in the order of the calls. Resolves when the events are durable; readers see them from then on, never before.
   * A seq that does not follow is a `gap`, a stale fence `fenced`; nothing of such an entry is kept.
   */
  append(fence: Fence, entry: JournalEntry): Promise<void>;

  /** At most `limit` frames after the id of a frame (`run:seq`; null from the start; an unknown one from the start). */
  read(scope: JournalScope, after: string | null, limit: number): Promise<readonly JournalFrame[]>;
  /**
   * Everything after a cursor, then everything that follows, until `signal` aborts or, for a run, its terminal event was
   * yielded. Batches; a reader that does not ask holds nothing back and is held back by nothing. Readers that keep up get
   * one and the same array, so what is made of it (bytes) can be made once and kept beside it in a WeakMap.
   * Throws `unknown-session`, `unknown-run`, and `closed` when the journal closes or the session is removed.
   */
  follow(
    scope: JournalScope,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<readonly JournalFrame[]>;

  /** The last sources kept of a session, newest last, for `diagnostics`: with events and without. */
  sources(session: string, limit: number): Promise<readonly JournalSource[]>;
  /** Removes sessions last updated before a time (ms since 1970), and says how many. Never one with an open run, or in use. */
  prune(before: number, isInUse?: (session: string) => boolean): Promise<number>;
  close(): Promise<void>;
}
