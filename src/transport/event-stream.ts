/**
 * Event streams: one URL read to its end over as many connections as it takes.
 *
 * `**bytes → SSE frames → source events** → turn events → anchor → scene → rows`
 *
 * Delivery is at least once: after a break the server may repeat frames, and the fold drops what it has. What this file
 * decides is when to ask again, from where, and when to stop; each of its states has a way out and none repeats for ever.
 */
import {
  borrowsId,
  FrameError,
  parseEventId,
  streamEnding,
  type SourceEvent,
  type StreamEnding,
} from '../protocol/index.js';
import {backoff, BASE_DELAY} from './backoff.js';
import {systemClock, type Clock} from './clock.js';
import type {ConnectionPhase, ConnectionState} from './connection-state.js';
import {headerValue, resumeAfter, type CursorParameter} from './cursor.js';
import {eventBody, readBody} from './event-body.js';
import {currentHeaders, type HeadersSource} from './headers.js';
import {StreamError, type StreamErrorCode} from './stream-error.js';

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
  /** Asks again at once, in any state, from where the stream stands. */
  reconnect(): void;
  /** Lets go of the connection. Nothing is called after it. */
  close(): void;
}

/** Reads a stream from the next microtask on. */
export function openEventStream(options: EventStreamOptions): EventStream {
  return new ReconnectingStream(options);
}

/** How many attempts in a row may bring nothing new before the stream is lost. */
const MOST_FAILURES = 8;

/** How long after the end of the turn a stream may go on, for its title. */
const GRACE = 10_000;

/** How long a connection must have lived for its break to be no failure: a long silence is not a dead server. */
const LONG_LIFE = 20_000;

class ReconnectingStream implements EventStream {
  readonly #options: EventStreamOptions;
  readonly #clock: Clock;
  #state: ConnectionState = Object.freeze({phase: 'idle', attempt: 1, error: null, retryAt: null});
  #closed = false;
  #attempt = new AbortController();
  #retryTimer: unknown;
  #graceTimer: unknown;

  #lastEventId: string | null;
  /** The furthest any attempt came; only what goes beyond it is progress. */
  #furthest: string | null;
  /** Whether a frame without an id was read. */
  #unnumbered = false;
  #openedAt = Infinity;
  #ending: StreamEnding | null = null;
  #failures = 0;
  #emptyBodies = 0;
  #baseDelay = BASE_DELAY;
  #tornFrames = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#lastEventId = this.#furthest = options.cursor?.lastEventId ?? null;
    options.signal?.addEventListener('abort', this.close);
    if (options.signal?.aborted) this.close();
    // Not at once: no state may be heard before the caller holds the stream.
    queueMicrotask(() => {
      if (this.#state.phase === 'idle') this.reconnect();
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get lastEventId(): string | null {
    return this.#lastEventId;
  }

  get tornFrames(): number {
    return this.#tornFrames;
  }

  reconnect(): void {
    if (this.#closed) return;
    this.#release();
    this.#ending = null;
    this.#failures = this.#emptyBodies = 0;
    void this.#connect();
  }

  readonly close = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
    this.#options.signal?.removeEventListener('abort', this.close);
    this.#state = Object.freeze({...this.#state, phase: 'ended', retryAt: null});
  };

  async #connect(): Promise<void> {
    const {signal} = (this.#attempt = new AbortController());
    this.#openedAt = Infinity;
    this.#show('connecting');
    const outcome = await this.#read(signal);
    // Whoever aborted this attempt has already said what comes next.
    if (signal.aborted) return;
    this.#attempt.abort();
    this.#decide(outcome);
  }

  /** One attempt, to the end of its body. */
  async #read(signal: AbortSignal): Promise<Outcome> {
    let failure: StreamErrorCode = 'connection-failed';
    try {
      const body = eventBody(await this.#request(signal));
      if (body === null) return 'nothing';
      failure = 'handler-failed';
      if (!signal.aborted) this.#opened();
      failure = 'cut-short';
      const any = await readBody(body, signal, {
        onBatch: (events) => this.#deliver(events, signal),
        onRetry: (ms) => (this.#baseDelay = ms),
        onTorn: () => this.#tornFrames++,
        maxFrameLength: this.#options.maxFrameLength,
      });
      if (this.#ending === 'close') return 'nothing';
      return any ? new StreamError('cut-short') : 'empty';
    } catch (cause) {
      if (cause instanceof StreamError) return cause;
      return new StreamError(cause instanceof FrameError ? 'frame-too-large' : failure, {cause});
    }
  }

  async #request(signal: AbortSignal): Promise<Response> {
    const {url, headers: source, credentials, cursor} = this.#options;
    const headers = await currentHeaders(source);
    signal.throwIfAborted();
    const request = resumeAfter(
      typeof url === 'function' ? url() : url,
      this.#lastEventId,
      cursor?.afterParam ?? null,
    );
    headers.set('accept', 'text/event-stream');
    if (request.lastEventId !== null) headers.set('last-event-id', headerValue(request.lastEventId));
    // Called without an owner: the browser's own fetch refuses to be a method of our options.
    const ask = this.#options.fetch ?? fetch;
    return ask(request.url, {headers, signal, cache: 'no-store', ...(credentials && {credentials})});
  }

  #opened(): void {
    this.#openedAt = this.#clock.now();
    this.#show('open');
  }

  /** Hands a batch on; false when nothing after it is wanted. */
  #deliver(events: readonly SourceEvent[], signal: AbortSignal): boolean {
    if (signal.aborted) return false;
    try {
      this.#options.onBatch(events);
      // Only now: frames the page failed on are asked for again.
      for (const event of events) {
        if (event.id === null) this.#unnumbered = true;
        else if (!borrowsId(event)) this.#lastEventId = event.id;
      }
      // The handler may have closed the stream, or begun a new attempt.
      if (!signal.aborted) this.#watchEnding(events);
    } catch (cause) {
      throw new StreamError('handler-failed', {cause});
    }
    return !signal.aborted && this.#ending !== 'close';
  }

  #watchEnding(events: readonly SourceEvent[]): void {
    const {isTerminal = streamEnding} = this.#options;
    for (const event of events) {
      const ending = isTerminal(event);
      if (ending === null || this.#ending === 'close') continue;
      if (this.#ending === null && ending === 'grace') {
        this.#graceTimer = this.#clock.setTimeout(() => this.#end(), GRACE);
      }
      this.#ending = ending;
    }
  }

  /** What follows an attempt that is over. */
  #decide(outcome: Outcome): void {
    if (outcome === 'nothing') return this.#end();
    this.#emptyBodies = outcome === 'empty' ? this.#emptyBodies + 1 : 0;
    // Asked for what follows its last frame, a finished run answers with an empty body.
    if (this.#emptyBodies > (this.#ending === null ? 1 : 0)) return this.#end();
    const error = outcome === 'empty' ? new StreamError('cut-short') : outcome;
    if (!error.transient) return this.#lose(error);
    if (!this.#resumable) return this.#lose(new StreamError('not-resumable', {cause: error}));
    this.#failures = this.#progressed() ? 0 : this.#failures + 1;
    if (this.#failures >= MOST_FAILURES) return this.#lose(new StreamError('gave-up', {cause: error}));
    this.#wait(error);
  }

  get #resumable(): boolean {
    return this.#lastEventId !== null || !this.#unnumbered || this.#options.withoutIds === 'reconnect';
  }

  // A server that ignores cursors sends many frames and nothing new: frames alone are not progress.
  #progressed(): boolean {
    const furthest = this.#furthest;
    if (isFurther(this.#lastEventId, furthest)) this.#furthest = this.#lastEventId;
    return this.#furthest !== furthest || this.#clock.now() - this.#openedAt >= LONG_LIFE;
  }

  #wait(error: StreamError): void {
    const delay = backoff(this.#failures, this.#baseDelay, this.#options.random ?? Math.random);
    this.#retryTimer = this.#clock.setTimeout(() => void this.#connect(), delay);
    this.#show('waiting', error, this.#clock.now() + delay);
  }

  #lose(error: StreamError): void {
    // After the end of the turn only its title can be lost, and that is no reason for alarm.
    if (this.#ending !== null && error.code !== 'handler-failed') return this.#end();
    this.#release();
    this.#show('lost', error);
  }

  #end(): void {
    this.#release();
    this.#show('ended', this.#ending === null ? new StreamError('no-terminal') : null);
  }

  #release(): void {
    this.#attempt.abort();
    this.#clock.clearTimeout(this.#retryTimer);
    this.#clock.clearTimeout(this.#graceTimer);
  }

  #show(phase: ConnectionPhase, error: StreamError | null = null, retryAt: number | null = null): void {
    this.#state = Object.freeze({phase, attempt: this.#failures + 1, error, retryAt});
    this.#options.onState?.(this.#state);
  }
}

/** How an attempt ended: with nothing more to read, without a single byte, or why it broke. */
type Outcome = 'nothing' | 'empty' | StreamError;

function isFurther(id: string | null, than: string | null): boolean {
  const next = id === null ? null : parseEventId(id);
  const known = than === null ? null : parseEventId(than);
  return next !== null && next.run === known?.run ? next.seq > known.seq : id !== than;
}
