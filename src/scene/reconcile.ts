/** `reconcile`: whether the screen shows the scene, and if not, where it differs. */
import {expectedRows, type RenderedRow} from './rendered-row.js';
import type {Scene} from './scene.js';

export type RowField = keyof RenderedRow;

export type Mismatch =
  | {readonly kind: 'row_count'; readonly expected: number; readonly actual: number}
  | {readonly kind: 'duplicate_actual_row'; readonly id: string; readonly index: number}
  | {readonly kind: 'missing_actual_row'; readonly id: string; readonly index: number}
  | {readonly kind: 'order_mismatch'; readonly id: string; readonly expected: number; readonly actual: number}
  | {
      readonly kind: 'field_mismatch';
      readonly id: string;
      readonly field: RowField;
      readonly expected: string;
      readonly actual: string;
    }
  | {readonly kind: 'unexpected_actual_row'; readonly id: string; readonly index: number};

export interface Reconciliation {
  readonly matched: boolean;
  /** Counts first, then duplicates, then each expected row (missing, order, fields), then what was not expected. */
  readonly mismatches: readonly Mismatch[];
}

export interface ReconcileOptions {
  readonly fields?: readonly RowField[];
  /** Rows folded out of sight are left out on both sides, for renderers that do not make them. */
  readonly ignoreHidden?: boolean;
}

const allFields: readonly RowField[] = ['id', 'type', 'kind', 'status', 'toolCallId', 'hidden', 'text'];

/** Compares by id when every row on both sides has one of its own, else by position. */
export function reconcile(
  expected: Scene | readonly RenderedRow[],
  actual: readonly RenderedRow[],
  {fields = allFields, ignoreHidden = false}: ReconcileOptions = {},
): Reconciliation {
  const shown = (rows: readonly RenderedRow[]) => (ignoreHidden ? rows.filter((row) => !row.hidden) : rows);
  const wanted = shown('rows' in expected ? expectedRows(expected) : expected);
  const found = shown(actual);
  const match = haveOwnIds(wanted) && haveOwnIds(found) ? matchById : matchByPosition;
  const mismatches = [...countMismatch(wanted, found), ...duplicates(found), ...match(wanted, found, fields)];
  return {matched: mismatches.length === 0, mismatches};
}

function haveOwnIds(rows: readonly RenderedRow[]): boolean {
  return rows.every((row) => row.id !== '') && new Set(rows.map((row) => row.id)).size === rows.length;
}

function countMismatch(wanted: readonly RenderedRow[], found: readonly RenderedRow[]): Mismatch[] {
  if (wanted.length === found.length) return [];
  return [{kind: 'row_count', expected: wanted.length, actual: found.length}];
}

function duplicates(found: readonly RenderedRow[]): Mismatch[] {
  const seen = new Set<string>();
  return found.flatMap(({id}, index): Mismatch[] => {
    const repeated = id !== '' && seen.has(id);
    seen.add(id);
    return repeated ? [{kind: 'duplicate_actual_row', id, index}] : [];
  });
}

function matchById(
  wanted: readonly RenderedRow[],
  found: readonly RenderedRow[],
  fields: readonly RowField[],
): Mismatch[] {
  const rows = new Map(found.map((row) => [row.id, row]));
  const ids = new Set(wanted.map((row) => row.id));
  // Places among the rows both sides have: one missing row does not displace all others.
  const places = new Map(found.filter(({id}) => ids.has(id)).map(({id}, place) => [id, place]));
  let place = 0;
  const perRow = wanted.flatMap((row, index): Mismatch[] => {
    const other = rows.get(row.id);
    if (other === undefined) return [{kind: 'missing_actual_row', id: row.id, index}];
    return [
      ...orderMismatch(row.id, place++, places.get(row.id) ?? 0),
      ...fieldMismatches(row, other, fields),
    ];
  });
  const unexpected = found.flatMap(({id}, index): Mismatch[] =>
    ids.has(id) ? [] : [{kind: 'unexpected_actual_row', id, index}],
  );
  return [...perRow, ...unexpected];
}

function orderMismatch(id: string, expected: number, actual: number): Mismatch[] {
  return expected === actual ? [] : [{kind: 'order_mismatch', id, expected, actual}];
}

function matchByPosition(
  wanted: readonly RenderedRow[],
  found: readonly RenderedRow[],
  fields: readonly RowField[],
): Mismatch[] {
  const perRow = wanted.flatMap((row, index): Mismatch[] => {
    const other = found[index];
    return other === undefined
      ? [{kind: 'missing_actual_row', id: row.id, index}]
      : fieldMismatches(row, other, fields);
  });
  const unexpected = found.slice(wanted.length).map((row, over): Mismatch => ({
    kind: 'unexpected_actual_row',
    id: row.id,
    index: wanted.length + over,
  }));
  return [...perRow, ...unexpected];
}

function fieldMismatches(wanted: RenderedRow, found: RenderedRow, fields: readonly RowField[]): Mismatch[] {
  return fields.flatMap((field): Mismatch[] => {
    if (equalField(field, wanted, found)) return [];
    const [expected, actual] = [String(wanted[field]), String(found[field])];
    return [{kind: 'field_mismatch', id: wanted.id, field, expected, actual}];
  });
}

function equalField(field: RowField, a: RenderedRow, b: RenderedRow): boolean {
  if (field === 'status') return statusKey(a.status) === statusKey(b.status);
  if (field === 'text' && (a.text === null || b.text === null)) return true; // Not reported.
  return a[field] === b[field];
}

const statusAliases = new Map([
  ['done', 'completed'],
  ['complete', 'completed'],
  ['failed', 'error'],
  ['failure', 'error'],
  ['canceled', 'cancelled'],
]);

function statusKey(status: string | null): string | null {
  const key =
    status
      ?.trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_') ?? '';
  return statusAliases.get(key) ?? (key || null);
}
