/** Watchdogs: told of every sign of life, they speak up when there was none for too long. */
import type {Clock} from './clock.js';

/** How long a silence may last, in ms: three heartbeats of 15 s, nine of Hermes WebUI's 5 s. */
export const LONGEST_SILENCE = 45_000;

export class Watchdog {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  #limit = 0;
  #lastLife = 0;
  #timer: unknown;

  constructor(clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
  }

  /** True when the silence is too long already; timers may be late, as after a sleep of the machine. */
  get late(): boolean {
    return this.#left <= 0;
  }

  start(limit: number): void {
    this.stop();
    this.#limit = limit;
    this.beat();
    this.#arm();
  }

  /** A sign of life. */
  beat(): void {
    this.#lastLife = this.#clock.now();
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  get #left(): number {
    return this.#lastLife + this.#limit - this.#clock.now();
  }

  // One timer that looks again, not one a chunk.
  #arm(): void {
    this.#timer = this.#clock.setTimeout(() => (this.late ? this.#onSilence() : this.#arm()), this.#left);
  }
}
