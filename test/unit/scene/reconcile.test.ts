import assert from 'node:assert/strict';
import {test} from 'node:test';
import {project} from '../../../src/scene/project.js';
import {reconcile, type Mismatch} from '../../../src/scene/reconcile.js';
import {expectedRows, type RenderedRow} from '../../../src/scene/rendered-row.js';
import {digestText} from '../../../src/scene/text-digest.js';
import {turn} from './turn-builder.js';

const scene = project(
  turn()
    .prompt('Go.')
    .prose('Looking.')
    .tool('read_file')
    .tool('bash', {}, {status: 'error'})
    .answer('Done.')
    .build(),
  'compact-worklog',
);
const rows = expectedRows(scene);

function differ(actual: readonly RenderedRow[], ...expected: readonly Mismatch[]): void {
  assert.deepEqual(reconcile(scene, actual), {matched: expected.length === 0, mismatches: expected});
}

function without(id: string): readonly RenderedRow[] {
  return rows.filter((row) => row.id !== id);
}

function change(id: string, more: Partial<RenderedRow>): readonly RenderedRow[] {
  return rows.map((row) => (row.id === id ? {...row, ...more} : row));
}

test('a page that shows the scene matches', () => {
  differ(rows);
  assert.ok(reconcile(rows, rows).matched);
});

test('what is folded is expected hidden, by default and by the reader’s choice', () => {
  const hidden = (open?: ReadonlyMap<string, boolean>) =>
    expectedRows(scene, open === undefined ? {} : {open})
      .filter((row) => row.hidden)
      .map((row) => row.id);
  const all = ['prose:0:0', 'group:tool:c1', 'tool:c1', 'tool:c2'];
  assert.deepEqual(hidden(), all);
  assert.deepEqual(hidden(new Map([['worklog', true]])), ['tool:c1', 'tool:c2']);
  assert.deepEqual(hidden(new Map([['worklog', true], ['group:tool:c1', true]])), []); // prettier-ignore
  assert.deepEqual(hidden(new Map([['group:tool:c1', true]])), all);
});

test('a missing row is named and displaces no other', () => {
  differ(
    without('tool:c1'),
    {kind: 'row_count', expected: rows.length, actual: rows.length - 1},
    {kind: 'missing_actual_row', id: 'tool:c1', index: 4},
  );
});

test('an unexpected row is named', () => {
  const extra = {...(rows[0] as RenderedRow), id: 'ghost'};
  differ(
    [...rows, extra],
    {kind: 'row_count', expected: rows.length, actual: rows.length + 1},
    {kind: 'unexpected_actual_row', id: 'ghost', index: rows.length},
  );
});

test('rows out of order are named with both places', () => {
  const swapped = [rows[1], rows[0], ...rows.slice(2)] as RenderedRow[];
  differ(
    swapped,
    {kind: 'order_mismatch', id: 'prompt', expected: 0, actual: 1},
    {kind: 'order_mismatch', id: 'worklog', expected: 1, actual: 0},
  );
});

test('a field that differs is named, a text by length and hash only', () => {
  differ(change('tool:c2', {status: 'completed'}), {
    kind: 'field_mismatch',
    id: 'tool:c2',
    field: 'status',
    expected: 'error',
    actual: 'completed',
  });
  const [mismatch] = reconcile(scene, change('prompt', {text: digestText('Go')})).mismatches;
  assert.match(
    JSON.stringify(mismatch),
    /"field":"text","expected":"3 characters, #[0-9a-f]{8}","actual":"2 characters, #[0-9a-f]{8}"/,
  );
});

test('a text that is not reported is not compared', () => differ(change('prompt', {text: null})));

test('statuses are compared by meaning', () => {
  differ(
    change('tool:c1', {status: 'Done'}).map((row) =>
      row.id === 'tool:c2' ? {...row, status: 'failure'} : row,
    ),
  );
});

test('with a repeated id on the page rows are compared by position', () => {
  const doubled = [...rows.slice(0, -1), {...(rows.at(-1) as RenderedRow), id: 'prompt'}];
  const answer = rows.at(-1)?.id as string;
  differ(
    doubled,
    {kind: 'duplicate_actual_row', id: 'prompt', index: rows.length - 1},
    {kind: 'field_mismatch', id: answer, field: 'id', expected: answer, actual: 'prompt'},
  );
});

test('fields can be chosen, and folded rows left out', () => {
  assert.ok(reconcile(scene, change('tool:c2', {status: 'completed'}), {fields: ['type']}).matched);
  assert.ok(
    reconcile(
      scene,
      rows.filter((row) => !row.hidden),
      {ignoreHidden: true},
    ).matched,
  );
});
