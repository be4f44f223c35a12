/** Problems: why a session cannot show what it should. */

/**
 * `unknown-wire` (no frame told which producer speaks; `names` are those seen), `history` (the settled session could not
 * be loaded), `unreadable` (a payload or wire that is none we know, or turns that are none), `script` (a part of this library could not be
 * loaded), `foreign` (the stream is of another session than the rest; it is not shown).
 */
export interface SessionProblem {
  readonly code: 'unknown-wire' | 'history' | 'unreadable' | 'script' | 'foreign';
  /** A sentence that says what to do. */
  readonly message: string;
  readonly names?: readonly string[];
  readonly cause?: unknown;
}

/** A part of this library could not be loaded; the cause says what to do. */
export function missing(cause: unknown): SessionProblem {
  return {code: 'script', message: (cause as Error).message, cause};
}
