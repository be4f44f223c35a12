/** How a run is born: the answer to a start request, ours (`runId`) or Hermes Agent's own (`run_id`). */
import {asObject, firstString} from '../../anchor/json.js';
import type {RunStart} from '../../anchor/start.js';

/** What a start answer says; null for anything that names no run. */
export function readRunsStart(payload: unknown): RunStart | null {
  const data = asObject(payload);
  const runId = data && firstString(data, 'runId', 'run_id');
  if (!data || !runId) return null;
  return {
    runId,
    sessionId: firstString(data, 'sessionId', 'session_id'),
    turnId: firstString(data, 'turnId', 'turn_id'),
  };
}
