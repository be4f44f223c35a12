/** Addresses of parts of a settled session: what comes before what is known, and all from there on. */

/** What is known of a session that is loaded in parts. */
export interface Window {
  /** What its server counts: messages, or turns. */
  readonly unit: 'msg' | 'turn';
  /** The place of the first one known. */
  readonly earliest: number;
}

/** How many are loaded, where the address does not say. */
const PAGE = 50;

/** Some more, right before the first one known. */
export function partBefore(history: string, {unit, earliest}: Window): string {
  const [path, query] = history.split('?', 2);
  const asked = new URLSearchParams(query);
  const limit = `${unit}_limit`;
  asked.set(`${unit}_before`, `${earliest}`);
  if (!asked.has(limit)) asked.set(limit, `${PAGE}`);
  return `${path}?${asked}`;
}

/** All from the first one known on: more than a page may have come. */
export function partSince(history: string, {earliest}: Window): string {
  return history.replace(/\bturn_limit=[^&#]*/, `turn_from=${earliest}`);
}
