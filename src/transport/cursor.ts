/** Cursors: how a request says what has been read already. */
import {parseEventId} from '../protocol/index.js';

/** The query parameter that carries the cursor; null for the `Last-Event-ID` header. */
export type CursorParameter = 'after_seq' | 'after_event_id' | null;

/** A request that continues after an event: where it goes, and what its header says, if the header is used. */
export interface ResumedRequest {
  readonly url: string;
  readonly lastEventId: string | null;
}

/**
 * The request for `url` after an event. Cursors that stand in the URL are dropped: servers believe the query before the
 * header, so a fixed one would ask for the same frames for ever.
 */
export function resumeAfter(url: string, eventId: string | null, parameter: CursorParameter): ResumedRequest {
  if (eventId === null) return {url, lastEventId: null};
  const value = parameter === 'after_seq' ? parseEventId(eventId)?.seq : eventId;
  const inQuery = parameter !== null && value !== undefined;
  return {
    url: replaceCursor(url, inQuery ? `${parameter}=${encodeURIComponent(value)}` : null),
    lastEventId: inQuery ? null : eventId,
  };
}

/** An id as a header can hold it: its UTF-8 bytes, one character each, as EventSource sends it. */
export function headerValue(eventId: string): string {
  return String.fromCharCode(...new TextEncoder().encode(eventId));
}

const cursors: ReadonlySet<string> = new Set(['after_seq', 'after_event_id', 'replay', 'cursor']);

// By hand, since `new URL` would need a base for relative addresses and would rewrite what a host spelled its own way.
function replaceCursor(url: string, cursor: string | null): string {
  const address = url.split('#', 1)[0]!;
  const [path, ...query] = address.split('?');
  const kept = query
    .join('?')
    .split('&')
    .filter((pair) => pair !== '' && !cursors.has(pair.split('=', 1)[0]!));
  if (cursor !== null) kept.push(cursor);
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path!;
}
