/** What a settled payload says beside its turns: where the live part goes on. */
import {asObject, ownValue} from '../anchor/json.js';
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

/** The ids in a gateway's `pendingPermissions`; null when it does not say. */
export function readPendingIds(state: unknown): readonly string[] | null {
  const ids = ownValue(asObject(state) ?? {}, 'pendingPermissions');
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : null;
}
