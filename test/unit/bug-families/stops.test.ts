import assert from 'node:assert/strict';
import {family} from './family.js';
import {assistant, hear, lines, only, run, session, settle, story, user} from './wire.js';

family(45, 'a stop keeps what was said, thought and run, and the reader’s message, each once', () => {
  const settled = session([
    user('Build it', 100),
    assistant('Starting', 101, {
      _partial: true,
      reasoning: 'Make first.',
      _partial_tool_calls: [{name: 'terminal', args: {command: 'make'}, done: false, tid: 'c1'}],
    }),
    assistant('Task cancelled.', 102, {_error: true, provider_details_label: 'Cancellation details'}),
  ]);
  const stream = run().thinks('Make first.').says('Starting ').calls('c1', 'terminal', {command: 'make'});
  const stopped = hear(stream.stops({session: settled}));
  for (const transcript of [stopped, settle(stopped, settled)]) {
    const turn = only(transcript);
    assert.deepEqual(lines(turn, 'transparent-stream'), [
      'prompt Build it',
      'thought Make first.',
      ...['prose Starting', 'tool terminal make (cancelled)'],
      'ended cancelled',
    ]);
  }
});

family(45, 'a stop that is known from frames alone hides nothing either', () => {
  const stopped = only(hear(run().says('Starting').calls('c1', 'terminal', {command: 'make'}).stops()));
  assert.deepEqual(story(stopped), ['prose Starting', 'tool:c1 cancelled']);
  assert.match(lines(stopped, 'compact-worklog').join('\n'), /worklog .* \(open\)/);
});

family(46, 'a late stop of an old run leaves the newer turn alone', () => {
  const old = run('r1').says('One.').done();
  const both = hear(run('r2').says('Two'), hear(old));
  const late = hear(run('r1').at(old.seq, 'cancel', {message: 'late'}), both);
  assert.equal(late.turns[1], both.turns[1], 'the newer turn keeps its reference');
  assert.deepEqual([late.turns[1]!.status, late.turns[1]!.terminal], ['running', null]);
});

family(
  46,
  'without a proof a stopped run is the turn that was stopped, not the newer one that completed',
  () => {
    const stopped = {_error: true, provider_details_label: 'Cancellation details'};
    const messages = [
      user('One', 100),
      assistant('Task cancelled.', 101, stopped),
      user('Two', 200),
      assistant('Done.', 201),
    ];
    const {turns} = settle(hear(run().says('Half').stops()), session(messages));
    assert.deepEqual(
      turns.map(({id, terminal}) => `${id} ${terminal}`),
      ['r1 cancelled', 'm2 completed'],
    );
  },
);

family(46, 'tokens of a worker that outlived its turn stay in that turn', () => {
  const both = hear(run('r2').says('Two'), hear(run('r1').says('One').stops()));
  const late = hear([{id: 'r1:2', name: 'token', data: {text: ' more'}}], both);
  assert.equal(late.turns[1], both.turns[1]);
  assert.equal(late.turns[0]!.terminal, 'cancelled');
});
