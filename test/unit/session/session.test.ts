import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadModel, report, Session, type SessionSource} from '../../../src/session/index.js';

// Loaded first, so that what a session does at once can be asked at once; `load-model.test.ts` does without.
await loadModel();

const RUN = 'run_1';
let seq = 0;
const frame = (name: string, data: object, id: string | null = `${RUN}:${++seq}`) =>
  `${id === null ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A run of Hermes WebUI in pieces, one network chunk each. */
function run(): string[] {
  seq = 0;
  return [
    frame('token', {text: 'Hello'}),
    frame('token', {text: ' there.'}) + frame('token', {text: ' Done.'}),
    frame('done', {session: null}) + frame('stream_end', {}),
  ];
}

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly chunks: readonly string[];
  /** The body stays open after its chunks. */
  readonly open?: boolean;
}

/** A server as a table of addresses; each request takes the next answer, the last one stays. */
function server(routes: Record<string, readonly Answer[]>) {
  const asked: {url: string; headers: Headers; signal: AbortSignal | null}[] = [];
  const left = new Map(Object.entries(routes).map(([url, answers]) => [url, [...answers]]));
  const fetch: typeof globalThis.fetch = (input, init = {}) => {
    const url = input as string;
    init.signal?.throwIfAborted();
    asked.push({url, headers: new Headers(init.headers), signal: init.signal ?? null});
    const answers = left.get(url) ?? [{status: 404, chunks: []}];
    const {
      status = 200,
      type = 'text/event-stream',
      chunks,
      open,
    } = (answers.length > 1 ? answers.shift() : answers[0])!;
    const pieces = [...chunks];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (!open) controller.close();
      },
    });
    return Promise.resolve(new Response(body, {status, headers: {'content-type': type}}));
  };
  return {fetch, asked};
}

const json = (value: unknown): Answer => ({type: 'application/json', chunks: [JSON.stringify(value)]});

/** The session once `done` holds; fails with what it came to when it does not within a second. */
async function until(session: Session, done: (session: Session) => boolean): Promise<void> {
  if (done(session)) return;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(JSON.stringify([session.connection, session.problem, session.snapshot]))),
      2000,
    );
    const leave = session.subscribe(() => {
      if (!done(session)) return;
      clearTimeout(late);
      leave();
      resolve();
    });
  });
}

const isOver = ({connection: {phase}}: Session) => phase === 'ended' || phase === 'lost';
const answer = (session: Session) => String(session.transcript.turns.at(-1)?.answer);

function opened(source: SessionSource): Session {
  const session = new Session({random: () => 0});
  session.open(source);
  return session;
}

test('a bare stream becomes a settled turn, one notification a chunk', async () => {
  const {fetch} = server({'/events/run_1': [{chunks: run()}]});
  const session = opened({src: '/events/run_1', fetch});
  const seen: string[] = [];
  session.subscribe(() => {
    const text = answer(session);
    if (seen.at(-1) !== text) seen.push(text);
  });
  await until(session, isOver);
  assert.deepEqual(seen.slice(-2), ['Hello', 'Hello there. Done.']);
  const [turn] = session.transcript.turns;
  assert.equal(session.transcript.turns.length, 1);
  assert.deepEqual(
    [turn?.id, turn?.status, turn?.terminal, turn?.evidence],
    ['run_1', 'settled', 'completed', 'observed'],
  );
  assert.equal(session.frames.length, 5);
});

test('a listener that throws takes nothing from the others or the stream, and the page is told', async (t) => {
  const told: unknown[] = [];
  Object.assign(globalThis, {reportError: (cause: unknown) => told.push((cause as Error).message)});
  t.after(() => Reflect.deleteProperty(globalThis, 'reportError'));
  const {fetch} = server({'/stream?stream_id=run_1': [{chunks: run()}]});
  const session = new Session();
  const read: string[] = [];
  session.subscribe(() => {
    throw new Error(`at ${read.length}`);
  });
  session.subscribe(() => read.push(String(session.transcript.turns[0]?.answer ?? '')));
  session.open({src: '/stream?stream_id=run_1', fetch});
  await until(session, () => session.connection.phase === 'ended');
  assert.equal(read.at(-1), 'Hello there. Done.');
  assert.equal(session.connection.error, null);
  assert.deepEqual(
    told,
    [...read.keys()].map((at) => `at ${at}`),
  );
});

test('a listener that leaves while another is told is not told', async () => {
  const {fetch} = server({'/events/run_1': [{chunks: run()}]});
  const session = new Session();
  let told = 0;
  session.subscribe(() => leave());
  const leave = session.subscribe(() => told++);
  session.open({src: '/events/run_1', fetch});
  await until(session, isOver);
  assert.equal(told, 0);
});

test('where there is no page, the error of a listener ends as one that nobody caught', (t) => {
  const later: (() => void)[] = [];
  t.mock.method(globalThis, 'queueMicrotask', (run: () => void) => later.push(run));
  report(new Error('of a listener'));
  assert.throws(later[0]!, /of a listener/);
});

test('the address is the birth of the turn, before the first frame', async () => {
  const {fetch} = server({'/events/run_1': [{chunks: [], open: true}]});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, ({connection}) => connection.phase === 'open');
  assert.deepEqual(
    session.transcript.turns.map(({id, status}) => [id, status]),
    [['run_1', 'created']],
  );
  session.disconnect();
});

test('frames that name another run than the address leave no empty turn', async () => {
  const {fetch} = server({'/demo/plain': [{chunks: run()}]});
  const session = opened({src: '/demo/plain', fetch});
  await until(session, isOver);
  assert.deepEqual(
    session.transcript.turns.map(({id, status}) => [id, status]),
    [['run_1', 'settled']],
  );
});

test('a stream that is refused leaves no empty turn, only its reason', async () => {
  const {fetch} = server({'/events/run_1': [{status: 401, chunks: []}]});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, isOver);
  assert.equal(session.transcript.turns.length, 0);
  assert.equal(session.connection.error?.code, 'unauthorized');
});

test('history comes first, then the stream', async () => {
  const pending = {pending_user_message: 'Go on', pending_started_at: 3, active_stream_id: 'run_1'};
  const history = {
    session: {
      session_id: 's1',
      updated_at: 1,
      ...pending,
      messages: [
        {role: 'user', content: 'Hi', timestamp: 1},
        {role: 'assistant', content: 'Ho', timestamp: 2},
      ],
    },
  };
  const {fetch, asked} = server({'/h': [json(history)], '/events/run_1': [{chunks: run()}]});
  const session = opened({history: '/h', src: '/events/run_1', fetch});
  await until(session, isOver);
  assert.deepEqual(
    asked.slice(0, 2).map(({url}) => url),
    ['/h', '/events/run_1'],
  );
  assert.deepEqual(
    session.transcript.turns.map((turn) => [turn.prompt, String(turn.answer)]),
    [
      ['Hi', 'Ho'],
      ['Go on', 'Hello there. Done.'],
    ],
  );
});

test('a stream that ended in doubt has its history asked once more', async () => {
  const unfinished = run().slice(0, 2);
  const settled = {
    session: {
      session_id: 's1',
      updated_at: 2,
      messages: [
        {role: 'user', content: 'Hi', timestamp: 1},
        {role: 'assistant', content: 'Hello there. Done.', timestamp: 2},
      ],
    },
  };
  const {fetch, asked} = server({
    '/h': [json({session: {session_id: 's1', messages: []}}), json(settled)],
    '/events/run_1': [{chunks: [...unfinished, frame('stream_end', {})]}],
  });
  const session = opened({history: '/h', src: '/events/run_1', fetch});
  await until(session, () => asked.length >= 3);
  await until(session, ({transcript}) => transcript.turns.some(({status}) => status === 'settled'));
  assert.deepEqual(
    asked.map(({url}) => url),
    ['/h', '/events/run_1', '/h'],
  );
});

/** A settled session of so many questions, each with its answer. */
const settledTurns = (...answers: readonly string[]) => ({
  session: {
    session_id: 's1',
    updated_at: answers.length,
    message_count: 2 * answers.length,
    messages: answers.flatMap((content, n) => [
      {role: 'user', content: `Question ${n}`, timestamp: 2 * n},
      {role: 'assistant', content, timestamp: 2 * n + 1},
    ]),
  },
});
const cutShort: readonly Answer[] = [{chunks: run().slice(0, 1)}, {status: 404, chunks: []}];
const turnsOf = ({transcript}: Session) =>
  transcript.turns.map((turn) => [turn.prompt, String(turn.answer), turn.terminal]);

test('a payload that tells the end of a turn whose stream was cut is that turn, not a second one', async () => {
  const {fetch} = server({'/events/run_1': cutShort});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, isOver);
  session.snapshot = settledTurns('Hello there. Done.');
  assert.deepEqual(turnsOf(session), [['Question 0', 'Hello there. Done.', 'completed']]);
  session.snapshot = settledTurns('Hello there. Done.');
  assert.equal(session.transcript.turns.length, 1);
});

test('what the cut stream did not tell, the payload tells', async () => {
  const {fetch} = server({'/events/run_1': cutShort});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, isOver);
  const {session: settled} = settledTurns('Hello there. Done.');
  const [asked, answered] = settled.messages;
  const call = {id: 'c1', type: 'function', function: {name: 'ls', arguments: '{}'}};
  session.snapshot = {
    session: {
      ...settled,
      message_count: 4,
      messages: [
        asked,
        {role: 'assistant', content: 'Hello', timestamp: 0.5, tool_calls: [call]},
        {role: 'tool', tool_call_id: 'c1', content: 'a.md', timestamp: 0.7},
        answered,
      ],
    },
  };
  const [turn, ...others] = session.transcript.turns;
  assert.deepEqual(
    [...turn!.items].flatMap(({tool}) => (tool ? [tool.callId] : [])),
    ['c1'],
  );
  assert.equal(others.length, 0);
});

test('so is a history that has grown since; one that has not leaves the turn beside it', async () => {
  const grown = server({
    '/h': [json(settledTurns('Old.')), json(settledTurns('Old.', 'Hello there. Done.'))],
    '/events/run_1': cutShort,
  });
  const session = opened({history: '/h', src: '/events/run_1', fetch: grown.fetch});
  await until(
    session,
    ({transcript}) => transcript.turns.at(-1)?.answerComplete === true && grown.asked.length > 3,
  );
  assert.deepEqual(turnsOf(session), [
    ['Question 0', 'Old.', 'completed'],
    ['Question 1', 'Hello there. Done.', 'completed'],
  ]);
  const same = server({'/h': [json(settledTurns('Old.'))], '/events/run_1': cutShort});
  const other = opened({history: '/h', src: '/events/run_1', fetch: same.fetch});
  await until(other, (one) => isOver(one) && same.asked.length > 3);
  assert.deepEqual(turnsOf(other), [
    ['Question 0', 'Old.', 'completed'],
    [null, 'Hello', null],
  ]);
});

test('an unknown producer is a state with the names seen, and the first known frame ends it', async () => {
  const {fetch} = server({
    '/x': [{chunks: [frame('gibberish', {}, null), 'data: not json\n\n'], open: true}],
  });
  const session = opened({src: '/x', fetch});
  await until(session, ({problem}) => problem?.names?.length === 2);
  assert.equal(session.problem?.code, 'unknown-wire');
  assert.deepEqual(session.problem?.names, ['gibberish', 'message']);
  session.disconnect();
});

test('a history that cannot be loaded is a problem, and the stream goes on', async () => {
  const {fetch} = server({'/events/run_1': [{chunks: run(), open: true}]});
  const session = opened({history: '/none', src: '/events/run_1', fetch});
  await until(session, ({transcript}) => transcript.turns[0]?.terminal === 'completed');
  assert.equal(answer(session), 'Hello there. Done.');
  session.disconnect();
});

test('a payload that is none we know is a problem with a sentence', () => {
  const session = new Session();
  session.snapshot = {hello: 'world'};
  assert.equal(session.problem?.code, 'unreadable');
  session.snapshot = {format: 'hermes.transcript.v9'};
  assert.equal(session.problem?.code, 'unreadable');
  const turns: unknown[] = [];
  turns.push({id: 'a', turns}, turns);
  session.snapshot = {format: 'hermes.transcript.v1', turns};
  assert.match(session.problem?.message ?? '', /holds itself/);
});

test('disconnecting aborts, and what still comes changes nothing', async () => {
  const {fetch, asked} = server({'/events/run_1': [{chunks: run().slice(0, 1), open: true}]});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, () => answer(session) === 'Hello');
  session.disconnect();
  assert.equal(asked[0]?.signal?.aborted, true);
  assert.equal(session.connection.phase, 'idle');
  assert.equal(answer(session), 'Hello');
});

test('connecting again goes on after the last frame', async () => {
  const [first, ...rest] = run() as [string, ...string[]];
  const {fetch, asked} = server({'/events/run_1': [{chunks: [first], open: true}, {chunks: rest}]});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, () => answer(session) === 'Hello');
  session.disconnect();
  session.connect();
  await until(session, isOver);
  assert.equal(asked[1]?.headers.get('last-event-id'), 'run_1:1');
  assert.equal(answer(session), 'Hello there. Done.');
});

test('a settled turn is not streamed again', async () => {
  const {fetch, asked} = server({'/events/run_1': [{chunks: run()}]});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, isOver);
  session.disconnect();
  session.connect();
  await new Promise(setImmediate);
  assert.equal(asked.length, 1);
});

test('a snapshot read from one session shows the same in another', async () => {
  const {fetch} = server({'/events/run_1': [{chunks: run()}]});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, isOver);
  const copy = new Session();
  copy.snapshot = JSON.parse(JSON.stringify(session.snapshot));
  assert.equal(copy.problem, null);
  assert.equal(answer(copy), 'Hello there. Done.');
  assert.equal(copy.transcript.turns[0]?.terminal, 'completed');
});

test('a snapshot is continued where it can be, else its run is read from the start', async () => {
  for (const resumable of [true, false]) {
    const [first, ...rest] = run() as [string, ...string[]];
    const live = server({'/events/run_1': [{chunks: [first], open: true}]});
    const before = opened({src: '/events/run_1', fetch: live.fetch});
    await until(before, () => answer(before) === 'Hello');
    const {turns, ...kept} = JSON.parse(JSON.stringify(before.snapshot)) as Session['snapshot'];
    before.disconnect();
    const chunks = resumable ? rest : [first, ...rest];
    const {fetch, asked} = server({'/events/run_1': [{chunks}]});
    const session = new Session({random: () => 0});
    session.snapshot = resumable
      ? {...kept, turns}
      : {...kept, turns: turns.map((turn) => ({...turn, resume: null}))};
    session.open({src: '/events/run_1', fetch});
    await until(session, isOver);
    assert.equal(asked[0]?.headers.get('last-event-id'), resumable ? 'run_1:1' : null);
    assert.equal(answer(session), 'Hello there. Done.');
  }
});

test('begin makes the turn at once and, with a base, follows it', async () => {
  const {fetch, asked} = server({
    '/api/sessions/s1': [json({transcript: null, cursor: null, activeRunId: null})],
    '/api/events/run_1': [{chunks: [], open: true}],
  });
  const session = opened({base: '/api', sessionId: 's1', fetch});
  await until(session, () => asked.length > 0);
  session.begin({runId: 'run_1', prompt: 'Do it.'});
  assert.equal(session.transcript.turns[0]?.prompt, 'Do it.');
  await until(session, ({connection}) => connection.phase === 'open');
  assert.equal(asked.at(-1)?.url, '/api/events/run_1');
  session.disconnect();
});

test('an unchanged transcript keeps its reference', async () => {
  const {fetch} = server({'/events/run_1': [{chunks: [...run(), ...run()]}]});
  const session = opened({src: '/events/run_1', fetch});
  await until(session, isOver);
  const {turns} = session.transcript;
  session.begin({runId: 'run_1', streamId: null});
  assert.equal(session.transcript.turns, turns);
});

test('a stream of another session than its history is not shown, and said', async () => {
  seq = 0;
  const payload = {
    session_id: 's1',
    message_count: 2,
    updated_at: 9,
    messages: [
      {role: 'user', content: 'Hi', timestamp: 1},
      {role: 'assistant', content: 'Hello.', timestamp: 2},
    ],
  };
  const {fetch} = server({
    '/history': [json({session: payload})],
    '/events/run_1': [
      {chunks: [frame('context_status', {session_id: 's2'}), frame('token', {text: 'Other.'})], open: true},
    ],
  });
  const session = opened({src: '/events/run_1', history: '/history', fetch});
  await until(session, ({problem}) => problem?.code === 'foreign');
  assert.match(session.problem!.message, /another session \(s2\)/);
  assert.equal(answer(session), 'Hello.');
  session.disconnect();
});
