import assert from 'node:assert/strict';
import {readPending} from '../../../src/adapters/index.js';
import {family} from './family.js';
import {comparable, hear, lines, only, run, story, tool, type Run} from './wire.js';

const approval = (id: string, more: object = {}) => ({
  command: 'rm -r build',
  description: 'recursive delete',
  pattern_keys: ['recursive_delete'],
  approval_id: id,
  pending_count: 1,
  ...more,
});
const question = (id: string) => ({
  question: 'Which folder?',
  choices_offered: ['a', 'b'],
  clarify_id: id,
  kind: 'clarify',
  expires_at: 0,
});
const controls = (stream: Run) =>
  [...only(hear(stream)).items].flatMap(({control}) => (control ? [`${control.id} ${control.status}`] : []));

family(54, 'a question waits while it is the last thing, and not any more once the run goes on', () => {
  assert.deepEqual(controls(run().send('clarify', question('q1')).metering()), ['q1 pending']);
  assert.deepEqual(controls(run().send('clarify', question('q1')).says('Thanks.')), ['q1 answered']);
  assert.deepEqual(controls(run().send('clarify', question('q1')).calls('c1', 'terminal')), ['q1 answered']);
});

family(54, 'a question that is said again is the same question and still waits', () => {
  const again = run().send('clarify', question('q1')).metering().send('clarify', question('q1'));
  assert.deepEqual(controls(again), ['q1 pending']);
});

family(54, 'a second question closes the first and not itself', () => {
  const two = run().send('clarify', question('q1')).send('clarify', question('q2'));
  assert.deepEqual(controls(two), ['q1 answered', 'q2 pending']);
});

family(54, 'no end of the run leaves a question waiting', () => {
  const asked = () => run().send('clarify', question('q1')).send('approval', approval('p1'));
  for (const stream of [
    asked().done(),
    asked().stops(),
    asked().fails('error'),
    asked().send('error', {error: 'x'}),
  ]) {
    assert.deepEqual(controls(stream), ['q1 answered', 'p1 stale'], stream.frames.at(-1)!.name!);
  }
});

family(54, 'the tool behind a question hides, and the question itself stays in sight', () => {
  const stream = run().calls('c1', 'clarify', {question: 'Which folder?'}).send('clarify', question('q1'));
  const shown = lines(only(hear(stream)), 'compact-worklog').join('\n');
  assert.match(shown, /clarify Which folder\? \(pending\)/);
  assert.doesNotMatch(shown, /tool clarify/);
});

family(55, 'an approval that is replayed after it was answered asks nobody', () => {
  const stream = run()
    .calls('c1', 'terminal', {command: 'rm -r build'})
    .send('approval', approval('p1'))
    .ends('c1', 'terminal', 'gone')
    .says('Removed.');
  const replayed = hear(stream, hear(stream.frames.slice(0, 2)));
  assert.deepEqual(story(only(replayed)), ['tool:c1 completed', 'permission answered', 'answer Removed.']);
});

family(55, 'each approval is known by its exact id', () => {
  const two = run()
    .send('approval', approval('p1'))
    .metering()
    .send('approval', approval('p2', {command: 'make'}));
  assert.deepEqual(controls(two), ['p1 answered', 'p2 pending']);
  const first = run().send('approval', approval('p1', {pending_count: 1}));
  const again = run()
    .send('approval', approval('p1'))
    .send('approval', approval('p1', {pending_count: 2}));
  assert.deepEqual(controls(again), controls(first));
});

family(
  55,
  'what waits now is named by the server, with its exact id; nothing waits when it names none',
  () => {
    const pending = readPending({pending: approval('p1', {session_id: 'a1c0'}), pending_count: 1});
    assert.deepEqual([pending?.control, pending?.controlId], ['permission', 'p1']);
    assert.equal(readPending({pending: question('q1'), pending_count: 1})?.controlId, 'q1');
    assert.equal(readPending({pending: null, pending_count: 0}), null);
  },
);

family(55, 'the side stream’s hint makes no second card', () => {
  const stream = run().send('approval', approval('p1'));
  const hinted = hear(
    [{id: null, name: 'approval', data: {pending: approval('p1'), pending_count: 1}}],
    hear(stream),
    'r1',
  );
  assert.deepEqual(story(only(hinted)), ['permission pending']);
});

family(
  55,
  'an approval of the gateway belongs to the run of its frame, whatever run its payload names',
  () => {
    const mirror = approval('gwlocal:0a1b', {
      run_id: 'other_run',
      _gateway_mirror: true,
      choices: ['once', 'deny'],
      tool: 'terminal',
    });
    const first = hear(run().send('approval', mirror));
    assert.deepEqual([only(first).id, only(first).runIds], ['r1', ['r1']]);
    const stream = run()
      .calls('c1', 'terminal')
      .send('approval', mirror)
      .ends('c1', 'terminal', 'ok')
      .says('Done.');
    const turn = only(hear(stream));
    assert.deepEqual([turn.stats.mismatched, tool(turn, 'c1').status], [0, 'completed']);
    const [options] = [...turn.items].flatMap(({control}) => (control ? [control.options] : []));
    assert.deepEqual(
      options!.map(({id}) => id),
      ['once', 'deny'],
    );
  },
);

family(
  55,
  'the command of an approval is there in full, and its buttons offer no more than the server allows',
  () => {
    const command = `echo ${'x'.repeat(9000)}`;
    const [item] = only(
      hear(run().send('approval', approval('p1', {command, allow_permanent: false}))),
    ).items;
    assert.equal(item!.text.toString(), command);
    assert.deepEqual(
      item!.control!.options.map(({id}) => id),
      ['once', 'session', 'deny'],
    );
  },
);

family(54, 'an answer changes nothing until the server says it: the fold has no way to answer', () => {
  const asked = hear(run().send('clarify', question('q1')));
  const later = hear([{id: 'r1:2', name: 'metering', data: {}}], asked);
  assert.deepEqual(story(only(later)), ['clarify pending']);
  assert.notDeepEqual(
    comparable(later),
    comparable(hear([{id: 'r1:2', name: 'token', data: {text: 'ok'}}], asked)),
  );
});
