/** How a run of Hermes WebUI is born: the answer to a start request, or the server's word that it began one itself. */
import {asObject, firstString, ownNumber} from '../../anchor/json.js';
import type {RunStart} from '../../anchor/start.js';
import {millis, type FrameHandler} from '../frame-head.js';

/** What a `chat/start` answer or a `server_turn_started` payload says; null for anything that names no stream. */
export function readWebuiStart(payload: unknown): RunStart | null {
  const data = asObject(payload);
  const streamId = data && firstString(data, 'stream_id');
  if (!data || !streamId) return null;
  const seconds = ownNumber(data, 'pending_started_at');
  return {
    runId: streamId,
    streamId,
    sessionId: firstString(data, 'session_id'),
    turnId: firstString(data, 'turn_id'),
    startedAt: millis(seconds),
    startedAtSeconds: seconds,
  };
}

// Comes on a stream of the session, so without an id: here the payload names the run.
export const turnStarted: FrameHandler = (data, head) => {
  const seconds = ownNumber(data, 'pending_started_at');
  return {
    ...head,
    at: head.at ?? millis(seconds),
    run: head.run ?? firstString(data, 'stream_id', 'run_id'),
    type: 'start',
    turnId: firstString(data, 'turn_id'),
    prompt: firstString(data, 'prompt'),
    startedAtSeconds: seconds,
  };
};
