/** A countdown: one timer with one owner, put off by every sign of life without setting a timer anew. */
import type {Clock, Timer} from '../clock.js';

export class Countdown {
  #timer: Timer = null;
  #since = 0;

  constructor(
    private readonly clock: Clock,
    private readonly ms: number,
    private readonly onEnd: () => void,
  ) {}

  get running(): boolean {
    return this.#timer !== null;
  }

  /** Begins, or begins anew. */
  start(): void {
    this.stop();
    this.#since = this.clock.now();
    this.#wait(this.ms);
  }

  /** Puts the end off; costs no timer, so it may be called for every line. */
  touch(): void {
    this.#since = this.clock.now();
  }

  stop(): void {
    if (this.#timer === null) return;
    this.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #wait(ms: number): void {
    this.#timer = this.clock.setTimeout(() => this.#due(), ms);
  }

  #due(): void {
    this.#timer = null;
    const left = this.#since + this.ms - this.clock.now();
    if (left > 0) this.#wait(left);
    else this.onEnd();
  }
}
