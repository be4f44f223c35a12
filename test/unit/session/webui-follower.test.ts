import assert from 'node:assert/strict';
import {test} from 'node:test';
import {settled} from '../transport/manual-clock.js';
import {answers, frame, openSession} from './fake-server.js';
import {
  done,
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

test('a settled session is shown, and its channel opened for what comes later', async () => {
  const server = webui();
  const {session} = await openSession(server, SOURCE);
  assert.deepEqual(answers(session), ['Ho']);
  assert.deepEqual(server.paths, [SESSION, WATCH, '/api/session/status']);
  const [watch] = server.of(WATCH);
  assert.deepEqual([watch?.query.get('session_id'), watch?.query.get('known_count')], ['s1', '2']);
  session.disconnect();
  assert.equal(watch?.signal?.aborted, true);
});

test('a run that goes on is read from its start, with one connection', async () => {
  const server = webui().on(SESSION, pendingSession('r1', exchange(1, 'Hi', 'Ho')));
  const {session} = await openSession(server, SOURCE);
  assert.deepEqual(
    session.transcript.turns.map(({prompt, status}) => [prompt, status]),
    [
      ['Hi', 'settled'],
      ['Go on', 'running'],
    ],
  );
  const [stream] = server.of(STREAM);
  assert.deepEqual([stream?.query.get('stream_id'), stream?.query.get('replay')], ['r1', '1']);
  assert.equal(server.of(WATCH).length, 0);
  await server.write(STREAM, token('r1', 1, 'Going'), token('r1', 2, ' on.'));
  assert.deepEqual(answers(session), ['Ho', 'Going on.']);
  await server.write(STREAM, done('r1', 3));
  assert.equal(session.connection.phase, 'ended');
  assert.equal(session.transcript.turns[1]?.terminal, 'completed');
  assert.equal(server.of(WATCH).length, 1, 'between runs the channel is read');
  session.disconnect();
});

test('the server’s picture of a run is shown until its frames are here', async () => {
  const picture = {
    runtime_journal_snapshot: {
      session_id: 's1',
      stream_id: 'r1',
      last_seq: 2,
      last_event_id: 'r1:2',
      last_assistant_text: 'Going on',
      tool_calls: [],
      messages: [],
    },
  };
  const server = webui().on(SESSION, pendingSession('r1', [], picture));
  const {session} = await openSession(server, SOURCE);
  assert.deepEqual(answers(session), ['Going on']);
  const [stream] = server.of(STREAM);
  assert.deepEqual([stream?.query.get('replay'), stream?.headers.get('last-event-id')], ['1', null]);
  await server.write(STREAM, token('r1', 1, 'Going '));
  assert.deepEqual(answers(session), ['Going on'], 'the picture stands while it knows more');
  await server.write(STREAM, token('r1', 2, 'on'), token('r1', 3, ' and on.'), done('r1', 4));
  assert.deepEqual(answers(session), ['Going on and on.']);
  session.disconnect();
});

test('a turn the server starts by itself is followed, with its prompt', async () => {
  const server = webui();
  const {session} = await openSession(server, SOURCE);
  server.on(SESSION, pendingSession('r7', exchange(1, 'Hi', 'Ho'), {pending_user_message: 'Wake up'}));
  await server.write(
    WATCH,
    frame('server_turn_started', {
      session_id: 's1',
      stream_id: 'r7',
      pending_started_at: 50.25,
      source: 'wakeup',
    }),
  );
  assert.equal(server.of(STREAM).at(-1)?.query.get('stream_id'), 'r7');
  assert.equal(server.of(WATCH)[0]?.signal?.aborted, true);
  await server.write(STREAM, token('r7', 1, 'Awake.'), done('r7', 2));
  const turn = session.transcript.turns.at(-1);
  assert.deepEqual([turn?.prompt, String(turn?.answer), turn?.terminal], ['Wake up', 'Awake.', 'completed']);
  assert.equal(session.transcript.turns.length, 2);
  session.disconnect();
});

test('what began between the settled session and the channel is found when the channel opens', async () => {
  const server = webui().on('/api/session/status', {message_count: 2, active_stream_id: 'r3'});
  let asked = 0;
  server.on(SESSION, () =>
    Response.json(
      asked++ === 0 ? settledSession(exchange(1, 'Hi', 'Ho')) : pendingSession('r3', exchange(1, 'Hi', 'Ho')),
    ),
  );
  const {session} = await openSession(server, SOURCE);
  await settled();
  assert.equal(server.of(STREAM).at(-1)?.query.get('stream_id'), 'r3');
  session.disconnect();
});

test('messages that came elsewhere are loaded, once', async () => {
  const server = webui();
  const {session} = await openSession(server, SOURCE);
  server.on(SESSION, settledSession([...exchange(1, 'Hi', 'Ho'), ...exchange(2, 'And?', 'So.')]));
  const updated = frame('session-updated', {
    session_id: 's1',
    message_count: 4,
    known_count: 2,
    source: 'cli',
  });
  await server.write(WATCH, updated);
  await server.write(WATCH, updated);
  assert.deepEqual(answers(session), ['Ho', 'So.']);
  assert.equal(server.of(SESSION).length, 2);
  session.disconnect();
});

test('two tellings of one background task are one fact of the session', async () => {
  const server = webui();
  const {session} = await openSession(server, SOURCE);
  const fact = {session_id: 's1', task_id: 'p7', completed_at: 5, event_id: 'e1', summary: 'Built.'};
  await server.write(WATCH, frame('bg_task_complete', fact), frame('process_complete', fact));
  assert.equal(session.transcript.session.sideEffects.length, 1);
  session.disconnect();
});

test('after a rotating compression requests use the new id', async () => {
  const server = webui().on(SESSION, pendingSession('r1'));
  const {session} = await openSession(server, SOURCE);
  const rotated = settledSession(exchange(50.25, 'Go on', 'Gone.'), {
    session_id: 's2',
    parent_session_id: 's1',
    updated_at: 60,
  });
  await server.write(
    STREAM,
    frame(
      'compressed',
      {session_id: 's1', old_session_id: 's1', new_session_id: 's2', continuation_session_id: 's2'},
      'r1:1',
    ),
    token('r1', 2, 'Gone.'),
    done('r1', 3, rotated),
  );
  assert.equal(session.transcript.session.id, 's2');
  assert.equal(server.of(WATCH)[0]?.query.get('session_id'), 's2');
  server.on('/api/chat/start', {stream_id: 'r2', session_id: 's2', pending_started_at: 70});
  await session.send('More');
  assert.deepEqual(server.of('/api/chat/start')[0]?.body, {session_id: 's2', message: 'More'});
  session.disconnect();
});

test('a run this page starts is read without a cursor, from before its first frame', async () => {
  const server = webui();
  const {session} = await openSession(server, SOURCE);
  session.begin({runId: 'r5', streamId: 'r5', prompt: 'Do it.', startedAtSeconds: 80});
  await settled();
  assert.equal(session.transcript.turns.at(-1)?.prompt, 'Do it.');
  assert.deepEqual([...server.of(STREAM)[0]!.query.keys()], ['stream_id']);
  session.begin({runId: 'r5', streamId: 'r5', prompt: 'Do it.', startedAtSeconds: 80});
  await settled();
  assert.equal(server.of(STREAM).length, 1);
  session.disconnect();
});

test('going away and coming back goes on where it stood', async () => {
  const server = webui().on(SESSION, pendingSession('r1'));
  const {session} = await openSession(server, SOURCE);
  await server.write(STREAM, token('r1', 1, 'One'));
  session.disconnect();
  session.connect();
  await settled();
  const again = server.of(STREAM)[1];
  assert.deepEqual([again?.headers.get('last-event-id'), again?.query.get('replay')], ['r1:1', null]);
  session.disconnect();
});

test('what an earlier session still brings is dropped', async () => {
  const server = webui();
  let late!: (response: Response) => void;
  server.on(SESSION, ({query}) =>
    query.get('session_id') === 's1'
      ? new Promise<Response>((resolve) => (late = resolve))
      : Response.json(settledSession(exchange(1, 'Other', 'Else'), {session_id: 's9'})),
  );
  const {session} = await openSession(server, SOURCE);
  session.open({...SOURCE, sessionId: 's9', fetch: server.fetch});
  await settled();
  late(Response.json(settledSession(exchange(1, 'Hi', 'Ho'))));
  await settled();
  assert.deepEqual(answers(session), ['Else']);
  session.open({...SOURCE, sessionId: 's1', fetch: server.fetch});
  assert.deepEqual(answers(session), [], 'another session begins empty');
  session.disconnect();
});

test('earlier messages are loaded page by page, until there are none', async () => {
  const all = [1, 2, 3].flatMap((n) => exchange(n, `Q${n}`, `A${n}`));
  const server = webui();
  server.on('/api/session/status', {message_count: 6});
  server.on(SESSION, ({query}) => {
    const before = Number(query.get('msg_before') ?? 6);
    const offset = Math.max(0, before - Number(query.get('msg_limit')));
    return Response.json(
      settledSession(all.slice(offset, before), {
        updated_at: 9,
        message_count: 6,
        _messages_offset: offset,
        _messages_truncated: offset > 0,
      }),
    );
  });
  const {session} = await openSession(server, {...SOURCE, pageSize: 2});
  assert.deepEqual([answers(session), session.hasEarlier], [['A3'], true]);
  assert.equal(await session.loadEarlier(), true);
  assert.deepEqual(answers(session), ['A2', 'A3']);
  assert.equal(server.of(SESSION)[1]?.query.get('msg_before'), '4');
  assert.equal(await session.loadEarlier(), true);
  assert.deepEqual([answers(session), session.hasEarlier], [['A1', 'A2', 'A3'], false]);
  assert.equal(await session.loadEarlier(), false);
  assert.equal(server.of(SESSION).length, 3);
  session.disconnect();
});

test('where more has come than a page, what is between is loaded before what was known', async () => {
  const all = Array.from({length: 15}, (_, n) => exchange(n, `Q${n}`, `A${n}`)).flat();
  let known = 10;
  const server = webui();
  server.on('/api/session/status', () => Response.json({message_count: known}));
  server.on(SESSION, ({query}) => {
    const before = Number(query.get('msg_before') ?? known);
    const offset = Math.max(0, before - Number(query.get('msg_limit')));
    return Response.json(
      settledSession(all.slice(offset, before), {
        updated_at: known,
        message_count: known,
        _messages_offset: offset,
        _messages_truncated: offset > 0,
      }),
    );
  });
  const {session} = await openSession(server, {...SOURCE, pageSize: 4});
  session.disconnect();
  known = 30;
  session.connect();
  await settled();
  assert.deepEqual([answers(session).at(-1), session.hasEarlier], ['A14', true]);
  for (let page = 0; page < 9 && session.hasEarlier; page++) await session.loadEarlier();
  assert.deepEqual(
    answers(session),
    Array.from({length: 15}, (_, n) => `A${n}`),
  );
  session.disconnect();
});

test('a run that has settled meanwhile is not read', async () => {
  const server = webui();
  const {session} = await openSession(server, SOURCE);
  assert.equal(server.of(STREAM).length, 0);
  session.disconnect();
});
