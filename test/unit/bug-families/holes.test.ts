/** What no recording holds: lost frames, borrowed positions, frames without ids, and odd characters. */
import assert from 'node:assert/strict';
import {readRecording, encodeFrame} from '../../../src/protocol/index.js';
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
  story,
  tool,
  user,
} from './wire.js';

const synthetic = (id: string | null, more: object = {}) => ({
  id,
  name: 'apperror',
  data: {type: 'interrupted', message: 'The worker is gone.', recovery_control: true, ...more},
});

const lostEnd = () =>
  run()
    .says('Looking', '.')
    .calls('c1', 'read_file', {path: 'a.md'})
    .at(5, 'token', {text: 'It is dry.'})
    .at(6, 'done');

family(40, 'a run with a hole and no history says that it is not whole', () => {
  const turn = only(hear(lostEnd()));
  assert.deepEqual([turn.status, turn.cursor], ['restoring', 'r1:3']);
  assert.deepEqual(story(turn), ['prose Looking.', 'tool:c1 interrupted', 'answer It is dry.']);
});

family(40, 'history fills a hole: the lost end of a tool and its result are there', () => {
  const messages = [
    user('Dry?', 100),
    calling('c1', 'read_file', {path: 'a.md'}, 101, 'Looking.'),
    result('c1', 'A', 102),
    assistant('It is dry.', 103),
  ];
  const turn = only(settle(hear(lostEnd()), session(messages)));
  assert.deepEqual([turn.status, turn.degraded], ['settled', false]);
  assert.deepEqual(story(turn), ['prose Looking.', 'tool:c1 completed', 'answer It is dry.']);
});

family(24, 'history fills a hole: prose and a call of which nothing was heard stand in their place', () => {
  const heard = run().says('One.').uses('c1', 'read_file', {path: 'a'}, 'A');
  const after = heard.at(9, 'token', {text: 'Done.'}).at(10, 'done');
  const messages = [
    user('Both', 100),
    calling('c1', 'read_file', {path: 'a'}, 101, 'One.'),
    result('c1', 'A', 102),
    calling('c2', 'read_file', {path: 'b'}, 103, 'Two.'),
    result('c2', 'B', 104),
    assistant('Done.', 105),
  ];
  assert.deepEqual(story(only(settle(hear(after), session(messages)))), [
    'prose One.',
    'tool:c1 completed',
    'prose Two.',
    'tool:c2 completed',
    'answer Done.',
  ]);
});

family(40, 'the lost frame itself, when it comes late, makes the run whole', () => {
  const stream = lostEnd();
  const holed = hear(stream);
  const missing = run();
  missing.seq = 3;
  const whole = hear(missing.ends('c1', 'read_file', 'A'), holed);
  assert.deepEqual([only(whole).status, only(whole).cursor], ['settled', 'r1:6']);
  assert.equal(tool(only(whole), 'c1').status, 'completed');
  const inOrder = hear([...missing.frames, ...stream.frames]);
  assert.deepEqual(comparable(whole), comparable(inOrder));
});

family(22, 'a token lost in the middle is never made up for by guessing', () => {
  const turn = only(hear(run().says('It ').at(3, 'token', {text: 'dry.'}).at(4, 'done')));
  assert.deepEqual([turn.answer.toString(), turn.status], ['It dry.', 'restoring']);
});

family(22, 'an interim text that says it was streamed repairs a message with a hole', () => {
  const stream = run().says('It ').at(3, 'token', {text: 'dry.'});
  stream.interim('It is dry.', true);
  assert.deepEqual(story(only(hear(stream))), ['answer It is dry.']);
});

family(46, 'a made-up end at the next position gives way to the real frame that takes it', () => {
  const dead = run().says('Half').calls('c1', 'terminal');
  const made = hear([...dead.frames, synthetic('r1:3')]);
  assert.deepEqual(
    [only(made).status, only(made).terminal, only(made).evidence],
    ['restoring', 'interrupted', 'synthetic'],
  );
  assert.equal(only(made).error, null, 'it is no error of the run');
  const {frames} = dead.ends('c1', 'terminal', 'ok').says('Whole.').done();
  const alive = hear(frames, made);
  assert.deepEqual(
    [only(alive).status, only(alive).terminal, only(alive).evidence],
    ['settled', 'completed', 'observed'],
  );
  assert.deepEqual(story(only(alive)), ['prose Half', 'tool:c1 completed', 'answer Whole.']);
  assert.deepEqual(comparable(hear([synthetic('r1:3')], hear(frames))), comparable(alive));
});

family(46, 'a real token at the position of a made-up end is read, also alone', () => {
  const made = hear([...run().says('a').frames, synthetic('r1:2')]);
  assert.equal(answerOf(hear([{id: 'r1:2', name: 'token', data: {text: 'b'}}], made)), 'ab');
});

family(13, 'an overflow notice without an id asks to restore and ends nothing for good', () => {
  const stream = run().says('a');
  const overflow = hear([synthetic(null, {offline_dropped_events: 12})], hear(stream), 'r1');
  assert.deepEqual([only(overflow).status, only(overflow).evidence], ['restoring', 'synthetic']);
  const turn = only(hear(stream.says('b').done(), overflow));
  assert.deepEqual([turn.status, turn.terminal, turn.answer.toString()], ['settled', 'completed', 'ab']);
});

family(45, 'the live cancel under a borrowed id is not lost, and the journal’s copy is the same one', () => {
  const live = run().says('Half').metering().at(2, 'cancel', {message: 'Cancelled by user'});
  const stopped = hear(live);
  assert.equal(only(stopped).terminal, 'cancelled');
  const replayed = hear(run().at(3, 'cancel', {message: 'Cancelled by user'}), stopped);
  assert.deepEqual(lines(only(replayed)), lines(only(stopped)));
  assert.equal(only(replayed).status, 'settled');
});

family(45, 'a tool that an error sealed is not shown as done', () => {
  const messages = [
    user('Build', 100, {_recovered: true}),
    assistant('Building', 101, {
      _partial: true,
      _partial_tool_calls: [
        {name: 'read_file', args: {path: 'a'}, done: true, tid: 'c0', snippet: 'A'},
        {name: 'terminal', args: {command: 'make'}, done: true, tid: 'c1', _sealed_by_terminal_error: true},
      ],
    }),
    assistant('**Error:** it broke', 102, {_error: true, type: 'error', provider_details: 'it broke'}),
  ];
  const frames = run()
    .uses('c0', 'read_file', {path: 'a'}, 'A')
    .says('Building')
    .calls('c1', 'terminal', {command: 'make'});
  const live = only(settle(hear(frames.fails('error')), session(messages)));
  const known = only(settle(hear([]), session(messages)));
  for (const turn of [live, known]) {
    assert.deepEqual(
      [tool(turn, 'c0').status, tool(turn, 'c1').status, turn.terminal],
      ['completed', 'interrupted', 'error'],
    );
    assert.equal(lines(turn).filter((line) => line.startsWith('ended')).length, 1, 'the notice is told once');
    assert.equal(turn.answer.toString(), '');
  }
});

family(28, 'line ends, NUL, separators and byte order marks inside deltas arrive as they were', () => {
  const texts = ['\uFEFFa\r\n', 'b\rc\n', '\0', '\u2028\u2029\u0085', '\uFEFF', 'end'];
  const {frames} = run()
    .says(...texts)
    .done();
  const bytes = frames.map((frame) => encodeFrame(frame)).join('');
  assert.equal(answerOf(hear(readRecording(bytes, 'sse').events)), texts.join(''));
});

family(5, 'a torn last frame is dropped and counted, and its id is not taken for read', () => {
  const bytes = run()
    .says('one ', 'two')
    .frames.map((frame) => encodeFrame(frame))
    .join('');
  const {events, torn} = readRecording(bytes.slice(0, -4), 'sse');
  assert.equal(torn, true);
  assert.deepEqual([answerOf(hear(events)), only(hear(events)).cursor], ['one ', 'r1:1']);
});
