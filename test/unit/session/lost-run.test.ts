/** What becomes of a run whose stream is lost: staged looks at Hermes WebUI, and only then "lost". */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Session} from '../../../src/session/index.js';
import {STAGES} from '../../../src/session/stages.js';
import {settled} from '../transport/manual-clock.js';
import {answers, frame, openSession, type FakeServer} from './fake-server.js';
import {
  done,
  exchange,
  pendingSession,
  SESSION,
  settledSession,
  SOURCE,
  STATUS,
  STREAM,
  token,
  webui,
} from './webui.js';

const ALL_STAGES = STAGES.reduce((sum, ms) => sum + ms, 0);
const status = (active: boolean, more: object = {}) => ({
  active,
  stream_id: 'r1',
  replay_available: false,
  ...more,
});

/** A server in which r1 goes on and has said "One". */
async function running(options: Parameters<typeof openSession>[2] = {}, source: object = {}) {
  const server = webui().on(SESSION, pendingSession('r1'));
  const opened = await openSession(server, {...SOURCE, ...source}, options);
  await server.write(STREAM, token('r1', 1, 'One'));
  return {server, ...opened};
}

/** The stream is refused from now on, so that it is lost. */
async function lose(server: FakeServer, code = 404) {
  server.on(STREAM, new Response('{}', {status: code}));
  server.body(STREAM).cut();
  await settled();
}

const end = ({transcript}: Session) => {
  const turn = transcript.turns.at(-1);
  return [turn?.status, turn?.terminal, turn?.evidence];
};

test('nothing is called lost, and what is shown stays, while the server is asked', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(false));
  await lose(server);
  await clock.pass(0);
  assert.equal(session.connection.phase, 'waiting');
  assert.equal(session.connection.error?.code, 'not-found');
  assert.equal(session.connection.retryAt, clock.now() + STAGES[0]);
  for (const ms of STAGES.slice(0, -1)) {
    await clock.pass(ms);
    assert.equal(session.connection.phase, 'waiting');
    assert.deepEqual([answers(session), end(session)[0]], [['One'], 'running']);
  }
  await clock.pass(STAGES.at(-1)!);
  assert.equal(server.of(STATUS).length, STAGES.length);
  assert.equal(session.connection.phase, 'lost');
  assert.deepEqual(
    [answers(session), end(session)],
    [['One'], ['restoring', 'connection_lost', 'synthetic']],
  );
  await clock.pass(10 * ALL_STAGES);
  assert.equal(server.of(STATUS).length, STAGES.length, 'and then nobody is asked any more');
  session.disconnect();
  assert.equal(clock.waiting, 0);
});

test('a run that goes on is read again from where it stood', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(true, {replay_available: true}));
  await lose(server);
  server.streams(STREAM);
  await clock.pass(STAGES[0]);
  assert.equal(server.of(STREAM).at(-1)?.headers.get('last-event-id'), 'r1:1');
  await server.write(STREAM, token('r1', 2, ' two.'), done('r1', 3));
  assert.deepEqual([answers(session), end(session)], [['One two.'], ['settled', 'completed', 'observed']]);
  assert.equal(session.connection.phase, 'ended');
  session.disconnect();
});

test('a run that is over is settled from the session', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(false, {journal: {run_id: 'r1', terminal: true, terminal_state: 'completed'}}));
  await lose(server);
  server.on(SESSION, settledSession(exchange(50.25, 'Go on', 'One two.'), {updated_at: 60}));
  await clock.pass(STAGES[0]);
  assert.deepEqual([answers(session), end(session).slice(0, 2)], [['One two.'], ['settled', 'completed']]);
  assert.deepEqual([session.connection.phase, session.connection.error], ['ended', null]);
  session.disconnect();
});

test('a stream that ended without the end of its turn has the session asked at once', async () => {
  const {server, session} = await running();
  server.on(SESSION, settledSession(exchange(50.25, 'Go on', 'One two.'), {updated_at: 60}));
  await server.write(STREAM, frame('stream_end', {session_id: 's1'}, 'r1:2'));
  assert.deepEqual([answers(session), end(session).slice(0, 2)], [['One two.'], ['settled', 'completed']]);
  assert.equal(server.of(STATUS).length, 0);
  session.disconnect();
});

test('a made-up end after a restart is a hint, and the session that repairs itself decides', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(false, {replay_available: true}));
  await server.write(
    STREAM,
    frame('apperror', {type: 'interrupted', message: 'Lost.', recovery_control: true}, 'r1:2'),
  );
  assert.equal(end(session)[0], 'restoring');
  // The body stays open; it might have known better.
  await clock.pass(10_000);
  await clock.pass(STAGES[0] + STAGES[1]);
  server.on(SESSION, settledSession(exchange(50.25, 'Go on', 'One two.'), {updated_at: 90}));
  await clock.pass(STAGES[2]);
  assert.deepEqual([answers(session), end(session).slice(0, 2)], [['One two.'], ['settled', 'completed']]);
  session.disconnect();
});

test('a server that is down is asked in stages too', async () => {
  const {server, session, clock} = await running();
  let down = true;
  server.on(STATUS, () => {
    if (down) throw new TypeError('fetch failed');
    return Response.json(status(true));
  });
  await lose(server);
  await clock.pass(STAGES[0] + STAGES[1]);
  down = false;
  server.streams(STREAM);
  await clock.pass(STAGES[2]);
  assert.equal(session.connection.phase, 'open');
  session.disconnect();
});

test('a run that always breaks is given up, though its server calls it active', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(true));
  await lose(server);
  await clock.pass(20 * ALL_STAGES);
  assert.equal(session.connection.phase, 'lost');
  assert.equal(server.of(STATUS).length, STAGES.length);
  session.disconnect();
});

test('a run that comes further between two breaks has all stages again', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(true));
  for (let seq = 2; seq < 12; seq++) {
    await lose(server);
    server.streams(STREAM);
    await clock.pass(STAGES[0]);
    await server.write(STREAM, token('r1', seq, '.'));
  }
  assert.deepEqual([session.connection.phase, answers(session)], ['open', ['One..........']]);
  session.disconnect();
});

for (const code of [401, 403]) {
  test(`${code} is a state at once, with a way out`, async () => {
    const {server, session, clock} = await running();
    await lose(server, code);
    await clock.pass(10 * ALL_STAGES);
    assert.deepEqual([session.connection.phase, server.of(STATUS).length], ['lost', 0]);
    server.streams(STREAM);
    session.connect();
    await settled();
    assert.equal(session.connection.phase, 'open');
    session.disconnect();
  });
}

test('a reader who asks need not wait for the next stage', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(false));
  await lose(server);
  server.streams(STREAM);
  session.connect();
  await settled();
  assert.equal(session.connection.phase, 'open');
  await clock.pass(10_000);
  assert.equal(server.of(STATUS).length, 0);
  session.disconnect();
});

test('a hidden or offline page decides nothing', async () => {
  const document = Object.assign(new EventTarget(), {visibilityState: 'visible'});
  const navigator = {onLine: true};
  const page = {document, window: new EventTarget(), navigator};
  const {server, session, clock} = await running({page});
  server.on(STATUS, status(false));
  await lose(server);
  document.visibilityState = 'hidden';
  await clock.pass(20 * ALL_STAGES);
  assert.deepEqual([server.of(STATUS).length, session.connection.phase], [0, 'waiting']);
  document.visibilityState = 'visible';
  navigator.onLine = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await clock.pass(20 * ALL_STAGES);
  assert.equal(server.of(STATUS).length, 0);
  navigator.onLine = true;
  page.window.dispatchEvent(new Event('online'));
  await clock.pass(ALL_STAGES);
  assert.equal(server.of(STATUS).length, STAGES.length);
  session.disconnect();
});

test('leaving ends the looking', async () => {
  const {server, session, clock} = await running();
  server.on(STATUS, status(false));
  await lose(server);
  session.disconnect();
  await clock.pass(10 * ALL_STAGES);
  assert.deepEqual([server.of(STATUS).length, clock.waiting], [0, 0]);
});
