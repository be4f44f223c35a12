/**
 * Event streams: one URL read to its end over as many connections as it takes.
 *
 * `**bytes → SSE frames → source events** → turn events → anchor → scene → rows`
 *
 * Delivery is at least once: after a break the server may repeat frames, and the fold drops what it has.
 */
import type {SourceEvent, StreamEnding} from '../protocol/index.js';
import type {Clock} from './clock.js';
import type {ConnectionState} from './connection-state.js';
import type {CursorParameter} from './cursor.js';
import type {HeadersSource} from './headers.js';
import {ReconnectingStream} from './reconnecting-stream.js';

/** What to read, how to ask for it, and who hears it. */
export interface EventStreamOptions {
  /** Where the stream is; a function is asked again on every attempt. */
  readonly url: string | (() => string);
  /** Request headers; a function is asked again on every attempt. */
  readonly headers?: HeadersSource | undefined;
  readonly credentials?: RequestCredentials | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Called once a network chunk, with all frames that chunk completes. If it throws, the stream is lost. */
  onBatch(events: readonly SourceEvent[]): void;
  /** Called after every change of state. */
  onState?(state: ConnectionState): void;
  /** Which frames end the stream. By default those that end a run. */
  readonly isTerminal?: ((event: SourceEvent) => StreamEnding | null) | undefined;
  /** Where to begin, and how to say where to continue. */
  readonly cursor?: {readonly afterParam?: CursorParameter; readonly lastEventId?: string | null} | undefined;
  /**
   * What a break means when no frame had an id: `stop`, since the rest of a run cannot be asked for, or `reconnect`, for
   * channels that begin by saying what is current.
   */
  readonly withoutIds?: 'stop' | 'reconnect' | undefined;
  /** The longest data of one frame, in characters. */
  readonly maxFrameLength?: number | undefined;
  /** After how long a silence a connection counts as dead, in ms. Any byte ends it, also a heartbeat's. */
  readonly longestSilence?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** Closes the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** A stream being read. */
export interface EventStream {
  readonly state: ConnectionState;
  /** The id of the last frame read that had one of its own: where the next attempt continues. */
  readonly lastEventId: string | null;
  /** How many frames were cut in two by a break and dropped. */
  readonly tornFrames: number;
  /** True when letting go of the connection loses nothing: there is a cursor, or the channel needs none. */
  readonly resumable: boolean;
  /** Asks again at once, in any state, from where the stream stands. */
  reconnect(): void;
  /** Lets go of the connection and keeps the cursor, until `resume`. */
  pause(): void;
  /** Asks again at once where that helps: while paused or waiting, given up, or after too long a silence. */
  resume(): void;
  /** Told that the device is offline: attempts are not counted until `resume`. An open connection is kept. */
  offline(): void;
  /** Lets go of the connection. Nothing is called after it. */
  close(): void;
}

/** Reads a stream from the next microtask on. */
export function openEventStream(options: EventStreamOptions): EventStream {
  return new ReconnectingStream(options);
}
