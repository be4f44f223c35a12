import assert from 'node:assert/strict';
import {createTranscript} from '../../../src/anchor/index.js';
import {project} from '../../../src/scene/index.js';
import {family} from './family.js';
import {
  answerOf,
  assistant,
  calling,
  hear,
  lines,
  only,
  result,
  run,
  session,
  settle,
  start,
  story,
  user,
  type Run,
} from './wire.js';

const end = (stream: Run) => {
  const {status, terminal, evidence} = only(hear(stream));
  return [status, terminal, evidence].join(' ');
};

family(8, 'what follows done changes neither answer, end nor rows', () => {
  const settled = session([user('Hi', 100), assistant('Hello.', 101)]);
  const stream = run().says('Hel', 'lo.').done({session: settled});
  const done = hear(stream);
  stream
    .metering()
    .send('title_status', {status: 'generated'})
    .send('title', {title: 'Greeting'})
    .done({session: settled})
    .end()
    .at(2, 'token', {text: 'lo.'});
  const later = hear(stream, done);
  assert.equal(answerOf(later), 'Hello.');
  for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const) {
    assert.deepEqual(lines(only(later), mode), lines(only(done), mode));
  }
  assert.equal(later.session.title, 'Greeting');
});

family(8, 'a token that comes after done does not grow the answer the session settled', () => {
  const settled = session([user('Hi', 100), assistant('Hello.', 101)]);
  const turn = only(hear(run().says('Hello.').done({session: settled}).says('Hello.')));
  assert.deepEqual([turn.answer.toString(), turn.status], ['Hello.', 'settled']);
});

// Bare frames: no session inside done says what the answer is. Today a late token grows it, and a late tool takes it away.

family(8, 'a token or a tool that comes after done, with no session to correct it, changes no answer', () => {
  for (const stream of [
    run().says('Hello.').done().says('Hello.'),
    run().says('Hello.').done().calls('c1', 'terminal'),
  ]) {
    const turn = only(hear(stream));
    assert.deepEqual([turn.answer.toString(), turn.terminal], ['Hello.', 'completed']);
  }
});

family(9, 'stream_end after done leaves the scene as it is', () => {
  const stream = run().uses('c1', 'read_file', {}, 'A').says('Hello.').done().end();
  const done = only(hear(stream.frames.slice(0, -1)));
  const ended = only(hear(stream));
  for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const) {
    assert.deepEqual(lines(ended, mode), lines(done, mode));
  }
});

family(11, 'stream_end settles nothing: the turn runs on, and what it showed stays', () => {
  const stream = run().uses('c1', 'read_file', {}, 'A').says('Half of');
  const before = hear(stream);
  const after = hear(stream.end(), before);
  assert.deepEqual([only(after).status, only(after).terminal], ['running', null]);
  assert.deepEqual(story(only(after)), story(only(before)));
});

family(11, 'a session that is still pending keeps the turn running, and a settled one ends it', () => {
  const ended = start(hear(run().says('Half of').end()), 'r1', {pending_started_at: 100});
  const pending = {pending_user_message: 'Tell me', pending_started_at: 100, active_stream_id: 'r1'};
  const running = settle(ended, session([], {...pending, updated_at: 101}));
  assert.deepEqual([only(running).status, only(running).prompt], ['running', 'Tell me']);
  assert.equal(answerOf(running), 'Half of');
  const over = settle(running, session([user('Tell me', 100), assistant('Half of it.', 110)]));
  assert.deepEqual([only(over).status, only(over).terminal], ['settled', 'completed']);
  assert.equal(answerOf(over), 'Half of it.');
});

family(18, 'no end leaves a sign of life: neither a status line nor a row that may still grow', () => {
  const open = () => run().thinks('Hm').calls('c1', 'terminal');
  const ends = [
    open().done(),
    open().stops(),
    open().fails('error'),
    open().fails('rate_limit'),
    open().fails('interrupted', {recovery_control: true}),
    open().send('error', {error: 'runner unreachable'}),
    open().bare('apperror', {type: 'interrupted', offline_dropped_events: 3, recovery_control: true}),
    run().done(),
    run().thinks('Only this').done(),
  ];
  for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const) {
    for (const stream of ends) {
      const {rows} = project(only(hear(stream)), mode);
      const alive = rows.filter((row) => row.type === 'status' || ('live' in row && row.live));
      assert.deepEqual(alive, [], `${stream.frames.at(-1)!.name} in ${mode}`);
    }
  }
});

family(18, 'a running turn always has its status line', () => {
  const streams = [run(), run().thinks('Hm'), run().calls('c1', 'terminal'), run().says('So')];
  for (const stream of streams) {
    const turn = only(start(hear(stream), 'r1'));
    assert.match(lines(turn).at(-1)!, /^status /);
  }
});

family(47, 'stopped, silent and failed are told apart by the vocabulary, never by the words', () => {
  const words = 'Cancelled: no response was generated';
  assert.equal(end(run().fails('error', {message: words})), 'settled error observed');
  assert.equal(end(run().fails('no_response', {message: 'error'})), 'settled no_response observed');
  assert.equal(end(run().fails('cancelled', {message: 'rate limit'})), 'settled cancelled observed');
  assert.equal(end(run().fails('quota_exhausted', {message: words})), 'settled error observed');
  assert.equal(
    end(run().fails('error', {terminal_state: 'compression_exhausted'})),
    'settled compression_exhausted observed',
  );
  assert.equal(end(run().stops({message: words})), 'settled cancelled observed');
  assert.equal(end(run().says(words).done()), 'settled completed observed');
});

family(47, 'a notice in the history is read by its marks', () => {
  const notice = (marks: object) => {
    const messages = [user('Go', 100), assistant('Task cancelled.', 101, {_error: true, ...marks})];
    const {terminal, evidence} = only(settle(createTranscript(), session(messages)));
    return [terminal, evidence].join(' ');
  };
  assert.equal(notice({}), 'error inferred');
  assert.equal(notice({type: 'rate_limit'}), 'error settled');
  assert.equal(notice({provider_details_label: 'Cancellation details'}), 'cancelled settled');
  assert.equal(notice({_terminal_state: 'tool_limit_reached'}), 'tool_limit_reached settled');
});

family(48, 'a turn that ends in a tool or a compaction note has no answer, and says so', () => {
  const tail = [user('Go', 100), calling('c1', 'terminal', {}, 101, 'Running it.'), result('c1', 'ok', 102)];
  const note = assistant('[CONTEXT COMPACTION] what was said before', 103);
  for (const messages of [tail, [...tail, note]]) {
    const stream = run()
      .says('Running it.')
      .uses('c1', 'terminal', {}, 'ok')
      .done({session: session(messages)});
    const turn = only(hear(stream));
    assert.deepEqual(
      [turn.terminal, turn.answer.toString(), turn.finalMessageRef],
      ['no_response', '', null],
    );
    const known = only(settle(createTranscript(), session(messages)));
    assert.notEqual(known.terminal, 'completed', 'from history alone');
    assert.equal(known.answerComplete, false);
  }
});

family(49, 'the control prompt of a tool limit is not shown as the reader’s', () => {
  const messages = [
    user('Count all', 100),
    calling('c1', 'terminal', {}, 101),
    result('c1', '1', 102),
    user('You have reached the maximum. Summarise now.', 103, {display_kind: 'control'}),
    assistant('I counted one.', 104, {_terminal_state: 'tool_limit_reached'}),
  ];
  const turn = only(settle(createTranscript(), session(messages)));
  assert.deepEqual(
    [turn.prompt, turn.answer.toString(), turn.terminal],
    ['Count all', 'I counted one.', 'tool_limit_reached'],
  );
  assert.doesNotMatch(lines(turn).join('\n'), /maximum/);
});

family(49, 'done that says tool_limit_reached is not completed', () => {
  const limited = run()
    .uses('c1', 'terminal', {}, '1')
    .says('One.')
    .done({terminal_state: 'tool_limit_reached'});
  assert.equal(end(limited), 'settled tool_limit_reached observed');
  assert.equal(end(run().says('One.').fails('tool_limit_reached')), 'settled tool_limit_reached observed');
});

family(13, 'an apperror is the end by itself, without stream_end', () => {
  assert.equal(end(run().says('Half').fails('rate_limit')), 'settled error observed');
  assert.equal(end(run().says('Half').stops()), 'settled cancelled observed');
});
