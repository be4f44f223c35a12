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
export function addressBefore(history: string, {unit, earliest}: Window): string {
  return changed(history, (query) => {
    query.delete('turn_from');
    query.set(`${unit}_before`, `${earliest}`);
    if (!query.has(`${unit}_limit`)) query.set(`${unit}_limit`, `${PAGE}`);
  });
}

/** All from the first one known on: what came meanwhile may be more than a page. */
export function addressSince(history: string, {unit, earliest}: Window): string {
  if (unit === 'msg' || earliest === 0) return history;
  return changed(history, (query) => {
    query.delete('turn_limit');
    query.set('turn_from', `${earliest}`);
  });
}

function changed(address: string, change: (query: URLSearchParams) => void): string {
  const [path, query = ''] = address.split('?', 2);
  const asked = new URLSearchParams(query);
  change(asked);
  return `${path}?${asked}`;
}
