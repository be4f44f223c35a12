/** A gateway's session that is loaded in parts: the same as one that is loaded whole, once all parts are here. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {settled} from '../transport/manual-clock.js';
import {answers, FakeServer, frame, json, MemoryStorage, openSession} from './fake-server.js';

const SOURCE = {base: '/api', sessionId: 's1'};
const HISTORY = '/api/sessions/s1';
const EVENTS = '/api/sessions/s1/events';

const turn = (number: number) => ({
  id: `t${number}`,
  runIds: [`r${number}`],
  prompt: `Q${number}`,
  answer: `A${number}`,
  status: 'settled',
  terminal: 'completed',
  evidence: 'settled',
});

/** A gateway with so many turns, which may become more. */
function gateway(count: number) {
  const turns = Array.from({length: count}, (_, number) => turn(number));
  const server = new FakeServer().streams(EVENTS).on(HISTORY, ({query}) => {
    const asked = (name: string, other: number) => Number(query.get(name) ?? other);
    const end = Math.min(turns.length, asked('turn_before', Infinity));
    const earlier = Math.max(asked('turn_from', 0), end - asked('turn_limit', Infinity));
    return json({
      transcript: {
        format: 'hermes.transcript.v1',
        session: {id: 's1', aliases: [], notices: []},
        turns: turns.slice(earlier, end),
      },
      earlier,
      cursor: 'r9:9',
      activeRunId: null,
      pendingPermissions: [],
    });
  });
  return {server, turns};
}

const asked = (server: FakeServer) => server.of(HISTORY).map(({query}) => String(query));
const names = (from: number, to: number) => Array.from({length: to - from}, (_, n) => `A${from + n}`);

test('the last ones come first, the others in front of them, in order', async () => {
  const {server} = gateway(7);
  const {session} = await openSession(server, {...SOURCE, pageSize: 3});
  assert.deepEqual([answers(session), session.hasEarlier], [names(4, 7), true]);
  const [, known] = session.transcript.turns;
  assert.equal(await session.loadEarlier(), true);
  assert.deepEqual([answers(session), session.hasEarlier], [names(1, 7), true]);
  assert.equal(session.transcript.turns[4], known, 'what was there is what it was');
  assert.equal(await session.loadEarlier(), true);
  assert.deepEqual([answers(session), session.hasEarlier], [names(0, 7), false]);
  assert.equal(await session.loadEarlier(), false);
  assert.deepEqual(asked(server), [
    'turn_limit=3',
    'turn_limit=3&turn_before=4',
    'turn_limit=3&turn_before=1',
  ]);
  const whole = await openSession(server, SOURCE);
  assert.deepEqual(session.snapshot, whole.session.snapshot);
  for (const each of [session, whole.session]) each.disconnect();
});

test('what goes on meanwhile stands behind what comes in front', async () => {
  const {server} = gateway(4);
  const {session} = await openSession(server, {...SOURCE, pageSize: 1});
  const data = (seq: number, event: string, more: object) =>
    frame(null, {event, run_id: 'r8', seq, session_id: 's1', timestamp: 1, ...more}, `r8:${seq}`);
  await server.write(
    EVENTS,
    data(1, 'run.started', {turn_id: 't8', prompt: 'Q8'}),
    data(2, 'message.delta', {delta: 'A8'}),
  );
  await session.loadEarlier();
  assert.deepEqual(answers(session), ['A2', 'A3', 'A8']);
  assert.equal(session.transcript.turns[2]!.status, 'running');
  session.disconnect();
});

test('who asks while it is asked for gets the same', async () => {
  const {server} = gateway(4);
  const {session} = await openSession(server, {...SOURCE, pageSize: 1});
  assert.deepEqual(await Promise.all([session.loadEarlier(), session.loadEarlier()]), [true, true]);
  assert.deepEqual([answers(session), server.of(HISTORY).length], [names(2, 4), 2]);
  session.disconnect();
});

test('loaded again, it is asked for all from the first one known on: more than a page may have come', async () => {
  const {server, turns} = gateway(4);
  const {session} = await openSession(server, {...SOURCE, pageSize: 2});
  turns.push(...[4, 5, 6, 7].map(turn));
  session.disconnect();
  session.connect();
  await settled();
  assert.deepEqual(answers(session), names(2, 8));
  assert.deepEqual(asked(server), ['turn_limit=2', 'turn_from=2']);
  assert.equal(session.hasEarlier, true);
  session.disconnect();
});

test('so it is where all was known, and in a session that began empty: no turn is missed, and none stands elsewhere', async () => {
  for (const known of [0, 2]) {
    const {server, turns} = gateway(known);
    const {session} = await openSession(server, {...SOURCE, pageSize: 3});
    if (known === 0)
      await server.write(
        EVENTS,
        frame(
          null,
          {event: 'run.started', run_id: 'r0', seq: 1, session_id: 's1', turn_id: 't0', prompt: 'Q0'},
          'r0:1',
        ),
        frame(null, {event: 'run.completed', run_id: 'r0', seq: 2, session_id: 's1', output: 'A0'}, 'r0:2'),
      );
    session.disconnect();
    while (turns.length < 8) turns.push(turn(turns.length));
    session.connect();
    await settled();
    assert.deepEqual([answers(session), session.hasEarlier], [names(0, 8), false], `${known} known`);
    session.disconnect();
  }
});

test('sizes that are none load all, and half a turn is none', async () => {
  for (const [pageSize, query] of [
    [-1, ''],
    [0, ''],
    [Number.NaN, ''],
    [Infinity, ''],
    [2.5, 'turn_limit=2'],
  ] as const) {
    const {server} = gateway(3);
    const {session} = await openSession(server, {...SOURCE, pageSize});
    assert.deepEqual(asked(server), [query], String(pageSize));
    session.disconnect();
  }
});

test('an address with a limit of its own is loaded in parts too', async () => {
  const {server} = gateway(3);
  const {session} = await openSession(server, {history: `${HISTORY}?turn_limit=2`});
  assert.deepEqual([answers(session), session.hasEarlier], [names(1, 3), true]);
  assert.equal(await session.loadEarlier(), true);
  assert.deepEqual([answers(session), session.hasEarlier], [names(0, 3), false]);
  session.disconnect();
});

test('a copy from an earlier visit yields to a part: what came between is not known', async () => {
  const storage = new MemoryStorage();
  const before = gateway(3);
  const first = await openSession(before.server, SOURCE, {storage});
  await first.clock.pass(5000);
  first.session.disconnect();
  assert.equal(storage.items.size, 1);
  const after = gateway(9);
  const {session} = await openSession(after.server, {...SOURCE, pageSize: 2}, {storage});
  assert.deepEqual([answers(session), session.hasEarlier], [names(7, 9), true]);
  await session.loadEarlier();
  assert.deepEqual(answers(session), names(5, 9));
  session.disconnect();
});

test('a copy of the newest turns alone, or of a part, stands in order when the whole comes, and yields to it', async () => {
  const storage = new MemoryStorage();
  const {server, turns} = gateway(8);
  const part = await openSession(server, {...SOURCE, pageSize: 3}, {storage});
  await part.clock.pass(5000);
  part.session.disconnect();
  const {session, clock} = await openSession(server, SOURCE, {storage});
  assert.deepEqual(answers(session), names(0, 8));
  await clock.pass(5000);
  session.disconnect();
  turns.length = 1;
  const fewer = await openSession(server, SOURCE, {storage});
  assert.deepEqual(answers(fewer.session), ['A0']);
  fewer.session.disconnect();
});

test('what the agent waits for is asked without the turns', async () => {
  const {server} = gateway(3);
  const {session} = await openSession(server, SOURCE);
  const request = {permission_id: 'p1', title: 'Edit', options: [{id: 'yes', name: 'Yes'}]};
  await server.write(
    EVENTS,
    frame(
      null,
      {event: 'permission.requested', run_id: 'r8', seq: 1, session_id: 's1', timestamp: 1, ...request},
      'r8:1',
    ),
  );
  assert.deepEqual(asked(server), ['', 'turn_limit=0']);
  assert.deepEqual(answers(session).slice(0, 3), names(0, 3));
  session.disconnect();
});

test('a count that is none is no reason to ask for more', async () => {
  for (const earlier of [-4, 'many', null, Number.NaN]) {
    const {server} = gateway(2);
    const {session} = await openSession(server, {history: HISTORY});
    const settledOnes = {format: 'hermes.transcript.v1', session: {id: 's1'}, turns: [turn(1)]};
    server.on(HISTORY, {transcript: settledOnes, earlier});
    session.connect();
    await settled();
    assert.equal(session.hasEarlier, false, String(earlier));
    session.disconnect();
  }
});
