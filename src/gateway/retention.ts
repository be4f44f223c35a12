/** Retention: sessions that nobody used for a while are removed from the journal, at the start and once a day. */
import type {Clock, Timer} from './clock.js';
import type {Journal} from './journal/journal.js';
import {ConfigError} from './profiles/profile-config.js';

/** How long sessions are kept where nothing is said of it. */
const USUAL_DAYS = 90;

const DAY = 86_400_000;

export interface RetentionOptions {
  readonly clock: Clock;
  /** Null keeps all for ever. */
  readonly days: number | null | undefined;
  readonly onFault: (fault: unknown) => void;
}

export class Retention {
  readonly #options: RetentionOptions;
  readonly #days: number | null;
  #timer: Timer = null;
  #stopped = false;

  constructor(options: RetentionOptions) {
    const {days = USUAL_DAYS} = options;
    if (days !== null && !(days > 0)) {
      throw new ConfigError(
        `Sessions cannot be kept for ${days} days. Give a number above 0, or null for ever.`,
      );
    }
    this.#options = options;
    this.#days = days;
  }

  /**
   * What is too old is gone for readers at once; the rows follow in small steps, which nobody waits for. What is open, or
   * read, is not old: whoever looks at it may be about to use it.
   */
  start(journal: Pick<Journal, 'prune'>, isInUse: (session: string) => boolean): void {
    const {clock, onFault} = this.#options;
    if (this.#days === null || this.#stopped) return;
    journal.prune(clock.now() - this.#days * DAY, isInUse).catch((fault: unknown) => {
      // A journal that closes meanwhile goes on with it at the next start.
      if (!this.#stopped) onFault(fault);
    });
    this.#timer = clock.setTimeout(() => this.start(journal, isInUse), DAY);
  }

  stop(): void {
    this.#stopped = true;
    this.#options.clock.clearTimeout(this.#timer);
  }
}
