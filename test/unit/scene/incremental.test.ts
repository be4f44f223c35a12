import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {GrowingText} from '../../../src/anchor/text.js';
import type {ActivityItem, TurnAnchor} from '../../../src/anchor/turn-anchor.js';
import type {ToolStatus} from '../../../src/anchor/turn-event.js';
import {Vector} from '../../../src/anchor/vector.js';
import {displayModes, type DisplayMode} from '../../../src/scene/display-mode.js';
import {project} from '../../../src/scene/project.js';
import type {Scene} from '../../../src/scene/scene.js';
import {controlDetails, emptyTurn, item, toolDetails, withAnswer} from './turn-builder.js';

/** One change to a turn; `at` picks an item by a share of the list. */
type Step =
  | {
      readonly type: 'push';
      readonly kind: ActivityItem['kind'];
      readonly fresh: boolean;
      readonly name: string;
    }
  | {readonly type: 'grow' | 'remove' | 'copy'; readonly at: number}
  | {readonly type: 'status'; readonly at: number; readonly status: ToolStatus}
  | {readonly type: 'insert'; readonly at: number}
  | {readonly type: 'turn'; readonly change: Partial<TurnAnchor>};

const kinds = [
  'prose',
  'prose',
  'reasoning',
  'tool',
  'tool',
  'tool',
  'lifecycle',
  'control',
  'notice',
] as const;
const statuses: readonly ToolStatus[] = ['pending', 'running', 'completed', 'error', 'denied', 'interrupted'];
const at = fc.integer({min: 0, max: 30});

const changes: readonly Partial<TurnAnchor>[] = [
  {status: 'settled', terminal: 'completed', answerComplete: true},
  {status: 'settled', terminal: 'error', error: {type: null, message: 'Why.', hint: null}},
  {status: 'running', terminal: null, error: null},
  {status: 'restoring', terminal: 'interrupted'},
  {degraded: true},
  {prompt: 'Hello'},
  {plan: [{content: 'Step', status: 'pending', priority: null}]},
  {artifacts: [{path: 'a.md', uri: null, change: 'created', itemId: null, diff: null}]},
  {usage: null},
];

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('push' as const),
      kind: fc.constantFrom(...kinds),
      fresh: fc.boolean(),
      name: fc.constantFrom('read_file', 'terminal', 'clarify', 'strange'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({type: fc.constantFrom('grow' as const, 'remove' as const, 'copy' as const), at}),
  },
  {
    weight: 4,
    arbitrary: fc.record({type: fc.constant('status' as const), at, status: fc.constantFrom(...statuses)}),
  },
  {weight: 1, arbitrary: fc.record({type: fc.constant('insert' as const), at})},
  {
    weight: 2,
    arbitrary: fc.record({type: fc.constant('turn' as const), change: fc.constantFrom(...changes)}),
  },
);

function take(turn: TurnAnchor, step: Step, serial: number): TurnAnchor {
  if (step.type === 'turn') return withAnswer({...turn, ...step.change});
  return withAnswer({...turn, items: changeItems(turn.items, step, serial)});
}

function changeItems(
  items: Vector<ActivityItem>,
  step: Exclude<Step, {type: 'turn'}>,
  serial: number,
): Vector<ActivityItem> {
  if (step.type === 'push') return items.push(newItem(items, step, serial));
  const index = items.length === 0 ? -1 : items.length - 1 - (step.at % items.length);
  const entry = items.get(index);
  if (entry === undefined) return items;
  switch (step.type) {
    case 'grow':
      return items.set(index, {...entry, text: entry.text.append('more ')});
    case 'copy':
      return items.set(index, {...entry});
    case 'status':
      return items.set(index, withStatus(entry, step.status));
    case 'remove':
      return Vector.from(items.slice().filter((_, position) => position !== index));
    case 'insert': {
      const late = item('tool', `tool:late${String(serial)}`, {tool: toolDetails('read_file')});
      return Vector.from([...items.slice().slice(0, index), late, ...items.slice(index)]);
    }
  }
}

function newItem(items: Vector<ActivityItem>, step: Step & {type: 'push'}, serial: number): ActivityItem {
  const message =
    items.slice().reduce((last, entry) => Math.max(last, entry.message ?? 0), 0) + (step.fresh ? 1 : 0);
  const id = `${step.kind}:${String(serial)}`;
  const text = GrowingText.of('text ');
  switch (step.kind) {
    case 'tool':
      return item('tool', id, {tool: toolDetails(step.name, {status: step.fresh ? 'running' : 'completed'})});
    case 'control': {
      const control = controlDetails(step.fresh ? 'clarify' : 'continue', {id, status: 'pending'});
      return item('control', id, {text, control});
    }
    case 'lifecycle':
      return item('lifecycle', id, {text, status: 'running'});
    case 'notice':
      return item('notice', id, {text});
    default:
      return item(step.kind, id, {text: step.name === 'strange' ? GrowingText.empty : text, message});
  }
}

function withStatus(entry: ActivityItem, status: ToolStatus): ActivityItem {
  if (entry.tool !== null) return {...entry, tool: {...entry.tool, status}};
  if (entry.control !== null) return {...entry, control: {...entry.control, status: 'answered'}};
  return entry.kind === 'lifecycle' ? {...entry, status} : entry;
}

function walk(steps: readonly Step[], visit: (turn: TurnAnchor) => void): void {
  let turn: TurnAnchor = {...emptyTurn, status: 'running'};
  steps.forEach((step, serial) => {
    turn = take(turn, step, serial);
    visit(turn);
  });
}

for (const mode of displayModes) {
  test(`${mode}: projecting step by step equals projecting whole`, () => {
    fc.assert(
      fc.property(fc.array(anyStep, {maxLength: 50}), (steps) => {
        let scene: Scene | undefined;
        walk(steps, (turn) => {
          scene = project(turn, mode, scene);
          assertSameScene(scene, project(turn, mode));
        });
      }),
      {numRuns: 300},
    );
  });
}

function assertSameScene(actual: Scene, expected: Scene): void {
  assert.deepEqual(actual, expected);
  assert.deepEqual(actual.facts, expected.facts);
  // Deep equality cannot see into a text; the text itself must be the anchor's newest.
  const texts = (scene: Scene) => scene.rows.map((row) => ('text' in row ? row.text.toString() : null));
  assert.deepEqual(texts(actual), texts(expected));
}

test('the facts are equal in the three modes', () => {
  fc.assert(
    fc.property(fc.array(anyStep, {maxLength: 30}), (steps) => {
      walk(steps, (turn) => {
        const [first, ...others] = displayModes.map((mode) => project(turn, mode).facts);
        for (const facts of others) assert.deepEqual(facts, first);
      });
    }),
  );
});

test('row ids are unique, and a turn that has anything shows something', () => {
  fc.assert(
    fc.property(fc.array(anyStep, {maxLength: 40}), fc.constantFrom(...displayModes), (steps, mode) => {
      walk(steps, (turn) => {
        const {rows} = project(turn, mode);
        assert.equal(new Set(rows.map((row) => row.id)).size, rows.length);
        assert.ok(rows.some((row) => row.type !== 'prompt'));
      });
    }),
  );
});

test('worklog rows stand together under a summary, and the answer stands after them', () => {
  fc.assert(
    fc.property(fc.array(anyStep, {maxLength: 40}), (steps) => {
      walk(steps, (turn) => {
        const {rows} = project(turn, 'compact-worklog');
        const types = rows.map((row) => (row.worklog ? 'worklog' : row.type));
        const summary = types.indexOf('worklog-summary');
        assert.ok(summary >= 0 || !types.includes('worklog'));
        assert.ok(!types.slice(0, Math.max(0, summary)).includes('worklog'));
        const answer = types.indexOf('answer');
        assert.ok(answer < 0 || types.lastIndexOf('worklog') < answer);
      });
    }),
  );
});

test('no change gives back the previous scene', () => {
  fc.assert(
    fc.property(fc.array(anyStep, {maxLength: 20}), fc.constantFrom(...displayModes), (steps, mode) => {
      walk(steps, (turn) => {
        const scene = project(turn, mode);
        const counted = {...turn, stats: {...turn.stats, applied: 7}, cursor: 'r1:7'};
        assert.equal(project(counted, mode, scene), scene);
      });
    }),
  );
});

test('an item that came anew but equal keeps its row', () => {
  const items = Vector.from([
    item('tool', 'tool:1', {tool: toolDetails('bash')}),
    item('notice', 'notice:1'),
  ]);
  const scene = project({...emptyTurn, status: 'running', items}, 'compact-worklog');
  const copies = Vector.from(items.slice().map((entry) => ({...entry, tool: entry.tool && {...entry.tool}})));
  assert.equal(
    project({...emptyTurn, status: 'running', items: copies}, 'compact-worklog', scene).rows,
    scene.rows,
  );
});

/** 400 messages of a thought, prose and ten tools each: about 4,800 items, as after 80,000 events. */
function longTurn(): TurnAnchor {
  let items = Vector.empty<ActivityItem>();
  for (let message = 0; message < 400; message++) {
    items = items.push(
      item('reasoning', `reasoning:${String(message)}:0`, {text: GrowingText.of('Hm.'), message}),
    );
    items = items.push(
      item('prose', `prose:${String(message)}:0`, {text: GrowingText.of('Looking.'), message}),
    );
    for (let call = 0; call < 10 && message < 399; call++) {
      const args = {path: `${String(call)}.md`};
      items = items.push(
        item('tool', `tool:${String(message)}.${String(call)}`, {tool: toolDetails('read_file', {args})}),
      );
    }
  }
  return withAnswer({...emptyTurn, status: 'running', items});
}

function oneMoreToken(turn: TurnAnchor): TurnAnchor {
  const index = turn.items.length - 1;
  const last = turn.items.get(index) as ActivityItem;
  const text = last.text.append('word ');
  return {...turn, items: turn.items.set(index, {...last, text}), answer: text};
}

/** Counts reads of items while `run` runs. */
function readsOf(run: () => void): number {
  const get = Vector.prototype.get as (this: Vector<unknown>, index: number) => unknown;
  let reads = 0;
  Vector.prototype.get = function (this: Vector<unknown>, index: number): unknown {
    reads++;
    return get.call(this, index);
  } as typeof Vector.prototype.get;
  try {
    run();
  } finally {
    Vector.prototype.get = get as typeof Vector.prototype.get;
  }
  return reads;
}

for (const mode of displayModes) {
  test(`${mode}: one more token in a long turn reads a few items, no text, and keeps the other rows`, (context) => {
    const turn = longTurn();
    const before = project(turn, mode);
    const longer = oneMoreToken(turn);
    let after = before;
    assert.ok(readsOf(() => (after = project(longer, mode, before))) < 40);
    const changed = after.rows.filter((row, index) => row !== before.rows[index]);
    assert.deepEqual(
      changed.map((row) => row.type),
      ['answer'],
    );
    if (mode !== 'answer-only') assert.ok(after.rows.length - changed.length >= 4700);
    context.diagnostic(
      `${mode}: ${microseconds(longer, mode, after).toFixed(1)} µs a token, ${String(after.rows.length)} rows`,
    );
  });
}

/** Time of one projection after one more token, mean of many. */
function microseconds(start: TurnAnchor, mode: DisplayMode, first: Scene): number {
  const turns = [start];
  for (let step = 0; step < 2000; step++) turns.push(oneMoreToken(turns.at(-1) as TurnAnchor));
  let scene = first;
  const began = performance.now();
  for (const turn of turns) scene = project(turn, mode, scene);
  return ((performance.now() - began) * 1000) / turns.length;
}

test('a new message in a long turn touches only the end', () => {
  const turn = longTurn();
  const before = project(turn, 'compact-worklog');
  const tool = item('tool', 'tool:new', {tool: toolDetails('bash', {status: 'running'})});
  const after = project(withAnswer({...turn, items: turn.items.push(tool)}), 'compact-worklog', before);
  const kept = new Set(before.rows);
  assert.deepEqual(
    after.rows.filter((row) => !kept.has(row)).map((row) => row.type),
    ['worklog-summary', 'prose', 'tool-group', 'tool', 'status'],
  );
});
