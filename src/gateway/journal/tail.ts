/** The tail: the newest frames of a session in memory, so that many live readers ask the file for nothing. */
import type {JournalFrame} from './journal.js';

// Some ten seconds of an agent that talks: what lives long is copied by the garbage collector, while everybody waits.
const FRAMES = 128;
const CHARACTERS = 1024 * 1024;

export class Tail {
  readonly #limit: number;
  #frames: JournalFrame[] = [];
  /** Where the tail begins in `#frames`; what stands before is forgotten, and cut off now and then. */
  #start = 0;
  #characters = 0;
  #latest: readonly JournalFrame[] = [];

  constructor(limit = FRAMES) {
    this.#limit = limit;
  }

  /** Takes what follows, one batch. */
  push(batch: readonly JournalFrame[]): void {
    this.#latest = batch;
    for (const frame of batch) {
      this.#frames.push(frame);
      this.#characters += frame.data.length;
    }
    while (this.#frames.length - this.#start > this.#limit || this.#characters > CHARACTERS) {
      const oldest = this.#frames[this.#start];
      if (oldest === undefined) break;
      this.#characters -= oldest.data.length;
      this.#start++;
    }
    if (this.#start >= this.#limit) {
      this.#frames = this.#frames.slice(this.#start);
      this.#start = 0;
    }
  }

  /**
   * The frames after a position; null when the tail does not reach back to it. Readers that are up to date get one and
   * the same array, so what they make of it can be made once.
   */
  after(position: number): readonly JournalFrame[] | null {
    if (this.#latest[0]?.position === position + 1) return this.#latest;
    const first = this.#frames[this.#start];
    if (first === undefined || position + 1 < first.position) return null;
    return this.#frames.slice(this.#start + position + 1 - first.position);
  }

  clear(): void {
    this.#frames = [];
    this.#latest = [];
    this.#start = this.#characters = 0;
  }
}
