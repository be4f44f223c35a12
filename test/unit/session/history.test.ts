/** The settled session over a network that fails for a moment, or says nothing: asked for again, and for how long. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LONGEST_SILENCE} from '../../../src/transport/watchdog.js';
import {FakePage} from '../transport/fake-page.js';
import {settled} from '../transport/manual-clock.js';
import {answers, FakeServer, json, openSession} from './fake-server.js';

const history = {
  session: {
    session_id: 's1',
    messages: [
      {role: 'user', content: 'Go.'},
      {role: 'assistant', content: 'Done.'},
    ],
  },
};
const sources = [{history: '/api/session'}, {history: '/api/session', src: '/events/run_1'}];
const failed = () => json({}, 503);
const silent = () => new Promise<Response>(() => undefined);

for (const source of sources) {
  const with_ = source.src ? 'beside a stream' : 'alone';

  test(`a history ${with_} that failed for a moment is asked for again`, async () => {
    const server = new FakeServer().on('/api/session', failed).streams('/events/run_1');
    const {session, clock} = await openSession(server, source);
    assert.equal(session.problem?.code, 'history');
    await clock.pass(1000);
    assert.equal(server.of('/api/session').length, 1);
    server.on('/api/session', history);
    await clock.pass(1000);
    assert.equal(server.of('/api/session').length, 2);
    assert.deepEqual([answers(session)[0], session.problem], ['Done.', null]);
    await clock.pass(600_000);
    assert.equal(server.of('/api/session').length, 2);
  });
}

test('it is asked for a few times, ever later, then no more until the reader wants it', async () => {
  const server = new FakeServer().on('/api/session', failed);
  const {session, clock} = await openSession(server, {history: '/api/session'});
  await clock.pass(600_000);
  const count = server.of('/api/session').length;
  assert.ok(count > 3 && count < 10, `${count} requests`);
  await clock.pass(600_000);
  assert.equal(server.of('/api/session').length, count);
  server.on('/api/session', history);
  session.connect();
  await settled();
  assert.deepEqual([answers(session), session.problem], [['Done.'], null]);
});

test('a refusal is not asked for again', async () => {
  const server = new FakeServer().on('/api/session', () => json({}, 403));
  const {clock} = await openSession(server, {history: '/api/session'});
  await clock.pass(600_000);
  assert.equal(server.of('/api/session').length, 1);
});

test('a page that is online, or seen, again asks at once, also after the last try', async () => {
  const page = new FakePage();
  const server = new FakeServer().on('/api/session', failed);
  const {session, clock} = await openSession(server, {history: '/api/session'}, {page});
  page.window.dispatchEvent(new Event('online'));
  await settled();
  assert.equal(server.of('/api/session').length, 2);
  await clock.pass(600_000);
  const count = server.of('/api/session').length;
  server.on('/api/session', history);
  page.document.dispatchEvent(new Event('visibilitychange'));
  await settled();
  assert.equal(server.of('/api/session').length, count + 1);
  assert.deepEqual(answers(session), ['Done.']);
  page.window.dispatchEvent(new Event('online'));
  await clock.pass(600_000);
  assert.equal(server.of('/api/session').length, count + 1);
});

test('a history that does not come is a problem after a while, and is asked for again', async () => {
  const server = new FakeServer().on('/api/session', silent);
  const {session, clock} = await openSession(server, {history: '/api/session'});
  await clock.pass(LONGEST_SILENCE - 1);
  assert.deepEqual([session.isLoading, session.problem], [true, null]);
  await clock.pass(1);
  assert.deepEqual([session.isLoading, session.problem?.code], [false, 'history']);
  assert.match(session.problem!.message, /did not answer in time\. .*retry/);
  assert.equal(server.asked[0]!.signal!.aborted, true);
  server.on('/api/session', history);
  await clock.pass(2000);
  assert.deepEqual([answers(session), session.problem, session.isLoading], [['Done.'], null, false]);
  assert.equal(clock.waiting, 0);
});

test('what is being loaded is let go of with the connection', async () => {
  const server = new FakeServer().on('/api/session', silent);
  const {session, clock} = await openSession(server, {history: '/api/session'});
  session.disconnect();
  await settled();
  assert.deepEqual([session.isLoading, session.problem, clock.waiting], [false, null, 0]);
});
