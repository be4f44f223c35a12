import assert from 'node:assert/strict';
import {applySnapshot, createTranscript, toSnapshot, type TurnAnchor} from '../../../src/anchor/index.js';
import {project} from '../../../src/scene/index.js';
import {family} from './family.js';
import {
  answerOf,
  assistant,
  calling,
  comparable,
  hear,
  lines,
  only,
  result,
  rowOf,
  run,
  session,
  settle,
  start,
  story,
  user,
} from './wire.js';

const messages = [
  user('Check them', 100),
  calling('c1', 'read_file', {path: 'a.md'}, 101, 'Looking.'),
  result('c1', 'A', 102),
  assistant('Both are fine.', 104),
];
const work = () =>
  run()
    .says('Looking.')
    .uses('c1', 'read_file', {path: 'a.md'}, 'A')
    .says('Both are fine.')
    .done({session: session(messages)});

family(10, 'an older payload that arrives after done takes nothing back', () => {
  const done = start(hear(work()), 'r1', {pending_started_at: 100});
  const pending = {pending_user_message: 'Check them', pending_started_at: 100, active_stream_id: 'r1'};
  const late = settle(done, session([], {...pending, updated_at: 101}));
  assert.deepEqual(comparable(late), comparable(done));
  assert.deepEqual([only(late).status, answerOf(late)], ['settled', 'Both are fine.']);
});

family(10, 'metadata without messages erases nothing', () => {
  const done = hear(work());
  const bare = settle(done, session([], {message_count: 4, updated_at: 900, title: 'New'}));
  assert.deepEqual(story(only(bare)), story(only(done)));
  assert.deepEqual([answerOf(bare), bare.session.title], ['Both are fine.', 'New']);
});

family(23, 'the rows of a transparent stream are the same live, settled and reloaded', () => {
  const stream = work();
  const live = lines(only(hear(stream.frames.slice(0, -1)))).filter(
    (line) => !/^(?:prompt|status)/.test(line),
  );
  const settled = settle(hear(stream), session(messages));
  const reloaded = settle(createTranscript(), session(messages));
  const cached = applySnapshot(
    createTranscript(),
    JSON.parse(JSON.stringify(toSnapshot(settled))),
    'history',
  );
  const rows = ['prose Looking.', 'tool read_file a.md', 'answer Both are fine.'];
  assert.deepEqual(
    live.map((line) => line.replace(' (live)', '')),
    rows,
  );
  for (const transcript of [settled, reloaded, cached]) {
    assert.deepEqual(lines(only(transcript)), ['prompt Check them', ...rows]);
  }
});

family(35, 'times are kept at settlement, and none is invented', () => {
  const bare = only(hear(work().frames.slice(0, -1).concat({id: 'r1:6', name: 'done', data: {}})));
  assert.deepEqual([bare.startedAt, bare.completedAt], [null, null]);
  assert.equal(project(bare, 'compact-worklog').durationMs, null);
  const begun = start(createTranscript(), 'r1', {pending_started_at: 100.25});
  const live = hear(work().frames.slice(0, 3), begun);
  const settled = settle(hear(work(), live), session(messages));
  assert.deepEqual([only(live).startedAt, only(settled).startedAt], [100_250, 100_250]);
  assert.equal(only(settled).completedAt, 104_000);
});

family(35, 'times of journal rows stay with their items', () => {
  const row = (seq: number, event: string, payload: object) => ({
    id: null,
    name: null,
    data: JSON.stringify({
      version: 1,
      event_id: `r1:${seq}`,
      seq,
      run_id: 'r1',
      event,
      payload,
      created_at: 100 + seq,
    }),
  });
  const rows = [
    row(1, 'tool', {name: 'read_file', args: {path: 'a.md'}, tid: 'c1'}),
    row(2, 'tool_complete', {name: 'read_file', preview: 'A', tid: 'c1'}),
    row(3, 'token', {text: 'Both are fine.'}),
    row(4, 'done', {session: session(messages)}),
  ];
  const turn = only(settle(hear(rows), session(messages)));
  assert.equal([...turn.items][0]!.at, 101_000);
});

family(36, 'usage belongs to its turn and outlives the settlement and the next turn', () => {
  const used = work();
  used.frames.pop();
  used.at(6, 'done', {
    session: session(messages),
    usage: {input_tokens: 9, output_tokens: 4, estimated_cost: 0.01},
  });
  const settled = settle(hear(used), session(messages));
  const next = hear(run('r2').says('More.').done(), settled);
  for (const turn of [settled.turns[0]!, next.turns[0]!]) {
    assert.deepEqual([turn.usage?.inputTokens, turn.usage?.outputTokens, turn.usage?.cost], [9, 4, 0.01]);
  }
});

family(51, 'the reader’s message stands before its activity, from the moment it is known', () => {
  const first = (turn: TurnAnchor) => lines(turn)[0];
  const begun = start(createTranscript(), 'r1', {pending_started_at: 100});
  const pending = {
    pending_user_message: 'Check them',
    pending_started_at: 100,
    active_stream_id: 'r1',
    updated_at: 100,
  };
  const asked = settle(begun, session([], pending));
  const live = hear(work().frames.slice(0, 3), asked);
  const settled = settle(hear(work(), live), session(messages));
  for (const transcript of [asked, live, settled]) assert.equal(first(only(transcript)), 'prompt Check them');
});

family(51, 'a message is told apart within its turn only: the same prompt twice is two turns', () => {
  const twice = [user('Again', 100), assistant('Yes.', 101), user('Again', 200), assistant('Yes.', 201)];
  const {turns} = settle(createTranscript(), session(twice));
  assert.deepEqual(
    turns.map(({id, prompt}) => `${id} ${prompt}`),
    ['m0 Again', 'm2 Again'],
  );
});

family(53, 'metadata is no activity: it adds no row and moves no turn', () => {
  const noise = (stream = run()) =>
    stream
      .metering()
      .send('context_status', {prefill: {status: 'not_configured'}})
      .send('title_status', {status: 'skipped'})
      .send('title', {title: 'Rain'})
      .send('goal', {state: 'evaluating'})
      .send('todo_state', {todos: []});
  assert.deepEqual(story(only(hear(noise()))), []);
  const loud = noise(noise(run().says('Hel')).says('lo'));
  assert.deepEqual(story(only(hear(loud))), ['answer Hello'], 'and it parts no text');
  const two = hear(run('r2').says('Two.').done(), hear(run('r1').says('One.').done()));
  const touched = hear(run('r1').at(3, 'title', {title: 'Later'}), two);
  assert.deepEqual(
    touched.turns.map(({id}) => id),
    ['r1', 'r2'],
  );
});

family(63, 'an identical prompt that is tried again is a turn of its own', () => {
  const failed = start(hear(run('r1').fails('rate_limit')), 'r1', {pending_started_at: 100});
  const again = start(hear(run('r2').says('Yes.').done(), failed), 'r2', {pending_started_at: 200});
  const both = [
    user('Is it?', 100),
    assistant('Too many requests', 101, {_error: true, type: 'rate_limit'}),
    user('Is it?', 200),
    assistant('Yes.', 201),
  ];
  const {turns} = settle(again, session(both));
  assert.deepEqual(
    turns.map(({id, prompt, terminal, answer}) => [id, prompt, terminal, answer.toString()].join('|')),
    ['r1|Is it?|error|', 'r2|Is it?|completed|Yes.'],
  );
});

family(63, 'a regeneration replaces the last turn: the superseded run is listed and shows nothing', () => {
  const before = [user('Is it?', 100), assistant('No.', 101)];
  const after = [user('Is it?', 200), assistant('Yes.', 201)];
  const first = run('r1')
    .uses('c1', 'read_file', {}, 'A')
    .says('No.')
    .done({session: session(before)});
  const second = run('r2')
    .says('Yes.')
    .done({session: session(after)});
  for (const transcript of [hear(second, hear(first)), hear(first, hear(second))]) {
    const turn = only(transcript);
    assert.deepEqual([...turn.runIds].sort(), ['r1', 'r2']);
    assert.deepEqual(lines(turn), ['prompt Is it?', 'answer Yes.']);
  }
});

family(64, 'what is told of a finished turn is its answer and not its preamble', () => {
  const turn = only(hear(work()));
  for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const) {
    assert.equal(rowOf(turn, mode, 'answer')!.text.toString(), 'Both are fine.');
    assert.equal(project(turn, mode).facts.answer.toString(), 'Both are fine.');
  }
  assert.equal(turn.answerComplete, true);
});

family(64, 'before its answer begins a working turn has none to tell', () => {
  const turn = only(hear(work().frames.slice(0, 3)));
  assert.deepEqual([turn.answer.toString(), turn.answerComplete], ['', false]);
});
