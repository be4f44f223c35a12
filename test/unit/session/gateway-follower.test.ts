import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {SessionSource} from '../../../src/session/index.js';
import {settled} from '../transport/manual-clock.js';
import {answers, FakeServer, frame, json, openSession} from './fake-server.js';

const SOURCE: SessionSource = {base: '/api', sessionId: 's1'};
const HISTORY = '/api/sessions/s1';
const EVENTS = '/api/sessions/s1/events';

const run = (id: string, seq: number, event: string, more: object = {}) =>
  frame(null, {event, run_id: id, seq, session_id: 's1', timestamp: 1, ...more}, `${id}:${seq}`);

const TRANSCRIPT = {
  format: 'hermes.transcript.v1',
  session: {id: 's1', aliases: [], notices: []},
  turns: [
    {
      id: 'r1',
      runIds: ['r1'],
      prompt: 'Hi',
      answer: 'Ho',
      status: 'settled',
      terminal: 'completed',
      evidence: 'settled',
    },
  ],
};

const state = (more: object = {}) => ({
  transcript: TRANSCRIPT,
  cursor: 'r1:9',
  activeRunId: null,
  pendingPermissions: [],
  ...more,
});

test('the settled history comes first, then all runs on one stream after its cursor', async () => {
  const server = new FakeServer().on(HISTORY, state()).streams(EVENTS);
  const {session} = await openSession(server, SOURCE);
  assert.deepEqual([server.paths, answers(session)], [[HISTORY, EVENTS], ['Ho']]);
  assert.equal(server.of(EVENTS)[0]?.headers.get('last-event-id'), 'r1:9');
  await server.write(
    EVENTS,
    run('r2', 1, 'run.started', {turn_id: 't2', prompt: 'And?'}),
    run('r2', 2, 'message.delta', {delta: 'So.'}),
    run('r2', 3, 'run.completed', {output: 'So.', stop_reason: 'end_turn'}),
  );
  await server.write(
    EVENTS,
    run('s.s1', 1, 'session.info', {title: 'A talk'}),
    run('r3', 1, 'run.started', {turn_id: 't3', prompt: 'Then?'}),
    run('r3', 2, 'message.delta', {delta: 'That.'}),
  );
  assert.deepEqual(answers(session), ['Ho', 'So.', 'That.']);
  assert.equal(session.connection.phase, 'open', 'the end of a run is not the end of the session');
  assert.equal(session.transcript.turns.length, 3);
  session.disconnect();
});

test('a break is resumed after the last frame read, of whatever run', async () => {
  const server = new FakeServer().on(HISTORY, state()).streams(EVENTS);
  const {session, clock} = await openSession(server, SOURCE);
  await server.write(EVENTS, run('r2', 1, 'message.delta', {delta: 'So'}));
  server.body(EVENTS).cut();
  await clock.pass(100);
  assert.equal(server.of(EVENTS)[1]?.headers.get('last-event-id'), 'r2:1');
  session.disconnect();
});

test('a run that can only be shown is read from its start, then the session goes on', async () => {
  const painted = {
    id: 'r2',
    runIds: ['r2'],
    prompt: 'And?',
    answer: 'So',
    answerId: 'prose:0:0',
    status: 'running',
    terminal: null,
    cursor: 'r2:1',
    resume: null,
  };
  const transcript = {...TRANSCRIPT, turns: [...TRANSCRIPT.turns, painted]};
  const server = new FakeServer()
    .on(HISTORY, state({transcript, activeRunId: 'r2', cursor: 'r2:1'}))
    .streams('/api/events/r2')
    .streams(EVENTS);
  const {session} = await openSession(server, SOURCE);
  assert.deepEqual(answers(session), ['Ho', 'So']);
  assert.equal(server.of('/api/events/r2')[0]?.headers.get('last-event-id'), null);
  await server.write(
    '/api/events/r2',
    run('r2', 1, 'message.delta', {delta: 'So it is.'}),
    run('r2', 2, 'run.completed', {output: 'So it is.', stop_reason: 'end_turn'}),
  );
  assert.deepEqual(answers(session), ['Ho', 'So it is.']);
  assert.equal(server.of(EVENTS)[0]?.headers.get('last-event-id'), 'r2:2');
  session.disconnect();
});

test('a server without that stream is read run by run', async () => {
  const server = new FakeServer().on(HISTORY, state({activeRunId: 'r2'})).streams('/api/events/r2');
  const {session} = await openSession(server, SOURCE);
  assert.deepEqual(server.paths, [HISTORY, EVENTS, '/api/events/r2']);
  await server.write(
    '/api/events/r2',
    run('r2', 1, 'message.delta', {delta: 'So.'}),
    run('r2', 2, 'run.completed', {output: 'So.', stop_reason: 'end_turn'}),
  );
  assert.deepEqual([answers(session), session.connection.phase], [['Ho', 'So.'], 'ended']);
  server.streams('/api/events/r3');
  session.begin({runId: 'r3', prompt: 'Then?'});
  await settled();
  assert.equal(server.paths.at(-1), '/api/events/r3');
  session.disconnect();
});

test('a permission has buttons only while the server lists it', async () => {
  const server = new FakeServer().on(HISTORY, state({pendingPermissions: ['p0']})).streams(EVENTS);
  const {session} = await openSession(server, SOURCE);
  assert.deepEqual([...session.pendingControls], ['p0']);
  server.on(HISTORY, state({pendingPermissions: ['p1']}));
  await server.write(
    EVENTS,
    run('r2', 1, 'permission.requested', {
      permission_id: 'p1',
      title: 'Edit',
      options: [{id: 'yes', name: 'Yes'}],
    }),
  );
  assert.deepEqual([...session.pendingControls], ['p1']);
  session.disconnect();
  assert.deepEqual([...session.pendingControls], []);
});

test('a history that fails for a moment is asked again, and a refused one is a problem', async () => {
  let asked = 0;
  const server = new FakeServer()
    .on(HISTORY, () => (asked++ < 2 ? json({}, 503) : json(state())))
    .streams(EVENTS);
  const {session, clock} = await openSession(server, SOURCE);
  assert.equal(session.problem?.code, 'history');
  await clock.pass(60_000);
  assert.deepEqual([session.problem, answers(session)], [null, ['Ho']]);
  assert.equal(session.connection.phase, 'open');
  session.disconnect();

  const refused = new FakeServer().on(HISTORY, () => json({}, 403));
  const other = await openSession(refused, SOURCE);
  await other.clock.pass(600_000);
  assert.deepEqual([other.session.problem?.code, refused.asked.length], ['history', 1]);
  refused.on(HISTORY, state()).streams(EVENTS);
  other.session.connect();
  await settled();
  assert.deepEqual([other.session.problem, answers(other.session)], [null, ['Ho']]);
  other.session.disconnect();
});

test('a history that never comes back is given up, and stays a problem', async () => {
  const server = new FakeServer().on(HISTORY, () => json({}, 500));
  const {session, clock} = await openSession(server, SOURCE);
  await clock.pass(6_000_000);
  assert.ok(server.asked.length < 10);
  assert.equal(session.problem?.code, 'history');
  session.disconnect();
  assert.equal(clock.waiting, 0);
});
