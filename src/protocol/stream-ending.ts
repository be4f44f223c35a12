/** Stream endings: which frames say that nothing more will come. */
import {borrowsId} from './borrowed-id.js';
import type {SourceEvent} from './source-event.js';

/**
 * `close`: the last frame that matters. `grace`: the turn is over, but a title may follow before the stream ends.
 * `doubt`: somebody made the end up; the rest of this body may know better.
 */
export type StreamEnding = 'close' | 'grace' | 'doubt';

// `done` does not close the stream on Hermes WebUI; `cancel` and `apperror` are not followed by `stream_end`.
const endings: ReadonlyMap<string, StreamEnding> = new Map([
  ['stream_end', 'close'],
  ['cancel', 'close'],
  ['apperror', 'close'],
  ['error', 'close'],
  ['done', 'grace'],
  ['run.completed', 'close'],
  ['run.failed', 'close'],
  ['run.cancelled', 'close'],
]);

/** What a frame of a run's stream says about the end of that stream; null for all that is in the middle. */
export function streamEnding(event: SourceEvent): StreamEnding | null {
  const {id, name, data} = event;
  // A server that misses its worker says so without proof (law 7).
  if (name === 'apperror' && (id === null || borrowsId(event))) return 'doubt';
  return endings.get(name === null || name === 'message' ? ownName(data) : name) ?? null;
}

// Frames without an SSE name (`message` is none) name themselves. Looking for the prefix first spares a JSON.parse a token.
function ownName(data: string | object): string {
  if (typeof data === 'string' && !data.includes('"run.')) return '';
  try {
    const {event} = (typeof data === 'string' ? JSON.parse(data) : data) as {event?: unknown};
    return typeof event === 'string' ? event : '';
  } catch {
    return '';
  }
}
