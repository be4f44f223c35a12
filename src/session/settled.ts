/** What a settled payload says beside its turns: where the live part goes on. */
import type {SessionProblem} from './problem.js';

/** A payload that was taken in. */
export interface Settled {
  /** The run that is active in it. */
  readonly activeRun: string | null;
  /** The id of the last frame it holds, on servers with one order a session. */
  readonly cursor: string | null;
  /** Ids of the permissions the server waits for; null when it does not say. */
  readonly pending: readonly string[] | null;
  /** Why nothing could be read from it. */
  readonly problem: SessionProblem | null;
}
