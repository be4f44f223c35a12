/** A clock that stands still until it is told, so that no test waits. */
import type {Clock} from '../../../src/transport/index.js';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): unknown {
    const timer = {at: this.#now + ms, run};
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Lets time pass, running what falls due in order, each with all it leads to. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
      await settled();
    }
    this.#now = until;
  }

  /** Time passes and no timer fires, as while a machine sleeps. */
  skip(ms: number): void {
    this.#now += ms;
  }

  #next(until: number): Timer | undefined {
    return [...this.#timers].filter(({at}) => at <= until).sort((a, b) => a.at - b.at)[0];
  }
}

/** When all promises that can settle by themselves have. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
