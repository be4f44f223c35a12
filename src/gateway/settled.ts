/**
 * Settled history: what a session's frames come to, as `hermes.transcript.v1`, and the cursor after it. The one file of
 * the gateway that folds; it folds as browsers do, so that history and the stream after it are what the stream alone is.
 */
import {adapterFor} from '../adapters/index.js';
import {
  applyTurnEvents,
  createTranscript,
  toSnapshot,
  type FoldedTranscript,
  type TranscriptJson,
} from '../anchor/index.js';
import {formatEventId} from '../protocol/index.js';
import type {Journal, JournalFrame} from './journal/journal.js';
import type {TurnWindow} from './sessions/session-service.js';

/** A session up to its last frame, or some of its turns. */
export interface Settled {
  /** Null when nothing was said yet. */
  readonly transcript: TranscriptJson | null;
  /** How many turns there are before these. */
  readonly earlier: number;
  /** The id of the last frame in it. */
  readonly cursor: string | null;
}

/** Frames that the folds kept in memory may hold together; the sessions asked for last stay. */
const KEPT_FRAMES = 200_000;
const PAGE = 1000;

const adapter = adapterFor('hermes-runs');

export class SettledHistory {
  readonly #journal: Journal;
  readonly #keptFrames: number;
  /** The last asked last. */
  readonly #folds = new Map<string, SessionFold>();

  constructor(journal: Journal, keptFrames = KEPT_FRAMES) {
    this.#journal = journal;
    this.#keptFrames = keptFrames;
  }

  /** A session's history; only what is new since it was last asked for is folded. Rejects with `unknown-session`. */
  async of(session: string, window: TurnWindow = {}): Promise<Settled> {
    const fold = this.#folds.get(session) ?? new SessionFold(session, this.#journal);
    this.#folds.delete(session);
    this.#folds.set(session, fold);
    try {
      return await fold.catchUp(window);
    } catch (cause) {
      this.#folds.delete(session);
      throw cause;
    } finally {
      this.#forget();
    }
  }

  #forget(): void {
    let kept = 0;
    for (const [session, fold] of [...this.#folds].reverse()) {
      // The one that was asked for last stays, however long it is.
      if (kept > 0 && kept + fold.position > this.#keptFrames) this.#folds.delete(session);
      kept += fold.position;
    }
  }
}

class SessionFold {
  readonly #session: string;
  readonly #journal: Journal;
  #folded: FoldedTranscript;
  /** What it came to as a whole, where it was asked for since the last frame. */
  #whole: Settled | null = null;
  /** Of the last frame folded. */
  position = 0;
  #cursor: string | null = null;
  #folding: Promise<unknown> = Promise.resolve();

  constructor(session: string, journal: Journal) {
    this.#session = session;
    this.#journal = journal;
    this.#folded = createTranscript({sessionId: session});
  }

  /** One at a time: each asker gets at least what stood when it asked. */
  catchUp(window: TurnWindow): Promise<Settled> {
    const settled = this.#folding.then(() => this.#catchUp()).then(() => this.#settled(window));
    this.#folding = settled.catch(() => {});
    return settled;
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const frames = await this.#journal.read({session: this.#session}, this.#cursor, PAGE);
      if (frames.length > 0) this.#fold(frames);
      if (frames.length < PAGE) break;
      // A long session must not hold up the others.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #settled({from = 0, before = Infinity, limit = Infinity}: TurnWindow): Settled {
    const {turns} = this.#folded;
    const end = Math.min(turns.length, before);
    const earlier = Math.min(Math.max(from, end - limit), turns.length);
    if (earlier === 0 && end === turns.length) return (this.#whole ??= this.#part(turns, 0));
    return this.#part(turns.slice(earlier, end), earlier);
  }

  #part(turns: FoldedTranscript['turns'], earlier: number): Settled {
    const transcript = this.#cursor === null ? null : toSnapshot({...this.#folded, turns});
    return {transcript, earlier, cursor: this.#cursor};
  }

  #fold(frames: readonly JournalFrame[]): void {
    const events = frames.map(({run, seq, data}) =>
      adapter.normalize({id: formatEventId(run, seq), name: null, data}),
    );
    this.#folded = applyTurnEvents(this.#folded, events);
    this.#whole = null;
    const last = frames.at(-1)!;
    this.position = last.position;
    this.#cursor = formatEventId(last.run, last.seq);
  }
}
