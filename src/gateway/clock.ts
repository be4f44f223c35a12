/** The clock: handed in, so that tests pass time and nothing here waits by itself. */

/** A timer that was set; opaque. */
export type Timer = unknown;

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(callback: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** The machine's clock. Its timers hold no process open. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};
