import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Session} from '../../../src/session/index.js';
import {cacheOf, RecoveryCache} from '../../../src/session/recovery-cache.js';
import {FakePage} from '../transport/fake-page.js';
import {ManualClock, settled} from '../transport/manual-clock.js';
import {answers, json, MemoryStorage, openSession} from './fake-server.js';
import {
  done,
  exchange,
  pendingSession,
  SESSION,
  settledSession,
  SOURCE,
  STREAM,
  token,
  webui,
} from './webui.js';

const KEY = 'hermes-elements: s1';

/** A session that was left in the middle of a run, and what it kept. */
async function left() {
  const storage = new MemoryStorage();
  const page = new FakePage();
  const server = webui().on(SESSION, pendingSession('r1', exchange(1, 'Hi', 'Ho')));
  const {session} = await openSession(server, SOURCE, {storage, page});
  await server.write(STREAM, token('r1', 1, 'Half'), token('r1', 2, ' of it'));
  page.hide();
  session.disconnect();
  return {storage, page};
}

test('a page that goes keeps what it showed, and the next load paints it first', async () => {
  const {storage, page} = await left();
  assert.deepEqual([...storage.items.keys()], [KEY]);
  let answer!: (response: Response) => void;
  const server = webui().on(SESSION, () => new Promise<Response>((resolve) => (answer = resolve)));
  const {session} = await openSession(server, SOURCE, {storage, page});
  assert.deepEqual(answers(session), ['Ho', 'Half of it']);
  answer(json(pendingSession('r1', exchange(1, 'Hi', 'Ho'))));
  await settled();
  const [stream] = server.of(STREAM);
  assert.deepEqual([stream?.headers.get('last-event-id'), stream?.query.get('replay')], ['r1:2', null]);
  await server.write(STREAM, token('r1', 3, ', then all.'), done('r1', 4));
  assert.deepEqual(answers(session), ['Ho', 'Half of it, then all.']);
  assert.deepEqual(
    session.transcript.turns.map(({prompt, terminal}) => [prompt, terminal]),
    [
      ['Hi', 'completed'],
      ['Go on', 'completed'],
    ],
  );
  session.disconnect();
});

test('a reload in the middle of a turn ends in the transcript of an undisturbed one', async () => {
  const rest = [token('r1', 3, ', then all.'), done('r1', 4)];
  const undisturbed = webui().on(SESSION, pendingSession('r1', exchange(1, 'Hi', 'Ho')));
  const whole = await openSession(undisturbed, SOURCE);
  await undisturbed.write(STREAM, token('r1', 1, 'Half'), token('r1', 2, ' of it'), ...rest);

  const {storage, page} = await left();
  const server = webui().on(SESSION, pendingSession('r1', exchange(1, 'Hi', 'Ho')));
  const again = await openSession(server, SOURCE, {storage, page});
  await server.write(STREAM, ...rest);
  const told = ({session}: {session: Session}) =>
    session.snapshot.turns.map(({stats: _stats, ...turn}) => turn);
  assert.deepEqual(told(again), told(whole));
  again.session.disconnect();
  whole.session.disconnect();
});

test('what the server says replaces what was kept', async () => {
  const {storage, page} = await left();
  const server = webui().on(
    SESSION,
    settledSession([...exchange(1, 'Hi', 'Ho'), ...exchange(50.25, 'Go on', 'All.')]),
  );
  const {session} = await openSession(server, SOURCE, {storage, page});
  assert.deepEqual(answers(session), ['Ho', 'All.']);
  session.disconnect();
});

for (const status of [401, 403, 404]) {
  test(`${status} clears what was kept, and what was painted from it`, async () => {
    const {storage, page} = await left();
    const server = webui().on(SESSION, () => json({}, status));
    const {session} = await openSession(server, SOURCE, {storage, page});
    assert.deepEqual([storage.items.size, answers(session)], [0, []]);
    assert.equal(session.problem?.code, 'history');
    session.disconnect();
  });
}

test('a server that is down leaves the copy on the screen', async () => {
  const {storage, page} = await left();
  const server = webui().on(SESSION, () => json({}, 503));
  const {session} = await openSession(server, SOURCE, {storage, page});
  assert.deepEqual([storage.items.size, answers(session)], [1, ['Ho', 'Half of it']]);
  page.hide();
  assert.equal(storage.items.size, 1);
  session.disconnect();
});

test('a settled turn is kept a second later, once', async () => {
  const storage = new MemoryStorage();
  const server = webui();
  const {session, clock} = await openSession(server, SOURCE, {storage});
  assert.equal(storage.items.size, 0);
  await clock.pass(1000);
  assert.equal(storage.items.size, 1);
  storage.items.clear();
  await clock.pass(100_000);
  assert.equal(storage.items.size, 0);
  session.disconnect();
});

test('nothing is kept with cache="none", without a session, or where there is no storage', () => {
  const storage = new MemoryStorage();
  assert.ok(cacheOf(SOURCE, storage));
  assert.equal(cacheOf({...SOURCE, cache: 'none'}, storage), null);
  assert.equal(cacheOf({src: '/events/r1'}, storage), null);
  assert.equal(cacheOf({base: ''}, storage), null);
  assert.equal(cacheOf(SOURCE, null), null);
  assert.equal(cacheOf(SOURCE), null);
});

test('an opaque origin and a storage that throws keep nothing', () => {
  const globals = globalThis as Record<string, unknown>;
  const before = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
  Object.assign(globals, {document: {baseURI: 'https://a.example/'}, origin: 'null'});
  Object.defineProperty(globalThis, 'sessionStorage', {configurable: true, value: new MemoryStorage()});
  try {
    assert.equal(cacheOf(SOURCE), null);
    globals.origin = 'https://a.example';
    assert.ok(cacheOf(SOURCE));
    Object.defineProperty(globalThis, 'sessionStorage', {
      configurable: true,
      get() {
        throw new DOMException('no', 'SecurityError');
      },
    });
    assert.equal(cacheOf(SOURCE), null);
  } finally {
    for (const name of ['document', 'origin', 'sessionStorage']) Reflect.deleteProperty(globals, name);
    if (before) Object.defineProperty(globalThis, 'sessionStorage', before);
  }
});

test('a copy of more than 1 MiB loses its oldest turns, and one that still does not fit is none', () => {
  const storage = new MemoryStorage();
  const cache = new RecoveryCache(storage, 'k');
  const {snapshot} = new Session({clock: new ManualClock()});
  const turn = (id: string, length: number) => ({id, answer: 'x'.repeat(length)}) as never;
  cache.write({...snapshot, turns: [1, 2, 3, 4].map((n) => turn(`r${n}`, 200_000))});
  assert.ok(storage.items.get('k')!.length <= 524_288);
  assert.deepEqual(
    (cache.read() as typeof snapshot).turns.map(({id}) => id),
    ['r3', 'r4'],
  );
  cache.write({...snapshot, turns: [turn('r5', 600_000)]});
  assert.equal(cache.read(), null);
});

test('a full storage and a copy nobody can read are no copy', async () => {
  const storage = new MemoryStorage();
  const cache = new RecoveryCache(storage, KEY);
  storage.items.set(KEY, '{"half');
  assert.equal(cache.read(), null);
  storage.full = true;
  cache.write(new Session().snapshot);
  assert.equal(storage.items.size, 0);
  storage.items.set(KEY, '{"format":"hermes.transcript.v9"}');
  const {session} = await openSession(webui(), SOURCE, {storage});
  assert.deepEqual(answers(session), ['Ho']);
  assert.equal(session.problem, null);
  session.disconnect();
});
