import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readActivityScene} from '../../../src/adapters/hermes-webui/activity-scene.js';

const facts = {title: null, args: null, output: null, durationMs: null};

test('rows become parts in their order; rows of other kinds are passed over', () => {
  const scene = {
    version: 'activity_scene_v1',
    activity_rows: [
      {kind: 'process_prose', role: 'prose', text: 'Looking.'},
      {kind: 'reasoning', role: 'thinking', thinking: {text: 'Hm.'}},
      {
        kind: 'tool_completed',
        role: 'tool',
        tool_call_id: 'c1',
        tool: {name: 'read', args: {path: 'a'}, snippet: '# A', done: true, is_error: false, duration: 0.5},
      },
      {kind: 'lifecycle_status', role: 'lifecycle', text: 'Compressing'},
      {kind: 'control_boundary', role: 'control', payload: {text: 'x'}},
      {kind: 'terminal_status', role: 'terminal', text: 'Done'},
      {kind: 'process_prose', payload: {text: 'From the payload.'}},
      {kind: 'process_prose', text: ''},
      'nonsense',
    ],
  };
  assert.deepEqual(readActivityScene(scene), [
    {type: 'text', text: 'Looking.'},
    {type: 'thought', text: 'Hm.'},
    {
      type: 'call',
      callId: 'c1',
      tool: 'read',
      status: 'completed',
      open: false,
      sealed: false,
      facts: {...facts, args: {path: 'a'}, output: '# A', durationMs: 500},
    },
    {type: 'text', text: 'From the payload.'},
  ]);
});

test('start and end of one call are one call, in the place of its start', () => {
  const parts = readActivityScene({
    activity_rows: [
      {
        kind: 'tool_started',
        role: 'tool',
        tool_call_id: 'c1',
        tool: {name: 'read', args: {path: 'a'}, preview: 'a', done: false},
      },
      {kind: 'process_prose', role: 'prose', text: 'Meanwhile.'},
      {
        kind: 'tool_completed',
        role: 'tool',
        tool_call_id: 'c1',
        tool: {name: 'read', args: {}, preview: '# A', done: true},
      },
    ],
  });
  assert.deepEqual(parts, [
    {
      type: 'call',
      callId: 'c1',
      tool: 'read',
      status: 'completed',
      open: false,
      sealed: false,
      facts: {title: 'a', args: {path: 'a'}, output: '# A', durationMs: null},
    },
    {type: 'text', text: 'Meanwhile.'},
  ]);
});

test('calls without an id stay apart, and one that never ended is open', () => {
  const row = {kind: 'tool_started', role: 'tool', tool: {name: 'read', done: false}};
  const parts = readActivityScene({activity_rows: [row, row, {...row, status: 'error'}]});
  assert.deepEqual(
    parts?.map((part) => part.type === 'call' && [part.status, part.open]),
    [
      [null, true],
      [null, true],
      ['error', false],
    ],
  );
});

test('a stored record holds its scene inside', () => {
  const scene = {activity_rows: [{role: 'prose', text: 'x'}]};
  assert.deepEqual(readActivityScene({version: 'anchor_activity_scene_record_v1', scene}), [
    {type: 'text', text: 'x'},
  ]);
});

for (const value of [
  undefined,
  null,
  'x',
  7,
  [],
  {},
  {activity_rows: []},
  {activity_rows: {}},
  {scene: {}},
]) {
  test(`${JSON.stringify(value)} is no activity`, () => assert.equal(readActivityScene(value), null));
}
