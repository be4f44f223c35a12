/** Backoff: how long to wait before asking again. */

/** The delay when the server asks for none, in ms. */
export const BASE_DELAY = 1000;

/** The longest delay, in ms, also when the server's `retry` asks for more. */
export const LONGEST_DELAY = 20_000;

/** The longest `Retry-After` that is kept to, in ms; after it the server is asked all the same. */
const LONGEST_RETRY_AFTER = 300_000;

/** A delay for the attempt after `failures` in a row: doubling, and random over its whole length so that clients spread. */
export function backoff(failures: number, base: number, random: () => number): number {
  return random() * Math.min(LONGEST_DELAY, base * 2 ** Math.max(0, failures - 1));
}

/** What a `Retry-After` header asks for, in ms: seconds, or a date. 0 when it asks for nothing we can read. */
export function retryAfter(header: string | null, now: number): number {
  // Dates begin with the name of a day; what else `Date.parse` makes something of is none.
  const ms = /^[a-z]/i.test(header ?? '') ? Date.parse(header!) - now : Number(header) * 1000;
  return Math.min(LONGEST_RETRY_AFTER, Math.max(0, ms || 0));
}
