/** The frames read last, kept raw for bug reports. */
import type {SourceEvent} from '../protocol/index.js';

export class FrameRing {
  readonly #limit: number;
  #frames: SourceEvent[] = [];

  constructor(limit = 500) {
    this.#limit = limit;
  }

  push(frames: readonly SourceEvent[]): void {
    this.#frames.push(...frames.slice(-this.#limit));
    // Cut now and then, not at every frame.
    if (this.#frames.length > 2 * this.#limit) this.#frames = this.last;
  }

  /** Oldest first. */
  get last(): SourceEvent[] {
    return this.#frames.slice(-this.#limit);
  }
}
