/**
 * Request headers that a page may replace while a session uses them. A session, and with it a connection, is shared by
 * what was given the same headers; so the session is given a function that stays, and asks for the latest.
 */
import type {SessionSource} from '../session/index.js';

type Given = NonNullable<SessionSource['headers']>;

interface Cell {
  current: Given;
  readonly ask: Extract<Given, (...args: never) => unknown>;
}

const cells = new WeakMap<Given, Cell>();

/** The function that stands for these headers. */
export function latestHeaders(headers: SessionSource['headers']): Cell['ask'] | undefined {
  if (!headers) return undefined;
  let cell = cells.get(headers);
  if (!cell) {
    const made: Cell = (cell = {
      current: headers,
      ask: () => (typeof made.current === 'function' ? made.current() : made.current),
    });
    cells.set(headers, cell);
  }
  return cell.ask;
}

/** What stands for the old headers asks for the new ones from now on. */
export function replaceHeaders(old: Given, headers: Given): void {
  const cell = cells.get(old);
  if (!cell) return;
  cell.current = headers;
  if (!cells.has(headers)) cells.set(headers, cell);
}
