/** Event bodies: the answer to one request, read to its end. */
import {createFrameDecoder, type SourceEvent} from '../protocol/index.js';
import {retryAfter} from './backoff.js';
import {refusalOf} from './refusal.js';
import {StreamError} from './stream-error.js';

/** The bytes of an event stream. */
export type EventBody = ReadableStream<Uint8Array>;

/** The body of an answer; null when the server says there is nothing (204). Anything but a stream is a `StreamError`. */
export async function eventBody(response: Response, now: number): Promise<EventBody | null> {
  const {status, headers} = response;
  const refusal = refusalOf(status);
  if (refusal !== null) {
    const body: unknown = refusal === 'conflict' ? await response.json().catch(() => null) : null;
    throw new StreamError(refusal, {status, body, retryAfter: retryAfter(headers.get('retry-after'), now)});
  }
  if (status === 204) return null;
  const type = headers.get('content-type') ?? 'no content type';
  // A sign-in page or a proxy's error page is 200 too; parsed as frames it would be silence.
  if (!/^text\/event-stream\b/i.test(type)) throw new StreamError('not-a-stream', {status, cause: type});
  return response.body;
}

/** Who hears what a body says. */
export interface BodyReader {
  /** Called at every network chunk, also one that only carries a heartbeat or half a frame. */
  onBytes(): void;
  onHeartbeat(): void;
  /** Called once a network chunk, with all frames it completes, if any. False stops the reading. */
  onBatch(events: readonly SourceEvent[]): boolean;
  onRetry(ms: number): void;
  /** Called when the body breaks or ends inside a frame, which is dropped. */
  onTorn(): void;
  readonly maxFrameLength?: number | undefined;
}

/**
 * Reads a body to its end, until `onBatch` has enough, or until `signal` aborts and lets go of the bytes. True when there
 * was at least one byte.
 */
export async function readBody(body: EventBody, signal: AbortSignal, reader: BodyReader): Promise<boolean> {
  let events: SourceEvent[] = [];
  const {onRetry, onHeartbeat: onComment, maxFrameLength} = reader;
  const onEvent = (event: SourceEvent) => events.push(event);
  const decoder = createFrameDecoder({onEvent, onComment, onRetry, maxFrameLength});
  const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
  let any = false;
  let wanted = true;
  // Iterating a stream is too young for some browsers, and fetches passed in by a host may ignore the signal.
  const source = body.getReader();
  const release = () => void source.cancel().catch(() => undefined);
  if (signal.aborted) release();
  signal.addEventListener('abort', release, {once: true});
  try {
    for (;;) {
      const {done, value: bytes} = await source.read();
      if (done || signal.aborted) break;
      any ||= bytes.length > 0;
      reader.onBytes();
      try {
        decoder.push(utf8.decode(bytes, {stream: true}));
      } finally {
        // Also when a frame is refused: what stood before it is good.
        if (events.length > 0) wanted = reader.onBatch(events);
        events = [];
      }
      if (!wanted) break;
    }
  } finally {
    if (decoder.end() && wanted && !signal.aborted) reader.onTorn();
  }
  return any;
}
