/** A session on a page that is hidden: an idle one gives its connection back, and has lost nothing when it is seen. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import type {SessionSource} from '../../../src/session/index.js';
import {FakePage} from '../transport/fake-page.js';
import {settled} from '../transport/manual-clock.js';
import {HandBody, stream} from '../transport/scripted-fetch.js';
import {answers, FakeServer, frame, openSession} from './fake-server.js';
import {done, exchange, settledSession, SOURCE, STREAM, token, WATCH, webui} from './webui.js';

const GATEWAY: SessionSource = {base: '/api', sessionId: 's1'};
const EVENTS = '/api/sessions/s1/events';

/** A gateway with a journal: a stream brings what follows its cursor, then what is added. */
class Gateway extends FakeServer {
  readonly #journal: {readonly id: string; readonly text: string}[] = [];

  constructor() {
    super();
    this.on('/api/sessions/s1', {
      transcript: {format: 'hermes.transcript.v1', session: {id: 's1', aliases: [], notices: []}, turns: []},
      cursor: null,
      activeRunId: null,
      pendingPermissions: [],
    }).on(EVENTS, ({headers}) => {
      const body = new HandBody();
      this.bodies.push({path: EVENTS, body});
      const after = this.#journal.findIndex(({id}) => id === headers.get('last-event-id'));
      for (const {text} of this.#journal.slice(after + 1)) body.write(text);
      return stream(body.stream);
    });
  }

  /** How many streams are open. */
  get open(): number {
    return this.of(EVENTS).filter(({signal}) => !signal!.aborted).length;
  }

  async add(run: string, seq: number, event: string, more: object = {}) {
    const id = `${run}:${seq}`;
    const text = frame(null, {event, run_id: run, seq, session_id: 's1', timestamp: 1, ...more}, id);
    this.#journal.push({id, text});
    if (this.open > 0) this.body(EVENTS).write(text);
    await settled();
  }

  /** A run, frame by frame. */
  run(id: string, pieces = 2): (() => Promise<void>)[] {
    return [
      () => this.add(id, 1, 'run.started', {turn_id: id, prompt: `Ask ${id}`}),
      ...Array.from(
        {length: pieces},
        (_, n) => () => this.add(id, n + 2, 'message.delta', {delta: `${id}.${n} `}),
      ),
      () => this.add(id, pieces + 2, 'run.completed', {stop_reason: 'end_turn'}),
    ];
  }
}

async function openHere() {
  const server = new Gateway();
  const page = new FakePage();
  const {session, clock} = await openSession(server, GATEWAY, {page});
  /** Lets time pass; the server says each 15 s that it is there. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 15_000) {
      await clock.pass(Math.min(left, 15_000));
      if (server.open === 0) continue;
      server.body(EVENTS).write(':\n\n');
      await settled();
    }
  };
  /** What a reader would be told of the connection. */
  const errors = new Set<string>();
  session.subscribe(() => session.connection.error && errors.add(session.connection.error.code));
  return {server, page, session, clock, pass, errors};
}

test('an idle page that is hidden lets go, and what others asked meanwhile is there when it is seen', async () => {
  const {server, page, session, pass, errors} = await openHere();
  for (const step of server.run('r1')) await step();
  page.see('hidden');
  await pass(2_999);
  assert.equal(server.open, 1);
  await pass(1);
  assert.deepEqual([server.open, session.connection.phase], [0, 'paused']);
  for (const step of server.run('r2')) await step();
  await pass(3_600_000);
  assert.equal(server.of(EVENTS).length, 1, 'nothing is asked where nobody looks');
  page.see('visible');
  await settled();
  assert.equal(server.of(EVENTS)[1]?.headers.get('last-event-id'), 'r1:4');
  assert.deepEqual([answers(session), server.open], [['r1.0 r1.1 ', 'r2.0 r2.1 '], 1]);
  assert.deepEqual([...errors], []);
  session.disconnect();
});

test('a session in which nothing was said yet is let go too', async () => {
  const {server, page, session, pass} = await openHere();
  page.see('hidden');
  await pass(3_000);
  assert.equal(server.open, 0);
  const [start, ...rest] = server.run('r1');
  await start!();
  page.see('visible');
  for (const step of rest) await step();
  assert.deepEqual(answers(session), ['r1.0 r1.1 ']);
  session.disconnect();
});

test('a hidden page hears how its run ends, and lets go then', async () => {
  const {server, page, session, pass} = await openHere();
  const [start, first, second, end] = server.run('r1');
  await start!();
  await first!();
  page.see('hidden');
  await pass(290_000);
  await second!();
  await end!();
  assert.deepEqual([session.transcript.turns[0]?.status, server.open], ['settled', 1]);
  await pass(3_000);
  assert.equal(server.open, 0);
  session.disconnect();
});

test('a run that goes on for long on a hidden page is let go after five minutes', async () => {
  const {server, page, session, pass} = await openHere();
  const [start, ...rest] = server.run('r1');
  await start!();
  page.see('hidden');
  await pass(299_999);
  assert.equal(server.open, 1);
  await pass(1);
  assert.equal(server.open, 0);
  for (const step of rest) await step();
  page.see('visible');
  await settled();
  assert.deepEqual(answers(session), ['r1.0 r1.1 ']);
  session.disconnect();
});

test('a run that a hidden page itself begins is followed', async () => {
  const {server, page, session, pass} = await openHere();
  page.see('hidden');
  await pass(600_000);
  assert.equal(server.open, 0);
  session.begin({runId: 'r1', prompt: 'Ask r1'});
  for (const step of server.run('r1')) await step();
  assert.deepEqual([answers(session), session.transcript.turns[0]?.status], [['r1.0 r1.1 '], 'settled']);
  await pass(3_000);
  assert.equal(server.open, 0);
  session.disconnect();
});

test('hidden and seen at any moment, for any time, nothing is lost and nothing comes twice', async () => {
  const moments = fc.array(
    fc.constantFrom<'hidden' | 'visible' | 'frame' | number>(
      'hidden',
      'visible',
      'frame',
      1_000,
      5_000,
      301_000,
    ),
    {maxLength: 30},
  );
  await fc.assert(
    fc.asyncProperty(moments, async (plan) => {
      const {server, page, session, clock, pass, errors} = await openHere();
      const frames = ['r1', 'r2', 'r3'].flatMap((id) => server.run(id));
      for (const moment of plan) {
        if (moment === 'frame') await frames.shift()?.();
        else if (typeof moment === 'number') await pass(moment);
        else page.see(moment);
        await settled();
        assert.ok(server.open <= 1);
      }
      page.see('visible');
      for (const step of frames) await step();
      assert.deepEqual(answers(session), ['r1.0 r1.1 ', 'r2.0 r2.1 ', 'r3.0 r3.1 ']);
      assert.deepEqual([...errors], []);
      session.disconnect();
      assert.equal(clock.waiting, 0);
    }),
    {numRuns: 40},
  );
});

test('Hermes WebUI: the channel between runs is let go, and says what came meanwhile', async () => {
  const server = webui();
  const page = new FakePage();
  const {session, clock} = await openSession(server, SOURCE, {page});
  page.see('hidden');
  await clock.pass(3_000);
  assert.equal(server.of(WATCH)[0]?.signal?.aborted, true);
  server
    .on('/api/session', settledSession([...exchange(1, 'Hi', 'Ho'), ...exchange(2, 'And?', 'So.')]))
    .on('/api/session/status', {message_count: 4, active_stream_id: null});
  page.see('visible');
  await settled();
  assert.deepEqual([answers(session), server.of(WATCH).length], [['Ho', 'So.'], 2]);

  // A run is read to its end, and what follows it is let go again.
  session.begin({runId: 'r1', prompt: 'Go on', startedAtSeconds: 80});
  await settled();
  page.see('hidden');
  await clock.pass(20_000);
  await server.write(STREAM, token('r1', 1, 'Going.'), done('r1', 2));
  assert.deepEqual(answers(session), ['Ho', 'So.', 'Going.']);
  assert.equal(server.of(WATCH).at(-1)?.signal?.aborted, false);
  await clock.pass(3_000);
  assert.equal(server.of(WATCH).at(-1)?.signal?.aborted, true);
  session.disconnect();
});
