import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Session, SessionSource} from '../../../src/session/index.js';
import {STAGES} from '../../../src/session/stages.js';
import type {ManualClock} from '../transport/manual-clock.js';
import {settled} from '../transport/manual-clock.js';
import {FakeServer, frame, json, openSession, type Handler} from './fake-server.js';
import {pendingSession, SESSION, SOURCE as WEBUI, STREAM, webui} from './webui.js';

const ALL_STAGES = STAGES.reduce((sum, ms) => sum + ms, 0);
/** Silence alone cuts no stream here. */
const QUIET = {longestSilence: 1e9};
const down: Handler = () => json({}, 503);

/** A server whose run asks for one approval, and whose word on it can be had or not. */
interface Place {
  readonly server: FakeServer;
  readonly session: Session;
  readonly clock: ManualClock;
  /** The id of the control that is asked. */
  readonly id: string;
  /** Answers the question what is pending. */
  says(handler: Handler | 'it is pending'): void;
  /** How often that was asked. */
  readonly asked: () => number;
  /** The frame that asks. */
  ask(): Promise<void>;
  answered(): Promise<void>;
  cut(): void;
}

async function gateway(): Promise<Place> {
  const source: SessionSource = {base: '/api', sessionId: 's1'};
  const [history, events] = ['/api/sessions/s1', '/api/sessions/s1/events'];
  const state = (pendingPermissions: string[]) => ({
    ...{transcript: null, cursor: null, activeRunId: null},
    pendingPermissions,
  });
  const run = (seq: number, event: string, more: object) =>
    frame(null, {event, run_id: 'r1', seq, session_id: 's1', timestamp: 1, ...more}, `r1:${seq}`);
  const server = new FakeServer().on(history, state([])).streams(events);
  const {session, clock} = await openSession(server, source, QUIET);
  const before = server.of(history).length;
  return {
    ...{server, session, clock, id: 'p1'},
    says: (handler) => void server.on(history, handler === 'it is pending' ? state(['p1']) : handler),
    asked: () => server.of(history).length - before,
    ask: () =>
      server.write(
        events,
        run(1, 'permission.requested', {
          permission_id: 'p1',
          title: 'Edit',
          options: [{id: 'yes', name: 'Yes'}],
        }),
      ),
    answered: () =>
      server.write(
        events,
        run(2, 'permission.resolved', {permission_id: 'p1', outcome: 'selected', option_id: 'yes'}),
      ),
    cut: () => server.body(events).cut(),
  };
}

async function hermesWebui(): Promise<Place> {
  const approval = {command: 'rm -r build', description: 'deletes', approval_id: 'a1', pending_count: 1};
  const server = webui().on(SESSION, pendingSession('r1'));
  const {session, clock} = await openSession(server, WEBUI, QUIET);
  const path = '/api/approval/pending';
  const before = server.of(path).length;
  return {
    ...{server, session, clock, id: 'a1'},
    says: (handler) =>
      void server.on(path, handler === 'it is pending' ? {pending: approval, pending_count: 1} : handler),
    asked: () => server.of(path).length - before,
    ask: () => server.write(STREAM, frame('approval', approval, 'r1:1')),
    answered: () => server.write(STREAM, frame('token', {text: 'Done.'}, 'r1:2')),
    cut: () => server.body(STREAM).cut(),
  };
}

for (const open of [gateway, hermesWebui]) {
  test(`${open.name}: a look that failed once is taken again, and then it can be answered`, async () => {
    const place = await open();
    const {session, clock} = place;
    place.says(down);
    await place.ask();
    assert.deepEqual([place.asked(), session.pendingControls.size], [1, 0]);
    assert.equal(session.pendingLook?.phase, 'failed');
    assert.match(session.pendingLook.message, /^[A-Z].*\.$/);
    place.says('it is pending');
    await clock.pass(STAGES[0] - 1);
    assert.equal(place.asked(), 1);
    await clock.pass(1);
    assert.deepEqual(
      [[...session.pendingControls], session.pendingLook, place.asked()],
      [[place.id], null, 2],
    );
    await clock.pass(10 * ALL_STAGES);
    assert.equal(place.asked(), 2, 'what is known is not asked again');
    session.disconnect();
  });

  test(`${open.name}: after all stages it is left to the reader, whose wish asks again`, async () => {
    const place = await open();
    const {session, clock} = place;
    place.says(down);
    await place.ask();
    await clock.pass(10 * ALL_STAGES);
    assert.equal(place.asked(), 1 + STAGES.length);
    let told = 0;
    session.subscribe(() => told++);
    place.says('it is pending');
    session.connect();
    assert.deepEqual([session.pendingLook, told], [{phase: 'asking', message: null}, 1]);
    await settled();
    assert.deepEqual([[...session.pendingControls], session.pendingLook], [[place.id], null]);
    session.disconnect();
  });

  for (const status of [401, 403, 404]) {
    test(`${open.name}: ${status} is asked once, and again only when the reader wants it`, async () => {
      const place = await open();
      const {session, clock} = place;
      place.says(() => json({}, status));
      await place.ask();
      await clock.pass(10 * ALL_STAGES);
      assert.deepEqual([place.asked(), session.pendingLook?.phase], [1, 'failed']);
      session.connect();
      await clock.pass(10 * ALL_STAGES);
      assert.equal(place.asked(), 2);
      session.disconnect();
    });
  }

  test(`${open.name}: a stream that is open again after a break has it asked again`, async () => {
    const place = await open();
    const {session, clock} = place;
    place.says(() => json({}, 403));
    await place.ask();
    assert.equal(place.asked(), 1);
    place.says('it is pending');
    place.cut();
    await clock.pass(10_000);
    assert.deepEqual([session.connection.phase, [...session.pendingControls]], ['open', [place.id]]);
    session.disconnect();
  });

  test(`${open.name}: a server that never answers is a look that failed`, async () => {
    const place = await open();
    const {session, clock} = place;
    place.says(() => new Promise<Response>(() => {}));
    await place.ask();
    assert.equal(session.pendingLook?.phase, 'asking');
    await clock.pass(20_000);
    assert.deepEqual([session.pendingLook?.phase, place.asked()], ['failed', 1]);
    place.says('it is pending');
    await clock.pass(STAGES[0]);
    assert.deepEqual([...session.pendingControls], [place.id]);
    session.disconnect();
  });

  test(`${open.name}: nobody asks once nothing is asked of the reader, or the session is closed`, async () => {
    const place = await open();
    const {session, clock} = place;
    place.says(down);
    await place.ask();
    await place.answered();
    await clock.pass(STAGES[0]);
    assert.equal(place.asked(), 1);
    session.disconnect();

    const other = await open();
    other.says(down);
    await other.ask();
    other.session.disconnect();
    assert.equal(other.session.pendingLook, null);
    await other.clock.pass(10 * ALL_STAGES);
    assert.deepEqual([other.asked(), other.clock.waiting], [1, 0]);
  });
}

test('one of two questions that fails takes nothing from the other', async () => {
  const place = await hermesWebui();
  const {server, session, clock} = place;
  place.says('it is pending');
  server.on('/api/clarify/pending', () => json({}, 500));
  await place.ask();
  assert.deepEqual([[...session.pendingControls], session.pendingLook?.phase], [['a1'], 'failed']);
  server.on('/api/clarify/pending', {pending: null, pending_count: 0});
  await clock.pass(STAGES[0]);
  assert.deepEqual([[...session.pendingControls], session.pendingLook], [['a1'], null]);
  session.disconnect();
});

test('a look that is answered after the connection is another changes nothing', async () => {
  const place = await gateway();
  const {session} = place;
  let answer!: (response: Response) => void;
  place.says(() => new Promise<Response>((resolve) => (answer = resolve)));
  await place.ask();
  session.disconnect();
  answer(json({pendingPermissions: ['p1']}));
  await settled();
  assert.deepEqual([session.pendingControls.size, session.pendingLook], [0, null]);
});

test('ids of another kind than texts are not taken for controls', async () => {
  for (const pendingPermissions of [null, 7, 'p1', [7, null, 'p1'], {p1: true}]) {
    const place = await gateway();
    place.says(() => json({transcript: null, pendingPermissions}));
    await place.ask();
    const wanted = Array.isArray(pendingPermissions) ? ['p1'] : [];
    assert.deepEqual([[...place.session.pendingControls], place.session.pendingLook], [wanted, null]);
    place.session.disconnect();
  }
});
