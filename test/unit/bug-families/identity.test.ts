import assert from 'node:assert/strict';
import {applySnapshot, createTranscript, toSnapshot} from '../../../src/anchor/index.js';
import {family} from './family.js';
import {
  answerOf,
  assistant,
  comparable,
  hear,
  hearSlowly,
  only,
  run,
  session,
  settle,
  start,
  story,
  tool,
  user,
} from './wire.js';

const work = () =>
  run()
    .thinks('Two files. ')
    .says('Looking')
    .says(' around.')
    .uses('c1', 'read_file', {path: 'a.md'}, 'A')
    .metering()
    .thinks('Enough.')
    .says('Both are')
    .says(' fine.')
    .done()
    .end();

const settled = session([user('Check them', 100), assistant('Both are fine.', 104)]);

family(1, 'live, done and history are one turn with one id, and its items keep theirs', () => {
  const {frames} = work();
  const live = hear(frames.slice(0, -2));
  const done = hear(frames.slice(-2), live);
  const later = settle(done, settled);
  for (const transcript of [live, done, later]) assert.equal(only(transcript).id, 'r1');
  const ids = (transcript: typeof live) => [...only(transcript).items].map(({id}) => id);
  assert.deepEqual(ids(later), ids(live));
  assert.equal(only(later).answerId, only(live).answerId);
  assert.equal(only(later).finalMessageRef, 'm1');
});

family(1, 'history first and frames after it meet in the same turn', () => {
  const frames = work();
  const begun = (transcript = createTranscript()) => start(transcript, 'r1', {pending_started_at: 100.25});
  const first = hear(frames, begun(settle(createTranscript(), settled)));
  assert.deepEqual(comparable(first), comparable(settle(hear(frames, begun()), settled)));
});

family(2, 'a replay of any prefix leaves text, thinking and tools once', () => {
  const {frames} = work();
  const whole = hear(frames);
  for (let cut = 1; cut <= frames.length; cut++) {
    const again = hear(frames.slice(0, cut), whole);
    assert.equal(again, whole, `the transcript is the same reference after a replay of ${cut} frames`);
    const resumed = hear(frames, hear(frames.slice(0, cut)));
    assert.deepEqual(comparable(resumed), comparable(whole), `replay from the start after ${cut} frames`);
  }
});

family(2, 'a replayed frame is counted as a duplicate, not applied', () => {
  const {frames} = work();
  const twice = hear(frames, hear(frames));
  const {applied, duplicate} = only(twice).stats;
  assert.deepEqual({applied, duplicate}, {applied: frames.length, duplicate: frames.length});
});

family(7, 'equal positions in a new run are not taken for those of the old one', () => {
  const first = run('r1').says('One.').done().end();
  const second = run('r2').says('Two.').done().end();
  const {turns} = hear(second, hear(first));
  assert.deepEqual(
    turns.map(({id, answer}) => `${id} ${answer.toString()}`),
    ['r1 One.', 'r2 Two.'],
  );
});

family(26, 'text and commands that are said twice stay twice', () => {
  const twice = run();
  for (const call of ['c1', 'c2']) twice.says('Once more.').uses(call, 'terminal', {command: 'make'}, 'ok');
  twice.says('ha', 'ha');
  for (const transcript of [hear(twice), hearSlowly(twice)]) {
    assert.deepEqual(story(only(transcript)), [
      'prose Once more.',
      'tool:c1 completed',
      'prose Once more.',
      'tool:c2 completed',
      'answer haha',
    ]);
  }
});

family(26, 'frames without identity are appended, never dropped for saying the same', () => {
  const anonymous = run().says('a');
  for (let n = 0; n < 3; n++) anonymous.bare('token', {text: 'b'});
  assert.equal(answerOf(hear(anonymous)), 'abbb');
});

family(42, 'a run is known by its run id, and found by its stream id when the transport changed', () => {
  const begun = start(createTranscript(), 's9', {run_id: 'r1'});
  assert.deepEqual(only(begun).streamIds, ['s9']);
  const marked = session([user('Hi', 100), assistant('Hello.', 101, {_anchor_stream_id: 's9'})]);
  const turn = only(settle(begun, marked));
  assert.deepEqual([turn.id, turn.prompt, turn.finalMessageRef], ['s9', 'Hi', 'm1']);
});

family(42, 'the stream a frame came on owns it only when the frame names no run', () => {
  const frames = run('r1').says('Mine.').bare('token', {text: ' Also.'}).frames;
  const {turns} = hear(frames, createTranscript(), 's9');
  assert.deepEqual(
    turns.map(({id, answer}) => `${id} ${answer.toString()}`),
    ['r1 Mine.', 's9  Also.'],
  );
});

family(50, 'rows stand by position, whatever order frames arrive in', () => {
  const {frames} = work();
  const mixed = [...frames.slice(5), ...frames.slice(0, 5).reverse()];
  assert.deepEqual(comparable(hear(mixed)), comparable(hear(frames)));
  const slowly = work();
  slowly.frames.reverse();
  assert.deepEqual(comparable(hearSlowly(slowly)), comparable(hear(frames)));
});

family(50, 'turns stand by their messages, not by which run was seen first', () => {
  const first = run('r1').says('One.').done();
  const second = run('r2').says('Two.').done();
  const messages = [user('A', 100), assistant('One.', 101), user('B', 200), assistant('Two.', 201)];
  const one = start(createTranscript(), 'r2', {pending_started_at: 200});
  const both = hear(first, start(hear(second, one), 'r1', {pending_started_at: 100}));
  assert.deepEqual(
    settle(both, session(messages)).turns.map(({id}) => id),
    ['r1', 'r2'],
  );
});

family(37, 'a call id belongs to its turn: the same one in two turns is two calls', () => {
  const first = run('r1').uses('call_1', 'read_file', {path: 'a'}, 'A').says('Read.').done();
  const second = run('r2').uses('call_1', 'write_file', {path: 'b'}, 'B').says('Written.').done();
  const {turns} = hear(second, hear(first));
  assert.deepEqual(
    turns.map((turn) => tool(turn, 'call_1').name),
    ['read_file', 'write_file'],
  );
});

family(3, 'a reload that restores text and replays from the start shows everything once', () => {
  const {frames} = work();
  const whole = comparable(hear(frames));
  for (let cut = 1; cut < frames.length; cut++) {
    const cache: unknown = JSON.parse(JSON.stringify(toSnapshot(hear(frames.slice(0, cut)))));
    const restored = applySnapshot(createTranscript(), cache, 'cache');
    assert.deepEqual(comparable(hear(frames, restored)), whole, `replay over a cache of ${cut} frames`);
    if (only(restored).status === 'settled') continue;
    assert.deepEqual(comparable(hear(frames.slice(cut), restored)), whole, `tail after ${cut} frames`);
  }
});

family(3, 'the cursor is kept with the text it belongs to', () => {
  const {frames} = work();
  const [turn] = toSnapshot(hear(frames.slice(0, 3))).turns;
  assert.deepEqual([turn!.cursor, turn!.answer], ['r1:3', 'Looking around.']);
});
