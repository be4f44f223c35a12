/**
 * The reconnecting stream: when to ask again, from where, and when to stop. Each of its states has a way out and none
 * repeats for ever.
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
import type {EventStream, EventStreamOptions} from './event-stream.js';
import type {ConnectionPhase, ConnectionState} from './connection-state.js';
import {headerValue, resumeAfter} from './cursor.js';
import {eventBody, readBody} from './event-body.js';
import {currentHeaders} from './headers.js';
import {StreamError, type StreamErrorCode} from './stream-error.js';
import {LONGEST_SILENCE, Watchdog} from './watchdog.js';

/** How many attempts in a row may bring nothing new before the stream is lost. */
const MOST_FAILURES = 8;

/** How long to wait between attempts of a device that says it is offline; some say so and are not. */
const OFFLINE_DELAY = 30_000;

/** A first chunk that comes this late and brings this many frames at once was held back on its way. */
const HELD_BACK = {ms: 8000, frames: 16} as const;

/** How long after the end of the turn a stream may go on, for its title. */
const GRACE = 10_000;

/** How long a connection must have lived for its break to be no failure: a long silence is not a dead server. */
const LONG_LIFE = 20_000;

export class ReconnectingStream implements EventStream {
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
  readonly #watchdog: Watchdog;
  /** Whether this server sends heartbeats, so that silence says something. */
  #heartbeats = false;
  #askedAt = 0;
  #firstByteAt: number | null = null;
  #offline = false;
  /** Whether a refused sign-in was tried again with fresh headers. */
  #askedAgain = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#watchdog = new Watchdog(this.#clock, () => this.#silent());
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

  get resumable(): boolean {
    return this.#lastEventId !== null || this.#options.withoutIds === 'reconnect';
  }

  reconnect(): void {
    if (this.#closed) return;
    this.#release();
    this.#ending = null;
    this.#offline = this.#askedAgain = false;
    this.#failures = this.#emptyBodies = 0;
    void this.#connect();
  }

  pause(): void {
    const {phase} = this.#state;
    if (this.#closed || phase === 'ended' || phase === 'lost' || phase === 'paused') return;
    if (this.#ending !== null) return this.#end();
    this.#release();
    this.#show('paused');
  }

  resume(): void {
    this.#offline = false;
    if (this.#ending !== null) return;
    const {phase, error} = this.#state;
    const stopped = phase === 'paused' || phase === 'waiting' || error?.code === 'gave-up';
    const dead = (phase === 'open' || phase === 'connecting') && this.#watchdog.late;
    if (stopped || dead) this.reconnect();
  }

  offline(): void {
    this.#offline = true;
    if (this.#state.phase !== 'waiting') return;
    this.#clock.clearTimeout(this.#retryTimer);
    this.#wait(new StreamError('offline', {cause: this.#state.error}));
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
    this.#firstByteAt = null;
    this.#askedAt = this.#clock.now();
    // Where no heartbeat was ever heard, silence may be the server's way: more patience each time.
    const {longestSilence = LONGEST_SILENCE} = this.#options;
    this.#watchdog.start(longestSilence * (this.#heartbeats ? 1 : Math.min(4, this.#failures + 1)));
    this.#show('connecting');
    const outcome = await this.#read(signal);
    // Whoever aborted this attempt has already said what comes next.
    if (!signal.aborted) this.#decide(outcome);
  }

  /** Nothing was heard for too long. */
  #silent(): void {
    // A wire that cannot be resumed would lose its rest for a silence that may be its way.
    if (this.#resumable || this.#heartbeats) this.#decide(new StreamError('stalled'));
    else this.#watchdog.start(this.#options.longestSilence ?? LONGEST_SILENCE);
  }

  /** One attempt, to the end of its body. */
  async #read(signal: AbortSignal): Promise<Outcome> {
    let failure: StreamErrorCode = 'connection-failed';
    try {
      const body = await eventBody(await this.#request(signal), this.#clock.now());
      if (body === null) return 'nothing';
      failure = 'handler-failed';
      if (!signal.aborted) this.#opened();
      failure = 'cut-short';
      const any = await readBody(body, signal, {
        onBytes: () => {
          this.#watchdog.beat();
          this.#firstByteAt ??= this.#clock.now();
        },
        onHeartbeat: () => (this.#heartbeats = true),
        onBatch: (events) => this.#deliver(events, signal),
        onRetry: (ms) => (this.#baseDelay = ms),
        onTorn: () => this.#tornFrames++,
        maxFrameLength: this.#options.maxFrameLength,
      });
      if (this.#ending === 'close' || this.#ending === 'doubt') return 'nothing';
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
    this.#watchdog.beat();
    this.#askedAgain = false;
    this.#show('open');
  }

  /** Hands a batch on; false when nothing after it is wanted. */
  #deliver(events: readonly SourceEvent[], signal: AbortSignal): boolean {
    if (signal.aborted) return false;
    this.#watchDelay(events.length);
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

  /** Says so when the first frames of an attempt come late and in a burst. */
  #watchDelay(frames: number): void {
    const late = (this.#firstByteAt ?? 0) - this.#askedAt;
    this.#askedAt = Infinity;
    if (late >= HELD_BACK.ms && frames >= HELD_BACK.frames) this.#show('open', new StreamError('buffered'));
  }

  #watchEnding(events: readonly SourceEvent[]): void {
    const {isTerminal = streamEnding} = this.#options;
    for (const event of events) {
      const ending = isTerminal(event);
      if (ending === null && this.#ending === 'doubt' && event.id !== null && !borrowsId(event)) {
        // The run goes on after all.
        this.#clock.clearTimeout(this.#graceTimer);
        this.#ending = null;
      }
      if (ending === null || this.#ending === 'close') continue;
      if (this.#ending === null && ending !== 'close') {
        this.#graceTimer = this.#clock.setTimeout(() => this.#end(), GRACE);
      }
      this.#ending = ending;
    }
  }

  /** What follows an attempt that is over. */
  #decide(outcome: Outcome): void {
    this.#attempt.abort();
    this.#watchdog.stop();
    if (outcome === 'nothing') return this.#end();
    this.#emptyBodies = outcome === 'empty' ? this.#emptyBodies + 1 : 0;
    // Asked for what follows its last frame, a finished run answers with an empty body.
    if (this.#emptyBodies > (this.#ending === null ? 1 : 0)) return this.#end();
    const error = outcome === 'empty' ? new StreamError('cut-short') : outcome;
    if (error.code === 'unauthorized' && this.#canAskAgain()) return void this.#connect();
    if (!error.transient) return this.#lose(error);
    if (!this.#resumable) return this.#lose(new StreamError('not-resumable', {cause: error}));
    if (this.#isOffline) return this.#wait(new StreamError('offline', {cause: error}));
    this.#failures = this.#progressed(error) ? 0 : this.#failures + 1;
    if (this.#failures >= MOST_FAILURES) return this.#lose(new StreamError('gave-up', {cause: error}));
    this.#wait(error);
  }

  /** A token may have expired: headers that are made anew are worth one more question, at once. */
  #canAskAgain(): boolean {
    const first = !this.#askedAgain && typeof this.#options.headers === 'function';
    this.#askedAgain = true;
    return first;
  }

  get #isOffline(): boolean {
    return this.#offline || globalThis.navigator?.onLine === false;
  }

  get #resumable(): boolean {
    return this.resumable || !this.#unnumbered;
  }

  // A server that ignores cursors sends many frames and nothing new: frames alone are not progress.
  #progressed({code}: StreamError): boolean {
    const furthest = this.#furthest;
    if (isFurther(this.#lastEventId, furthest)) this.#furthest = this.#lastEventId;
    const lived = code !== 'stalled' && this.#clock.now() - this.#openedAt >= LONG_LIFE;
    return this.#furthest !== furthest || lived;
  }

  #wait(error: StreamError): void {
    const delay =
      error.code === 'offline'
        ? OFFLINE_DELAY
        : Math.max(
            error.retryAfter,
            backoff(this.#failures, this.#baseDelay, this.#options.random ?? Math.random),
          );
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
    this.#watchdog.stop();
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
