import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {JsonObject} from '../../../src/anchor/json.js';
import {toActivityScene} from '../../../src/scene/activity-scene.js';
import {turn, type TurnBuilder} from './turn-builder.js';

const run = {runIds: ['r1'], streamIds: ['r1']};

function write(story: TurnBuilder, limits: {maxRows?: number; maxBytes?: number} = {}) {
  const {scene, cut} = toActivityScene(story.with(run).build(), {sessionId: 's1', ...limits});
  return {scene, cut, rows: scene['activity_rows'] as readonly JsonObject[]};
}

test('a scene names its version, mode, identity, lifecycle and answer', () => {
  const {scene, cut} = write(
    turn().tool('bash').answer('Done.').with({startedAt: 1500, completedAt: 3000, finalMessageRef: 'm1'}),
  );
  const {activity_rows, ...head} = scene;
  assert.equal((activity_rows as unknown[]).length, 1);
  assert.deepEqual(head, {
    version: 'activity_scene_v1',
    mode: 'compact_worklog',
    identity: {session_id: 's1', turn_id: 't1', run_id: 'r1', stream_id: 'r1', message_ref: 'm1'},
    lifecycle: {status: 'completed', started_at: 1.5, completed_at: 3},
    final_answer: 'Done.',
    final_message_ref: 'm1',
    terminal_state: 'completed',
    artifacts: [],
    side_effects: [],
  });
  assert.equal(cut, null);
});

test('every kind of item is a row of the server’s kind and role, the answer is none', () => {
  const {rows} = write(
    turn()
      .prose('Looking.')
      .thought('Hm.')
      .tool('bash')
      .lifecycle('completed')
      .control('permission', 'rm x')
      .notice('Slow.')
      .answer('Do')
      .ended('error', 'Why.'),
  );
  assert.deepEqual(
    rows.map((row) => [row['kind'], row['role'], row['source_event_type'], row['status'], row['text']]),
    [
      ['process_prose', 'prose', 'interim_assistant', 'completed', 'Looking.'],
      ['reasoning', 'thinking', 'reasoning', null, 'Hm.'],
      ['tool_completed', 'tool', 'tool_complete', 'completed', ''],
      ['lifecycle_status', 'lifecycle', 'compressed', 'completed', 'Compressing context'],
      ['control_boundary', 'control', 'approval', 'answered', 'rm x'],
      ['activity', 'activity', 'warning', null, 'Slow.'],
      ['terminal_status', 'terminal', 'apperror', 'error', 'Why.'],
    ],
  );
  assert.deepEqual(
    rows.map((row) => row['order_index']),
    [0, 1, 2, 3, 4, 5, 6],
  );
  assert.equal(new Set(rows.map((row) => row['row_id'])).size, rows.length);
});

test('a tool row carries the call', () => {
  const {rows} = write(
    turn()
      .tool('read_file', {path: 'a.md'}, {callId: 'call_1', output: '# A', durationMs: 250})
      .answer('Done.'),
  );
  assert.equal(rows[0]?.['tool_call_id'], 'call_1');
  assert.deepEqual(rows[0]?.['tool'], {
    ...{id: 'call_1', name: 'read_file', args: {path: 'a.md'}, preview: '# A', snippet: '# A'},
    ...{done: true, is_error: false, duration: 0.25, started_at: null},
    signature: 'read_file|call_1|{"path":"a.md"}',
  });
});

for (const status of ['pending', 'running', 'denied', 'cancelled', 'interrupted'] as const) {
  test(`a ${status} call is not written as done`, () => {
    const {rows} = write(turn().tool('bash', {}, {status}).ended('cancelled'));
    const tool = rows[0]?.['tool'] as JsonObject;
    assert.deepEqual([tool['done'], tool['is_error'], rows[0]?.['status']], [false, false, status]);
    assert.notEqual(rows[0]?.['kind'], 'tool_completed');
  });
}

test('what does not fit is cut, oldest first, and told', () => {
  let story = turn();
  for (let call = 0; call < 1200; call++) story = story.tool('bash');
  const {rows, cut} = write(story.answer('Done.'), {maxBytes: 5_000_000});
  assert.equal(rows.length, 1000);
  assert.deepEqual(cut, {rows: 200, bodies: 0, answer: false});
  assert.equal(rows.at(-1)?.['row_id'], 'tool:c1200');
});

test('long results are shortened before rows are dropped, and the scene keeps its size', () => {
  let story = turn();
  for (let call = 0; call < 40; call++) story = story.tool('bash', {}, {output: 'ü'.repeat(10_000)});
  const {scene, rows, cut} = write(story.answer('Done.'));
  assert.ok(Buffer.byteLength(JSON.stringify(scene)) <= 256_000);
  assert.ok(cut !== null && cut.bodies === rows.length && cut.rows === 40 - rows.length && rows.length > 10);
});

test('an answer that is too long leaves the scene and is told', () => {
  const {scene, cut} = write(turn().tool('bash').answer('x'.repeat(300_000)));
  assert.equal(scene['final_answer'], '');
  assert.deepEqual(cut, {rows: 0, bodies: 0, answer: true});
});

test('a scene is plain JSON', () => {
  const {scene} = write(
    turn()
      .prose('Looking.')
      .tool('bash', {a: [1, {b: null}]})
      .answer('Done.')
      .artifact('n.md'),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(scene)), scene);
});
