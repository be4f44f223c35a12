import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {Session, type SessionSource} from '../../../src/session/index.js';
import {settled} from '../transport/manual-clock.js';
import {FakeServer, frame, json, openSession, type Handler} from './fake-server.js';
import {
  exchange,
  pendingSession,
  SESSION,
  settledSession,
  SOURCE,
  STREAM,
  token,
  WATCH,
  webui,
} from './webui.js';

const fixtures = join(import.meta.dirname, '../../fixtures/hermes-webui-real');
const recorded = (name: string) => JSON.parse(readFileSync(join(fixtures, `${name}.json`), 'utf8')) as object;

/** What a wish is refused with. */
async function refusal(wish: Promise<unknown>): Promise<{code: string; message: string}> {
  const cause = await wish.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error as Error & {code: string},
  );
  assert.match(cause.message, /^[A-Z].*[.)]$/, 'a sentence');
  return {code: cause.code, message: cause.message};
}

const control = ({transcript}: Session, id: string) => {
  for (const {items} of transcript.turns)
    for (const item of items) if (item.control?.id === id) return item.control;
  return assert.fail(`no control ${id}`);
};

// Hermes WebUI.

const APPROVAL = {
  command: 'rm -rf build',
  description: 'recursive delete',
  approval_id: 'a1',
  pending_count: 1,
};
const CLARIFY = {
  question: 'Which?',
  choices_offered: ['red', 'green'],
  clarify_id: 'c1',
  kind: 'clarify',
  expires_at: 0,
};

/** A run that waits for an approval and a question, as the server lists them. */
async function asking() {
  const server = webui()
    .on(SESSION, pendingSession('r1'))
    .on('/api/approval/pending', {pending: APPROVAL, pending_count: 1})
    .on('/api/clarify/pending', {pending: CLARIFY, pending_count: 1});
  const opened = await openSession(server, {...SOURCE, headers: () => ({'x-hermes-csrf-token': 'csrf'})});
  await server.write(STREAM, frame('clarify', CLARIFY, 'r1:1'), frame('approval', APPROVAL, 'r1:2'));
  return {server, ...opened};
}

test('controls are pending only while the server names them', async () => {
  const {server, session} = await asking();
  assert.deepEqual([...session.pendingControls].sort(), ['a1', 'c1']);
  server.on('/api/approval/pending', {pending: null, pending_count: 0});
  await server.write(STREAM, frame('approval', {...APPROVAL, approval_id: 'a2'}, 'r1:3'));
  assert.deepEqual(
    [...session.pendingControls],
    ['c1'],
    'a replayed one the server does not list has no buttons',
  );
  session.disconnect();
  assert.equal(session.pendingControls.size, 0);
});

test('a server that cannot be asked has no buttons', async () => {
  const server = webui()
    .on(SESSION, pendingSession('r1'))
    .on('/api/approval/pending', () => json({}, 500));
  const {session} = await openSession(server, SOURCE);
  await server.write(STREAM, frame('approval', APPROVAL, 'r1:1'));
  assert.equal(session.pendingControls.size, 0);
  assert.equal(session.problem, null);
  session.disconnect();
});

test('an approval is answered by its own id, with the page’s headers, and the server’s word is shown', async () => {
  const {server, session} = await asking();
  server.on('/api/approval/respond', recorded('approval/respond'));
  assert.equal(control(session, 'a1').status, 'pending');
  await session.answer('a1', 'once');
  const [asked] = server.of('/api/approval/respond');
  assert.deepEqual(asked?.body, {session_id: 's1', choice: 'once', approval_id: 'a1'});
  assert.equal(asked?.headers.get('x-hermes-csrf-token'), 'csrf');
  assert.deepEqual([control(session, 'a1').status, control(session, 'a1').choice], ['answered', 'once']);
  session.disconnect();
});

test('nothing changes before the server has answered', async () => {
  const {server, session} = await asking();
  let answer!: (response: Response) => void;
  server.on('/api/approval/respond', () => new Promise<Response>((resolve) => (answer = resolve)));
  const wish = session.answer('a1', 'deny');
  await settled();
  assert.equal(control(session, 'a1').status, 'pending');
  answer(json({ok: true, choice: 'deny'}));
  await wish;
  assert.equal(control(session, 'a1').choice, 'deny');
  session.disconnect();
});

test('an approval that was answered before is stale', async () => {
  const {server, session} = await asking();
  server.on('/api/approval/respond', recorded('approval/respond-again'));
  assert.equal((await refusal(session.answer('a1', 'once'))).code, 'stale');
  assert.equal(control(session, 'a1').status, 'stale');
  session.disconnect();
});

test('ok:false keeps the approval open, and the server is asked what it waits for', async () => {
  const {server, session} = await asking();
  server.on('/api/approval/respond', {ok: false, choice: 'once'});
  const before = server.of('/api/approval/pending').length;
  assert.equal((await refusal(session.answer('a1', 'once'))).code, 'other-open');
  await settled();
  assert.equal(control(session, 'a1').status, 'pending');
  assert.equal(server.of('/api/approval/pending').length, before + 1);
  session.disconnect();
});

test('an agent behind the server that is away leaves the approval open', async () => {
  const {server, session} = await asking();
  server.on('/api/approval/respond', () => json({ok: false, code: 'gateway_run_unavailable'}, 409));
  assert.equal((await refusal(session.answer('a1', 'once'))).code, 'not-delivered');
  assert.equal(control(session, 'a1').status, 'pending');
  session.disconnect();
});

test('a question is answered in words; a 409 is final', async () => {
  const {server, session} = await asking();
  server.on('/api/clarify/respond', recorded('clarify/respond'));
  await session.answer('c1', 'something else');
  assert.deepEqual(server.of('/api/clarify/respond')[0]?.body, {
    session_id: 's1',
    response: 'something else',
    clarify_id: 'c1',
  });
  session.disconnect();

  const late = await asking();
  late.server.on('/api/clarify/respond', () => json(recorded('clarify/respond-again'), 409));
  await late.server.write(STREAM, frame('clarify', {...CLARIFY, clarify_id: 'c2'}, 'r1:3'));
  assert.equal((await refusal(late.session.answer('c2', 'red'))).code, 'stale');
  assert.equal(control(late.session, 'c2').status, 'stale');
  late.session.disconnect();
});

test('a question that is not shown cannot be answered', async () => {
  const {session} = await asking();
  assert.equal((await refusal(session.answer('nobody', 'x'))).code, 'stale');
  session.disconnect();
});

test('a message starts a turn, which is there before its first frame, and is read', async () => {
  const server = webui().on('/api/chat/start', recorded('plain/start'));
  const {session} = await openSession(server, SOURCE);
  await session.send('Say hello.', {model: 'm1'});
  await settled();
  const run = (recorded('plain/start') as {stream_id: string}).stream_id;
  assert.deepEqual(server.of('/api/chat/start')[0]?.body, {
    model: 'm1',
    session_id: 's1',
    message: 'Say hello.',
  });
  assert.deepEqual(session.transcript.turns.map(({prompt, status}) => [prompt, status]).at(-1), [
    'Say hello.',
    'created',
  ]);
  assert.equal(server.of(STREAM)[0]?.query.get('stream_id'), run);
  assert.equal(server.of(WATCH)[0]?.signal?.aborted, true);
  session.disconnect();
});

test('a busy server has its run shown, and says so', async () => {
  const server = webui().on('/api/chat/start', () => json({error: 'busy', active_stream_id: 'r9'}, 409));
  const {session} = await openSession(server, SOURCE);
  server.on(SESSION, pendingSession('r9', exchange(1, 'Hi', 'Ho')));
  assert.equal((await refusal(session.send('Me too'))).code, 'busy');
  assert.equal(server.of(STREAM)[0]?.query.get('stream_id'), 'r9');
  assert.equal(session.transcript.turns.at(-1)?.prompt, 'Go on');
  session.disconnect();
});

const startRefusals: readonly [fact: string, answer: Handler, code: string, words: RegExp][] = [
  [
    'silent message',
    () => json({status: 'suppressed', reason: 'silent_control_message'}),
    'no-run',
    /no turn/,
  ],
  ['compression', () => json({type: 'compression_recovery_required'}, 409), 'refused', /shortened/],
  ['stale agent', () => json({type: 'agent_runtime_stale', retryable: true}, 409), 'refused', /again/],
  [
    'unknown session',
    () => json(recorded('refusals/start-unknown-session'), 404),
    'not-found',
    /Session not found/,
  ],
  ['empty message', () => json(recorded('refusals/start-empty'), 400), 'refused', /message is required/],
  ['foreign origin', () => json(recorded('refusals/post-foreign-origin'), 403), 'forbidden', /CSRF/],
  ['no backend', () => json({error: 'no backend'}, 501), 'server-error', /no backend/],
];

for (const [fact, answer, code, words] of startRefusals) {
  test(`a message is refused with a sentence: ${fact}`, async () => {
    const server = webui().on('/api/chat/start', answer);
    const {session} = await openSession(server, SOURCE);
    const said = await refusal(session.send('Hello'));
    assert.equal(said.code, code);
    assert.match(said.message, words);
    assert.equal(session.transcript.turns.length, 1, 'no turn is left behind');
    session.disconnect();
  });
}

test('a stop is asked for by a GET, and the turn has stopped when its stream says so', async () => {
  const server = webui().on(SESSION, pendingSession('r1')).on('/api/chat/cancel', recorded('cancel/cancel'));
  const {session} = await openSession(server, SOURCE);
  await server.write(STREAM, token('r1', 1, 'Half'));
  await session.cancel();
  const [asked] = server.of('/api/chat/cancel');
  assert.deepEqual([asked?.method, asked?.query.get('stream_id')], ['GET', 'r1']);
  assert.equal(session.transcript.turns[0]?.terminal, null);
  await server.write(
    STREAM,
    frame('cancel', {message: 'Cancelled', type: 'cancelled', status: 'cancelled'}, 'r1:1'),
  );
  assert.equal(session.transcript.turns[0]?.terminal, 'cancelled');
  assert.equal((await refusal(session.cancel())).code, 'idle');
  session.disconnect();
});

test('a stop that comes too late is said, and the session looked at', async () => {
  const server = webui()
    .on(SESSION, pendingSession('r1'))
    .on('/api/chat/cancel', recorded('refusals/cancel-unknown'));
  const {session} = await openSession(server, SOURCE);
  server.on(SESSION, settledSession(exchange(50.25, 'Go on', 'Done.'), {updated_at: 60}));
  assert.equal((await refusal(session.cancel())).code, 'idle');
  await settled();
  assert.equal(session.transcript.turns[0]?.terminal, 'completed');
  session.disconnect();
});

test('a steer goes to the session; what was not passed on is said', async () => {
  const server = webui()
    .on(SESSION, pendingSession('r1'))
    .on('/api/chat/steer', recorded('steer-leftover/steer'));
  const {session} = await openSession(server, SOURCE);
  await session.steer('Shorter.');
  assert.deepEqual(server.of('/api/chat/steer')[0]?.body, {session_id: 's1', text: 'Shorter.'});
  for (const fallback of [
    'no_cached_agent',
    'agent_lacks_steer',
    'session_not_found',
    'not_running',
    'stream_dead',
    'steer_error',
    'newer',
  ]) {
    server.on('/api/chat/steer', {accepted: false, fallback, stream_id: null});
    assert.equal((await refusal(session.steer('x'))).code, 'not-delivered');
  }
  session.disconnect();
});

// Our gateway.

const GATEWAY: SessionSource = {base: '/api', sessionId: 's1'};
const EVENTS = '/api/sessions/s1/events';
const run = (seq: number, event: string, more: object = {}) =>
  frame(null, {event, run_id: 'r1', seq, session_id: 's1', timestamp: 1, ...more}, `r1:${seq}`);

async function gateway() {
  const server = new FakeServer()
    .on('/api/sessions/s1', {transcript: null, cursor: null, activeRunId: null, pendingPermissions: []})
    .on('/api/runs', {runId: 'r1', sessionId: 's1', turnId: 't1', events: '/api/events/r1'})
    .streams(EVENTS);
  return {server, ...(await openSession(server, GATEWAY))};
}

test('at the gateway a message, a permission and a stop go to their routes, and the stream tells', async () => {
  const {server, session} = await gateway();
  await session.send('Do it.', {pageContext: 'A page.'});
  assert.deepEqual(server.of('/api/runs')[0]?.body, {
    pageContext: 'A page.',
    sessionId: 's1',
    prompt: 'Do it.',
  });
  assert.deepEqual([session.transcript.turns[0]?.prompt, server.of(EVENTS).length], ['Do it.', 1]);
  server.on('/api/sessions/s1', {
    transcript: null,
    cursor: null,
    activeRunId: 'r1',
    pendingPermissions: ['p1'],
  });
  await server.write(
    EVENTS,
    run(1, 'run.started', {turn_id: 't1', prompt: 'Do it.'}),
    run(2, 'permission.requested', {permission_id: 'p1', title: 'Edit', options: [{id: 'yes', name: 'Yes'}]}),
  );
  assert.deepEqual([...session.pendingControls], ['p1']);
  server
    .on('/api/runs/r1/permissions/p1', {ok: true})
    .on('/api/runs/r1/abort', () => new Response(null, {status: 204}));
  await session.answer('p1', 'yes');
  assert.deepEqual(server.of('/api/runs/r1/permissions/p1')[0]?.body, {optionId: 'yes'});
  assert.equal(control(session, 'p1').status, 'pending', 'until the stream says so');
  await server.write(
    EVENTS,
    run(3, 'permission.resolved', {permission_id: 'p1', outcome: 'selected', option_id: 'yes', by: 'reader'}),
  );
  assert.deepEqual([control(session, 'p1').status, control(session, 'p1').choice], ['answered', 'yes']);
  await session.cancel();
  assert.equal(server.of('/api/runs/r1/abort')[0]?.method, 'POST');
  await server.write(EVENTS, run(4, 'run.cancelled'));
  assert.equal(session.transcript.turns[0]?.terminal, 'cancelled');
  session.disconnect();
});

test('the gateway’s refusals are sentences', async () => {
  const {server, session} = await gateway();
  await session.send('Do it.');
  await server.write(
    EVENTS,
    run(1, 'permission.requested', {permission_id: 'p1', title: 'Edit', options: []}),
  );
  server.on('/api/runs/r1/permissions/p1', () => json({error: 'answered', outcome: 'rejected'}, 409));
  const stale = await refusal(session.answer('p1', 'yes'));
  assert.deepEqual([stale.code, /rejected/.test(stale.message)], ['stale', true]);
  server.on('/api/runs/r1/steer', () =>
    json({error: 'This agent cannot be steered.', code: 'unsupported'}, 400),
  );
  assert.match((await refusal(session.steer('x'))).message, /cannot be steered/);
  server.on('/api/runs', () => json({error: 'busy', activeRunId: 'r1'}, 409));
  assert.equal((await refusal(session.send('More'))).code, 'busy');
  session.disconnect();
});

const AGENT = {
  profile: 'demo',
  runtimeType: 'demo',
  modes: {current: 'ask', available: [{id: 'ask', name: 'Ask'}]},
  options: [],
  commands: [],
  canSteer: true,
  accepts: [],
};

test('what the agent can do is in the gateway’s answer, and changes with the stream', async () => {
  const {server, session} = await gateway();
  assert.deepEqual([session.agent, session.canSteer], [null, false]);
  server.on('/api/sessions/s1', {transcript: null, agent: AGENT}).on('/api/sessions/s1/mode', {ok: true});
  session.open({...GATEWAY, fetch: server.fetch});
  await settled();
  assert.deepEqual([session.agent?.modes?.current, session.canSteer], ['ask', true]);
  await session.setMode('edit');
  assert.deepEqual(server.of('/api/sessions/s1/mode')[0]?.body, {mode: 'edit'});
  assert.equal(session.agent?.modes?.current, 'ask', 'until the stream says so');
  const said = (seq: number, event: string, more: object) =>
    frame(null, {event, run_id: 's.s1', seq, session_id: 's1', timestamp: 1, ...more}, `s.s1:${seq}`);
  await server.write(
    EVENTS,
    said(1, 'mode.updated', {mode: 'edit'}),
    said(2, 'commands.updated', {commands: [{name: 'help'}]}),
    said(3, 'config.updated', {options: [{id: 'model'}]}),
  );
  assert.deepEqual(
    [session.agent?.modes?.current, session.agent?.commands, session.agent?.options],
    ['edit', [{name: 'help'}], [{id: 'model'}]],
  );
  session.disconnect();
});

test('attachments go with the prompt as blocks', async () => {
  const {server, session} = await gateway();
  const image = {type: 'image', data: 'AAAA', mimeType: 'image/png'};
  await session.send('What is this?', {attachments: [image]});
  assert.deepEqual(server.of('/api/runs')[0]?.body, {
    sessionId: 's1',
    prompt: [{type: 'text', text: 'What is this?'}, image],
  });
  session.disconnect();
});

test('the first prompt makes the session where only the gateway is known', async () => {
  const server = new FakeServer()
    .on('/api/sessions', {sessionId: 's1'})
    .on('/api/sessions/s1', {transcript: null})
    .on('/api/runs', {runId: 'r1', sessionId: 's1', turnId: 't1', events: '/api/events/r1'})
    .streams(EVENTS);
  const {session} = await openSession(server, {base: '/api'});
  assert.deepEqual([session.canControl, server.paths], [true, []]);
  await session.send('Hello');
  await settled();
  assert.equal(server.of('/api/sessions')[0]?.method, 'POST');
  assert.deepEqual([session.source.sessionId, session.transcript.turns[0]?.prompt], ['s1', 'Hello']);
  assert.equal(server.of(EVENTS).length, 1);
  await server.write(
    EVENTS,
    run(1, 'run.started', {turn_id: 't1', prompt: 'Hello'}),
    run(2, 'run.completed'),
  );
  assert.equal(session.transcript.turns.length, 1);
  await session.send('More');
  assert.equal(server.of('/api/sessions').length, 1);
  session.disconnect();
});

/** A gateway that makes its session when the test says so. */
async function founding() {
  let make!: (response: Response) => void;
  const server = new FakeServer()
    .on('/api/sessions', () => new Promise<Response>((resolve) => (make = resolve)))
    .on('/api/sessions/s1', {transcript: null})
    .on('/api/runs', {runId: 'r1', sessionId: 's1', turnId: 't1', events: '/api/events/r1'})
    .streams(EVENTS);
  const {session} = await openSession(server, {base: '/api'});
  return {server, session, make: () => make(json({sessionId: 's1'}))};
}

test('a view that is closed while its session is made opens nothing, and the message is refused', async () => {
  const {server, session, make} = await founding();
  const wish = session.send('Hello');
  await settled();
  session.disconnect();
  make();
  assert.equal((await refusal(wish)).code, 'closed');
  await settled();
  assert.deepEqual([server.paths, server.bodies.length], [['/api/sessions'], 0]);
  assert.equal((await refusal(session.send('Hello?'))).code, 'closed');

  session.connect();
  await session.send('Hello');
  await settled();
  assert.equal(server.of('/api/sessions').length, 1, 'what was made is used');
  assert.deepEqual([session.source.sessionId, server.of(EVENTS).length], ['s1', 1]);
  session.disconnect();
});

test('a view that shows something else meanwhile sends nothing there', async () => {
  const {server, session, make} = await founding();
  server.on('/api/sessions/s2', {transcript: null}).streams('/api/sessions/s2/events');
  const wish = session.send('Hello');
  await settled();
  session.open({...GATEWAY, sessionId: 's2', fetch: server.fetch});
  make();
  assert.equal((await refusal(wish)).code, 'closed');
  assert.deepEqual([session.source.sessionId, server.of('/api/runs').length], ['s2', 0]);
  session.disconnect();
});

test('two prompts before there is a session make one', async () => {
  const {server, session, make} = await founding();
  const wishes = [session.send('Hello'), session.send('You there?')];
  await settled();
  make();
  await Promise.all(wishes);
  assert.deepEqual([server.of('/api/sessions').length, server.of('/api/runs').length], [1, 2]);
  session.disconnect();
});

test('a session that could not be made is asked for again by the next prompt', async () => {
  const {server, session} = await founding();
  server.on('/api/sessions', () => json({}, 503));
  assert.equal((await refusal(session.send('Hello'))).code, 'server-error');
  server.on('/api/sessions', {sessionId: 's1'});
  await session.send('Hello');
  assert.equal(session.source.sessionId, 's1');
  session.disconnect();
});

test('a view that is closed before its refusal is here opens nothing', async () => {
  for (const [open, path, answer] of [
    [gateway, '/api/runs', {activeRunId: 'r9'}],
    [webuiOpened, '/api/chat/start', {active_stream_id: 'r9'}],
  ] as const) {
    const {server, session} = await open();
    let refuse!: (response: Response) => void;
    server.on(path, () => new Promise<Response>((resolve) => (refuse = resolve)));
    const wish = session.send('Hello');
    await settled();
    session.disconnect();
    const before = server.paths.length;
    refuse(json(answer, 409));
    assert.equal((await refusal(wish)).code, 'busy');
    await settled();
    assert.equal(server.paths.length, before);
  }
});

async function webuiOpened() {
  const server = webui();
  return {server, ...(await openSession(server, SOURCE))};
}

test('a stream alone takes no controls, and says why', async () => {
  const server = new FakeServer().streams('/events/r1');
  const {session} = await openSession(server, {src: '/events/r1'});
  await server.write('/events/r1', token('r1', 1, 'x'));
  assert.equal(session.canControl, false);
  for (const wish of [
    () => session.send('x'),
    () => session.cancel(),
    () => session.steer('x'),
    () => session.answer('a', 'b'),
  ])
    assert.equal((await refusal(wish())).code, 'unsupported');
  assert.equal(await session.loadEarlier(), false);
  session.disconnect();
  assert.equal(new Session().canControl, false);
});
