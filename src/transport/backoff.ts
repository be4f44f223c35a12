/** Backoff: how long to wait before asking again. */

/** The delay when the server asks for none, in ms. */
export const BASE_DELAY = 1000;

/** The longest delay, in ms, also when the server asks for more. */
export const LONGEST_DELAY = 20_000;

/** A delay for the attempt after `failures` in a row: doubling, and random over its whole length so that clients spread. */
export function backoff(failures: number, base: number, random: () => number): number {
  return random() * Math.min(LONGEST_DELAY, base * 2 ** Math.max(0, failures - 1));
}
