import assert from 'node:assert/strict';
import {
  applySnapshot,
  createTranscript,
  toSnapshot,
  turnDigest,
  type FoldedTranscript,
} from '../../../src/anchor/index.js';
import {toActivityScene} from '../../../src/scene/activity-scene.js';
import {toMarkdown} from '../../../src/scene/export.js';
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
  run,
  session,
  settle,
  tool,
  user,
} from './wire.js';

const HALF = '\uD83D';

/** Everything that is made of a transcript, so that whatever breaks on a text breaks here. */
function useAll(transcript: FoldedTranscript): string {
  const snapshot = JSON.stringify(toSnapshot(transcript));
  applySnapshot(createTranscript(), JSON.parse(snapshot), 'history');
  for (const turn of transcript.turns) {
    turnDigest(turn);
    for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const) project(turn, mode);
    toActivityScene(turn, {sessionId: 'a1c0'});
  }
  return snapshot + toMarkdown(transcript.turns);
}

family(59, 'half a surrogate pair is a text like any other: in deltas, names, keys and ids', () => {
  const stream = run(`r${HALF}`, `a1c0`)
    .thinks(`Hm ${HALF}`)
    .uses(`c${HALF}`, `read${HALF}`, {[HALF]: HALF}, `A ${HALF}`)
    .send('approval', {command: HALF, approval_id: HALF})
    .says(`It is ${HALF}`)
    .done();
  const transcript = hear(stream);
  useAll(transcript);
  assert.equal(answerOf(transcript), `It is ${HALF}`);
  assert.deepEqual(
    [tool(only(transcript), `c${HALF}`).name, only(transcript).id],
    [`read${HALF}`, `r${HALF}`],
  );
});

family(59, 'a pair that is cut between two deltas is whole again', () => {
  assert.equal(answerOf(hear(run().says('\uD83D', '\uDE00'))), '😀');
});

family(60, 'fields nobody knows go nowhere: not into rows, snapshots or exports', () => {
  const secret = {_replay: 'SECRET', _gateway_mirror_token: 'SECRET', internal: {token: 'SECRET'}};
  const messages = [
    user('Go', 100, secret),
    {...calling('c1', 'terminal', {command: 'make'}, 101), ...secret},
    {...result('c1', 'ok', 102), ...secret},
    assistant('Done.', 103, secret),
  ];
  const stream = run()
    .send('token', {text: 'Going.', ...secret})
    .send('reasoning', {text: 'Hm.', ...secret})
    .send('tool', {name: 'terminal', args: {command: 'make'}, tid: 'c1', ...secret})
    .send('approval', {command: 'make', approval_id: 'p1', pattern_keys: ['SECRET'], ...secret})
    .send('tool_complete', {name: 'terminal', preview: 'ok', tid: 'c1', ...secret})
    .send('interim_assistant', {text: 'On.', already_streamed: false, ...secret})
    .send('metering', {tps: 1, ...secret})
    .send('todo_state', {todos: [{content: 'a', status: 'pending', ...secret}], ...secret})
    .send('state_saved', {kind: 'memory', action: 'saved', ...secret})
    .send('nobody_knows', secret)
    .send('done', {session: session(messages, secret), usage: {input_tokens: 1, ...secret}, ...secret});
  const transcript = settle(hear(stream), session(messages, secret));
  assert.doesNotMatch(useAll(transcript), /SECRET/);
});

const names = ['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', 'valueOf'];

family(65, 'event names that are members of a prototype are unknown names, each counted', () => {
  const stream = run().says('Hi.');
  for (const name of names) stream.send(name, {text: 'never'});
  const transcript = hear(stream.says(' Bye.'));
  assert.equal(answerOf(transcript), 'Hi. Bye.');
  assert.deepEqual(
    Object.entries(only(transcript).stats.excluded),
    names.map((name) => [name, 1]),
  );
  assert.equal(only(transcript).cursor, `r1:${stream.seq}`, 'they hold their position');
});

family(65, 'calls, tools, sessions and runs may be called like members of a prototype', () => {
  for (const name of names) {
    const stream = run(name, name).metering().uses(name, name, {}, 'ok').says('Done.').done();
    const transcript = hear(stream);
    useAll(transcript);
    const {status, name: toolName} = tool(only(transcript), name);
    assert.deepEqual(
      [only(transcript).id, transcript.session.id, toolName, status],
      [name, name, name, 'completed'],
    );
    assert.match(lines(only(transcript), 'compact-worklog').join('\n'), /Used 1 tool/);
  }
});

family(65, 'keys of arguments and payloads reach no prototype', () => {
  const bad = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"path":"a"}';
  const frame = (seq: number, name: string, data: string) => ({id: `r1:${seq}`, name, data});
  const transcript = hear([
    frame(1, 'tool', `{"name":"read_file","tid":"c1","args":${bad}}`),
    frame(2, 'token', '{"text":"Hi.","__proto__":{"text":"polluted"}}'),
    frame(3, 'context_status', `{"prefill":${bad}}`),
    frame(4, 'token', '{"__proto__":{"text":"polluted"}}'),
  ]);
  const {args} = tool(only(transcript), 'c1');
  assert.deepEqual(Object.keys(args), ['path']);
  assert.equal(answerOf(transcript), 'Hi.');
  assert.equal(({} as {polluted?: boolean}).polluted, undefined);
  assert.doesNotMatch(useAll(transcript), /polluted/);
});

family(65, 'a snapshot with such keys is read without them', () => {
  const json = JSON.stringify(
    toSnapshot(hear(run().uses('c1', 'read_file', {path: 'a'}, 'A').says('Hi.').done())),
  );
  const bad = json.replace('"path":"a"', '"path":"a","__proto__":{"polluted":true}');
  assert.notEqual(bad, json);
  const transcript = applySnapshot(createTranscript(), JSON.parse(bad), 'history');
  assert.deepEqual(Object.keys(tool(only(transcript), 'c1').args), ['path']);
  assert.deepEqual(
    comparable(transcript),
    comparable(applySnapshot(createTranscript(), JSON.parse(json), 'history')),
  );
});

family(65, 'what is no object, no text or no JSON is counted and holds its position', () => {
  const stream = run().says('Hi');
  for (const data of ['null', '[1]', '7', '{"text":', 'plain words']) {
    stream.seq++;
    stream.frames.push({id: `r1:${stream.seq}`, name: 'token', data});
  }
  stream.send('token', {text: 7}).send('token', {text: null}).send('tool', {name: 5, args: 'x'}).says('!');
  const turn = only(hear(stream));
  assert.equal(turn.answer.toString(), '!');
  assert.equal(turn.stats.excluded['malformed:token'], 5);
  assert.equal(turn.cursor, `r1:${stream.seq}`);
});
