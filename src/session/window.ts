/** Addresses of parts of a settled session: what comes before what is known, or all from there on. */

/** What is known of a session that is loaded in parts. */
export interface Window {
  /** What its server counts: messages, or turns. */
  readonly unit: 'msg' | 'turn';
  /** The place of the first one known. */
  readonly earliest: number;
}

/** How many are loaded, where the address does not say. */
const PAGE = 50;

/** Some more, right before the first one known; else all from that one on, as more than a page may have come. */
export function partOf(history: string, {unit, earliest}: Window, isBefore: boolean): string {
  const [path, query = ''] = history.split('?', 2);
  const asked = new URLSearchParams(query);
  const limit = `${unit}_limit`;
  if (isBefore) {
    asked.set(`${unit}_before`, `${earliest}`);
    if (!asked.has(limit)) asked.set(limit, `${PAGE}`);
  } else if (unit === 'turn' && earliest > 0) {
    asked.delete(limit);
    asked.set('turn_from', `${earliest}`);
  } else return history;
  return `${path}?${asked}`;
}
