import assert from 'node:assert/strict';
import {createTranscript} from '../../../src/anchor/index.js';
import {family} from './family.js';
import {
  answerOf,
  assistant,
  calling,
  hear,
  hearSlowly,
  only,
  result,
  run,
  session,
  settle,
  story,
  user,
} from './wire.js';

family(20, 'the same words as thought and as prose are two items, each owned by its channel', () => {
  const turn = only(hear(run().thinks('The gauge is dry.').says('The gauge is dry.').done()));
  assert.deepEqual(story(turn), ['reasoning The gauge is dry.', 'answer The gauge is dry.']);
});

family(20, 'a thought that settles beside its answer is not shown a second time', () => {
  const live = hear(run().thinks('Dry.').says('It is dry.').done());
  const later = settle(
    live,
    session([user('Well?', 100), assistant('It is dry.', 101, {reasoning: 'Dry.'})]),
  );
  assert.deepEqual(story(only(later)), ['reasoning Dry.', 'answer It is dry.']);
});

family(21, 'an echo is cut from the end of the nearest thought, and only there', () => {
  const echoed = run()
    .thinks('Checking the index.')
    .says('Start.')
    .calls('c1', 'read_file')
    .thinks('First this. Checking the index.')
    .interim('Checking the index.', false, {reasoning_echo: true})
    .says('Done. Checking the index.')
    .done();
  assert.deepEqual(story(only(hear(echoed))), [
    'reasoning Checking the index.',
    'prose Start.',
    'tool:c1 interrupted',
    'reasoning First this.',
    'prose Checking the index.',
    'answer Done. Checking the index.',
  ]);
});

family(21, 'without the mark a thought keeps its end', () => {
  const said = run().thinks('So: yes.').interim('yes.').done();
  assert.deepEqual(story(only(hear(said))), ['reasoning So: yes.', 'answer yes.']);
});

family(22, 'deltas are added up, however many of them make a batch', () => {
  const deltas = Array.from({length: 500}, (_, n) =>
    n % 7 === 0 ? ' ' : String.fromCharCode(97 + (n % 26)),
  );
  const stream = run()
    .says(...deltas)
    .done();
  for (const size of [1, 3, 499, 501]) {
    let transcript = createTranscript();
    for (let at = 0; at < stream.frames.length; at += size) {
      transcript = hear(stream.frames.slice(at, at + size), transcript);
    }
    assert.equal(answerOf(transcript), deltas.join(''), `in batches of ${size}`);
  }
});

family(24, 'prose in the middle of a turn survives the reload, also when the answer begins with it', () => {
  const messages = [
    user('Is it dry?', 100),
    calling('c1', 'read_gauge', {}, 101, 'It is dry'),
    result('c1', '0 mm', 102),
    assistant('It is dry since Monday.', 103),
  ];
  assert.deepEqual(story(only(settle(createTranscript(), session(messages)))), [
    'prose It is dry',
    'tool:c1 completed',
    'answer It is dry since Monday.',
  ]);
});

family(24, 'live and reloaded name the same final segment as the answer', () => {
  const live = run()
    .says('It is dry')
    .uses('c1', 'read_gauge', {}, '0 mm')
    .says('It is dry since Monday.')
    .done();
  assert.deepEqual(story(only(hear(live))), [
    'prose It is dry',
    'tool:c1 completed',
    'answer It is dry since Monday.',
  ]);
});

family(25, 'what was streamed of the answer becomes the answer, and no copy of its beginning stays', () => {
  const messages = [user('Well?', 100), assistant('It is dry since Monday.', 101)];
  const torn = run().says('It is ', 'dry');
  const lost = run().says('It is ').at(4, 'token', {text: 'since'}).done();
  for (const stream of [torn, lost]) {
    const turn = only(settle(hear(stream.end()), session(messages)));
    assert.deepEqual(story(turn).slice(0, -1), []);
    assert.equal(turn.answer.toString(), 'It is dry since Monday.');
  }
});

family(25, 'prose that only begins like the answer is not taken for it', () => {
  const stream = run().interim('It is').says('It is dry.').done();
  assert.deepEqual(story(only(hear(stream))), ['prose It is', 'answer It is dry.']);
});

family(28, 'the last character before a tool is there, in one batch or in many', () => {
  const stream = run()
    .says('Reading', ' it now', '!')
    .calls('c1', 'read_file')
    .thinks('Hm', '.')
    .calls('c2', 'read_file');
  const shown = ['prose Reading it now!', 'tool:c1 running', 'reasoning Hm.', 'tool:c2 running'];
  assert.deepEqual(story(only(hear(stream))), shown);
  assert.deepEqual(story(only(hearSlowly(stream))), shown);
});

family(
  28,
  'an interim text that claims to be streamed is believed only where the open message ends with it',
  () => {
    const repeated = run()
      .says('Once more.')
      .interim('Once more.', true)
      .uses('c1', 'terminal', {}, 'ok')
      .interim('Once more.', true)
      .says('Done.');
    assert.deepEqual(story(only(hear(repeated))), [
      'prose Once more.',
      'tool:c1 completed',
      'prose Once more.',
      'answer Done.',
    ]);
  },
);
