/** Cursors: where a reader wants to go on, as its request says it. */
import {GatewayError} from '../gateway-error.js';
import {formatEventId, parseEventId} from '../../protocol/index.js';
import type {JournalScope} from '../journal/journal.js';

/**
 * The id of the last frame read; null for the start, which is also where an unusable cursor leads: readers drop what they
 * have. What stands in the URL silences the header, even where it cannot be read (as on Hermes WebUI).
 */
export function cursorOf(request: Request, scope: JournalScope): string | null {
  const {searchParams} = new URL(request.url);
  const seq = searchParams.get('after_seq');
  const id = searchParams.get('after_event_id');
  if (id !== null) return usable(id, scope);
  if (seq === null) return usable(request.headers.get('last-event-id') ?? '', scope);
  if ('run' in scope) return usable(`${scope.run}:${seq}`, scope);
  const message =
    'The number after_seq counts inside one run. Continue a session with after_event_id=RUN:SEQ.';
  throw new GatewayError('invalid-request', message);
}

function usable(text: string, scope: JournalScope): string | null {
  const id = text.length > 500 ? null : parseEventId(text);
  if (id === null || id.seq === 0 || ('run' in scope && id.run !== scope.run)) return null;
  return formatEventId(id.run, id.seq);
}
