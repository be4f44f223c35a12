import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  adapterFor,
  detectSettled,
  detectWire,
  readPending,
  readSettled,
  readStart,
} from '../../../src/adapters/index.js';
import {runsNames} from '../../../src/adapters/hermes-runs/frames.js';
import {webuiNames} from '../../../src/adapters/hermes-webui/frames.js';

const told = (name: string | null, data: unknown) =>
  detectWire({id: null, name, data: typeof data === 'string' ? data : JSON.stringify(data)});

test('a frame whose JSON names an event is one of hermes-runs, named or not', () => {
  assert.equal(told(null, {event: 'message.delta'}), 'hermes-runs');
  assert.equal(told('message.delta', {event: 'message.delta'}), 'hermes-runs');
  assert.equal(told(null, {event: 'something.new'}), 'hermes-runs');
});

test('every name of Hermes WebUI tells its wire', () => {
  for (const name of webuiNames) assert.equal(told(name, {}), 'hermes-webui', name);
});

test('a name of the runs tells its wire, unless both use it', () => {
  for (const name of runsNames)
    assert.equal(told(name, {}), webuiNames.has(name) ? 'hermes-webui' : 'hermes-runs', name);
});

test('a journal row is Hermes WebUI, though it names its event', () => {
  assert.equal(told(null, {event_id: 'r:1', event: 'token', payload: {text: 'x'}}), 'hermes-webui');
});

test('jsonrpc is ACP, whatever else stands there', () => {
  assert.equal(told(null, {jsonrpc: '2.0', method: 'session/update', event: 'x'}), 'acp');
});

for (const [name, data] of [
  [null, {}],
  [null, 'not json'],
  ['message', {}],
  ['__proto__', {}],
  ['constructor', {event: ''}],
  [null, '{"__proto__":{"event":"x"}}'],
] as const) {
  test(`${name} with ${JSON.stringify(data)} tells nothing`, () => assert.equal(told(name, data), null));
}

test('a wire without an adapter is refused with what to do', () => {
  assert.throws(() => adapterFor('acp'), /step/);
  assert.throws(() => adapterFor('nonsense'), /hermes-webui, hermes-runs/);
  assert.throws(() => adapterFor('constructor'), RangeError);
  assert.equal(adapterFor('hermes-webui').wire, 'hermes-webui');
  assert.equal(adapterFor('hermes-runs').wire, 'hermes-runs');
});

const transcript = {format: 'hermes.transcript.v1', turns: []};
const payloads: readonly (readonly [unknown, string | null])[] = [
  [transcript, 'transcript'],
  [{transcript, cursor: 'r:4', activeRunId: null, pendingPermissions: []}, 'transcript'],
  [{session: {session_id: 'a1'}}, 'hermes-webui'],
  [{messages: []}, 'hermes-webui'],
  [{error: 'session not found'}, null],
  [{stream_id: 'f00', session_id: 'a1'}, null],
  [[], null],
  ['text', null],
  [null, null],
  [JSON.parse('{"__proto__":{"session":{}}}'), null],
];
for (const [payload, kind] of payloads) {
  test(`${JSON.stringify(payload)} is ${kind ?? 'no settled payload'}`, () => {
    assert.equal(detectSettled(payload), kind);
    assert.equal(readSettled(payload) !== null, kind === 'hermes-webui');
  });
}

test("the answer to a start keeps the server's second exactly", () => {
  const answer = {
    stream_id: '35ca',
    session_id: '6056',
    pending_started_at: 1795979274.5241473,
    turn_id: '20261129T190754Z-878218376b58',
    title: 'Say hello.',
  };
  assert.deepEqual(readStart(answer), {
    runId: '35ca',
    streamId: '35ca',
    sessionId: '6056',
    turnId: '20261129T190754Z-878218376b58',
    startedAt: 1795979274524,
    startedAtSeconds: 1795979274.5241473,
  });
});

test('the answers of the gateway and of Hermes Agent name their run', () => {
  assert.deepEqual(readStart({runId: 'r1', sessionId: 's1', turnId: 't1', events: '/events/r1'}), {
    runId: 'r1',
    sessionId: 's1',
    turnId: 't1',
  });
  assert.deepEqual(readStart({run_id: 'run_0f', status: 'started'}), {
    runId: 'run_0f',
    sessionId: null,
    turnId: null,
  });
});

for (const refusal of [
  {error: 'busy', active_stream_id: 'f00'},
  {status: 'suppressed', reason: 'silent_control_message'},
  {stream_id: ''},
  null,
  [],
  'x',
]) {
  test(`${JSON.stringify(refusal)} starts nothing`, () => assert.equal(readStart(refusal), null));
}

test('what waits for the reader is told by shape, as `initial` does not say of what kind it is', () => {
  const permission = readPending({pending: {command: 'rm', approval_id: 'x'}, pending_count: 1});
  assert.deepEqual([permission?.control, permission?.controlId, permission?.text], ['permission', 'x', 'rm']);
  const question = readPending({pending: {question: 'Which?', choices_offered: ['a'], clarify_id: 'c'}});
  assert.deepEqual([question?.control, question?.controlId, question?.text], ['clarify', 'c', 'Which?']);
  for (const payload of [{pending: null, pending_count: 0}, {}, null, 'x'])
    assert.equal(readPending(payload), null);
});
