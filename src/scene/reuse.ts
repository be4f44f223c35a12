/** Keeps references: a row that came out equal is the old row. */
import type {Row} from './row.js';

/** Gives back the old row of the same id where the new one equals it. */
export function reuseRows(old: readonly Row[]): <R extends Row>(row: R) => R {
  const byId = new Map(old.map((row) => [row.id, row]));
  return (row) => {
    const before = byId.get(row.id);
    return before !== undefined && sameValue(before, row, 2) ? (before as typeof row) : row;
  };
}

/**
 * The rows before, the kept part of the old list, the rest. The old list itself where nothing changed: only what is
 * not kept is compared, since a long turn keeps thousands.
 */
export function joinRows(
  old: readonly Row[],
  {first, kept}: {readonly first: number; readonly kept: number},
  before: readonly Row[],
  rest: readonly Row[],
): readonly Row[] {
  const keptEnd = first + kept;
  const same =
    before.length === first &&
    old.length === keptEnd + rest.length &&
    before.every((row, index) => row === old[index]) &&
    rest.every((row, index) => row === old[keptEnd + index]);
  return same && old.length > 0 ? old : before.concat(old.slice(first, keptEnd), rest);
}

/** Equality of lists and plain objects to a small depth; of everything else (texts above all) by reference. */
function sameValue(a: unknown, b: unknown, depth: number): boolean {
  if (Object.is(a, b)) return true;
  if (depth === 0 || !isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => sameValue(a[key], b[key], depth - 1));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}
