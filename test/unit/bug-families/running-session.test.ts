/** A session that is read while its run goes on: pending message, active stream, a lossy picture of the run. */
import assert from 'node:assert/strict';
import {createTranscript} from '../../../src/anchor/index.js';
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
  run,
  session,
  settle,
  start,
  story,
  tool,
  user,
} from './wire.js';

const before = [user('Hi', 50), assistant('Hello.', 51)];
const stream = () =>
  run().thinks('Hm.').uses('c1', 'read_file', {path: 'a.md'}, 'A').says('It is ', 'dry.').done();
const snapshot = {
  session_id: 'a1c0',
  stream_id: 'r1',
  last_seq: 4,
  last_event_id: 'r1:4',
  messages: [],
  tool_calls: [{name: 'read_file', args: {path: 'a.md'}, tid: 'c1', done: true, snippet: 'A'}],
  last_assistant_text: 'It is ',
  last_reasoning_text: 'Hm.',
};
const running = session(before, {
  updated_at: 101,
  pending_user_message: 'Dry?',
  pending_started_at: 100.5,
  active_stream_id: 'r1',
  is_streaming: true,
  runtime_journal_snapshot: snapshot,
});
const settled = session([...before, user('Dry?', 100), assistant('It is dry.', 110)], {updated_at: 111});

family(16, 'a page that attaches to a running session shows the run’s picture at once', () => {
  const {turns} = settle(createTranscript(), running);
  assert.deepEqual(
    turns.map(({prompt, status}) => `${prompt} ${status}`),
    ['Hi settled', 'Dry? running'],
  );
  assert.deepEqual(story(turns[1]!), ['reasoning Hm.', 'tool:c1 completed', 'answer It is ']);
  assert.equal(turns[1]!.id, 'r1');
});

family(16, 'frames after the picture extend it, and a replay from the start replaces it', () => {
  const {frames} = stream();
  const attached = settle(createTranscript(), running);
  const tail = hear(frames.slice(4), attached).turns[1]!;
  assert.equal(tail.answer.toString(), 'It is dry.');
  assert.equal(tool(tail, 'c1').status, 'completed');
  const replayed = hear(frames, attached).turns[1]!;
  assert.deepEqual(story(replayed), ['reasoning Hm.', 'tool:c1 completed', 'answer It is dry.']);
  assert.equal(replayed.degraded, false);
});

family(16, 'attaching in the middle and settling ends in the same transcript as having seen it all', () => {
  const {frames} = stream();
  const whole = settle(
    hear(frames, start(settle(createTranscript(), running), 'r1', {pending_started_at: 100.5})),
    settled,
  );
  const attached = hear(frames.slice(4), settle(createTranscript(), running));
  const late = settle(hear(frames.slice(0, 4), attached), settled);
  assert.deepEqual(story(late.turns[1]!), story(whole.turns[1]!));
  assert.deepEqual(lines(late.turns[1]!), lines(whole.turns[1]!));
  assert.equal(late.turns.length, 2);
});

family(46, 'a session whose journal says lost makes the run neither completed nor running', () => {
  const lost = session(before, {
    updated_at: 101,
    pending_user_message: 'Dry?',
    pending_started_at: 100.5,
    runtime_journal: {
      run_id: 'r1',
      stream_id: 'r1',
      terminal: false,
      terminal_state: 'lost-worker-bookkeeping',
    },
  });
  const seen = hear(run().says('It is '), settle(createTranscript(), lost));
  const turn = seen.turns[1]!;
  assert.deepEqual([turn.status, turn.terminal, turn.evidence], ['restoring', 'connection_lost', 'inferred']);
  assert.equal(turn.answer.toString(), 'It is ');
});

family(46, 'a journal that says stopped by the user ends the run as cancelled', () => {
  const stopped = session([...before, user('Dry?', 100)], {
    updated_at: 101,
    runtime_journal: {run_id: 'r1', stream_id: 'r1', terminal: true, terminal_state: 'interrupted-by-user'},
  });
  const seen = hear(
    run().says('It is '),
    start(settle(createTranscript(), stopped), 'r1', {pending_started_at: 100}),
  );
  assert.equal(seen.turns[1]!.terminal, 'cancelled');
});

family(24, 'a window of messages overlays the older whole by its absolute index', () => {
  const many = [0, 1, 2].flatMap((n) => [user(`Q${n}`, n * 10), assistant(`A${n}.`, n * 10 + 1)]);
  const whole = settle(createTranscript(), session(many));
  const window = session([many[4]!, many[5]!, user('Q3', 30), assistant('A3.', 31)], {
    _messages_offset: 4,
    _messages_truncated: true,
    message_count: 8,
    updated_at: 40,
  });
  const both = settle(whole, window);
  assert.deepEqual(
    both.turns.map(({id}) => id),
    ['m0', 'm2', 'm4', 'm6'],
  );
  assert.equal(both.turns[0], whole.turns[0], 'an untouched turn keeps its reference');
  assert.equal(both.turns[3]!.answer.toString(), 'A3.');
  assert.deepEqual(comparable(settle(settle(createTranscript(), window), session(many))), comparable(both));
});

family(24, 'a window that begins inside a turn shows what it holds, and the older page completes it', () => {
  const messages = [
    user('Q', 10),
    calling('c1', 'read_file', {path: 'a'}, 11, 'Looking.'),
    result('c1', 'A', 12),
    assistant('Done.', 13),
  ];
  const tail = {message_count: 4, _messages_truncated: true};
  const late = settle(createTranscript(), session(messages.slice(2), {...tail, _messages_offset: 2}));
  assert.equal(answerOf(late), 'Done.');
  assert.equal(tool(only(late), 'c1').output, 'A');
  const whole = settle(late, session(messages.slice(0, 2), {...tail, _messages_offset: 0, updated_at: 13.5}));
  assert.deepEqual(story(only(whole)), ['prose Looking.', 'tool:c1 completed', 'answer Done.']);
  assert.equal(only(whole).prompt, 'Q');
});
