/**
 * Start backoff: an agent that fails again and again is started less and less often. Whoever asks waits; the first
 * failure costs nothing, and an answered prompt clears the count.
 */
import type {Clock, Timer} from '../clock.js';

const FIRST = 1_000;
const LONGEST = 15_000;

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

export class StartBackoff {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An agent of a profile could not be opened, or ended by itself. */
  failed(profile: string): void {
    const count = (this.#failures.get(profile)?.count ?? 0) + 1;
    this.#failures.set(profile, {count, lastAt: this.#clock.now()});
  }

  worked(profile: string): void {
    this.#failures.delete(profile);
  }

  /** Resolves when an agent of the profile may be started, or is no longer wanted. */
  async pause(profile: string, signal: AbortSignal): Promise<void> {
    const ms = this.#wait(profile);
    if (ms <= 0 || signal.aborted) return;
    let timer: Timer;
    await new Promise<void>((resolve) => {
      timer = this.#clock.setTimeout(resolve, ms);
      signal.addEventListener('abort', () => resolve(), {once: true});
    });
    this.#clock.clearTimeout(timer);
  }

  #wait(profile: string): number {
    const failures = this.#failures.get(profile);
    if (!failures || failures.count < 2) return 0;
    const pause = Math.min(FIRST * 2 ** (failures.count - 2), LONGEST);
    return failures.lastAt + pause - this.#clock.now();
  }
}
