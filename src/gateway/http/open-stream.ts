/**
 * An open stream: one reader, who is a cursor into the journal.
 *
 * `agent stdio → ACP lines → recorder → journal → **SSE frames**`
 *
 * A reader that does not read is not asked for more; what it misses waits in the journal, and after a while it is cut.
 */
import {encodeComment, formatEventId} from '../../protocol/index.js';
import type {Clock, Timer} from '../clock.js';
import {JournalError, type Journal, type JournalFrame, type JournalScope} from '../journal/journal.js';
import {batchPieces, pieceOf, type Piece} from './frame-bytes.js';
import type {Sink} from './sink.js';

export interface StreamLimits {
  /** Of silence, before a comment says that the connection lives, in ms. */
  readonly heartbeatMs: number;
  /** How long a reader may leave what was written unread, in ms. */
  readonly stallMs: number;
  /** What readers are told to wait before they come again, in ms. */
  readonly retryMs: number;
}

export interface StreamOptions {
  readonly journal: Journal;
  readonly scope: JournalScope;
  readonly cursor: string | null;
  /** True for an `event:` line in each frame. */
  readonly named: boolean;
  readonly clock: Clock;
  readonly limits: StreamLimits;
}

const heartbeat = pieceOf(encodeComment('heartbeat'));

export class OpenStream {
  readonly #options: StreamOptions;
  readonly #following = new AbortController();
  #sink!: Sink;
  #cursor: string | null;
  #wroteAt = 0;
  #isWaiting = false;
  #state: 'open' | 'ending' | 'gone' = 'open';
  #timer: Timer = null;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#cursor = options.cursor;
  }

  /** Sends everything after the cursor and what follows, until the run ends, the reader goes or we end it. */
  async run(sink: Sink): Promise<void> {
    const {journal, scope, limits} = this.#options;
    this.#sink = sink;
    // The reader left while we asked whether it may read.
    if (this.#isGone()) return sink.cut();
    try {
      this.#write(pieceOf(`retry: ${limits.retryMs}\n\n`));
      this.#armHeartbeat();
      await this.#follow();
      if (this.#state === 'ending') await this.#sendRest(journal, scope);
      if (!this.#isGone()) sink.end();
    } catch (cause) {
      if (this.#isGone()) return;
      // The session was removed, or the journal closed under us: that is no fault. Who comes again is told.
      if (cause instanceof JournalError && cause.code === 'closed') return sink.end();
      sink.cut();
      throw cause;
    } finally {
      this.gone();
    }
  }

  /** The reader is gone: nothing is held for it any more. */
  readonly gone = (): void => {
    this.#state = 'gone';
    this.#following.abort();
    this.#options.clock.clearTimeout(this.#timer);
  };

  /** Ends the stream after what the journal holds. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#following.abort();
  }

  cut(): void {
    if (this.#state === 'gone') return;
    this.gone();
    this.#sink.cut();
  }

  // A call, because it changes while we wait, which the compiler does not see of a field.
  #isGone(): boolean {
    return this.#state === 'gone';
  }

  async #follow(): Promise<void> {
    const {journal, scope} = this.#options;
    const {signal} = this.#following;
    try {
      for await (const frames of journal.follow(scope, this.#cursor, signal)) {
        await this.#send(frames);
        if (this.#state !== 'open') return;
      }
    } catch (cause) {
      if (!signal.aborted) throw cause;
    }
  }

  async #sendRest(journal: Journal, scope: JournalScope): Promise<void> {
    for (;;) {
      const frames = await journal.read(scope, this.#cursor, 500);
      if (frames.length === 0) return;
      await this.#send(frames);
      if (this.#state === 'gone') return;
    }
  }

  async #send(frames: readonly JournalFrame[]): Promise<void> {
    for (const piece of batchPieces(frames, this.#options.named)) {
      if (!this.#write(piece)) await this.#room();
      if (this.#state === 'gone') return;
    }
    const last = frames.at(-1);
    if (last) this.#cursor = formatEventId(last.run, last.seq);
  }

  #write(piece: Piece): boolean {
    this.#wroteAt = this.#options.clock.now();
    return this.#sink.write(piece);
  }

  async #room(): Promise<void> {
    const {clock, limits} = this.#options;
    this.#isWaiting = true;
    const patience = clock.setTimeout(() => this.cut(), limits.stallMs);
    await this.#sink.room();
    clock.clearTimeout(patience);
    this.#isWaiting = false;
  }

  // One timer a heartbeat and not one a frame: it looks when the last write was, and sleeps for the rest.
  #armHeartbeat(): void {
    const {clock, limits} = this.#options;
    const silence = clock.now() - this.#wroteAt;
    this.#timer = clock.setTimeout(
      () => {
        const isSilent = clock.now() - this.#wroteAt >= limits.heartbeatMs;
        if (isSilent && !this.#isWaiting && !this.#write(heartbeat)) void this.#room();
        if (this.#state !== 'gone') this.#armHeartbeat();
      },
      Math.max(1, limits.heartbeatMs - (silence < limits.heartbeatMs ? silence : 0)),
    );
  }
}
