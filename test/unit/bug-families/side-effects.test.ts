import assert from 'node:assert/strict';
import {createTranscript} from '../../../src/anchor/index.js';
import {family} from './family.js';
import {
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
  user,
} from './wire.js';

const diff = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,1 @@\n+text\n`;
const messages = [
  user('Write it', 100),
  calling('c1', 'patch', {path: 'a.md'}, 101),
  result('c1', 'ok', 102, {diff: diff('a.md')}),
  assistant('Written.', 103),
];
const work = () =>
  run()
    .uses('c1', 'patch', {path: 'a.md'}, JSON.stringify({output: 'ok', diff: diff('a.md')}))
    .send('state_saved', {session_id: 'a1c0', kind: 'memory', action: 'saved', name: 'gauge'})
    .says('Written.')
    .done();

family(43, 'what was saved is kept at settlement, and stands beside the activity and not in it', () => {
  const live = hear(work());
  const settled = settle(live, session(messages));
  for (const transcript of [live, settled]) {
    const turn = only(transcript);
    assert.deepEqual(turn.sideEffects, [{kind: 'memory', action: 'saved', name: 'gauge'}]);
    assert.deepEqual(story(turn), ['tool:c1 completed', 'answer Written.']);
    assert.match(lines(turn, 'compact-worklog').join('\n'), /^saved memory saved gauge$/m);
  }
});

family(43, 'written files are kept at settlement, each with the call that wrote it', () => {
  const turn = only(settle(hear(work()), session(messages)));
  assert.deepEqual(
    turn.artifacts.map(({path, change, itemId}) => [path, change, itemId]),
    [['a.md', 'created', 'tool:c1']],
  );
});

family(44, 'artifacts are known from settled calls too', () => {
  const reloaded = only(settle(createTranscript(), session(messages)));
  assert.deepEqual(reloaded.artifacts, only(settle(hear(work()), session(messages))).artifacts);
  const unheard = run().uses('c1', 'patch', {path: 'a.md'}, 'ok').says('Written.').done();
  assert.deepEqual(only(hear(unheard)).artifacts, []);
  const gained = only(settle(hear(unheard), session(messages)));
  assert.deepEqual(
    gained.artifacts.map(({path}) => path),
    ['a.md'],
  );
});

family(44, 'a call that failed wrote nothing', () => {
  const preview = JSON.stringify({error: 'denied', diff: diff('a.md')});
  const failed = run().calls('c1', 'patch').ends('c1', 'patch', preview, {is_error: true}).says('No.').done();
  assert.deepEqual(only(hear(failed)).artifacts, []);
});

const task = {
  session_id: 'a1c0',
  task_id: 'p7',
  event_id: 'e0e1',
  completed_at: 1790000000,
  summary: 'built',
};

family(56, 'a background task that is told twice is one fact, by its own id', () => {
  const stream = run()
    .says('Hi.')
    .at(1, 'bg_task_complete', task)
    .at(1, 'process_complete', task)
    .says(' Bye.');
  const transcript = hear(stream);
  assert.deepEqual(only(transcript).sideEffects, [{kind: 'background', action: 'completed', name: 'built'}]);
  assert.equal(only(transcript).answer.toString(), 'Hi. Bye.');
  assert.deepEqual(comparable(hear(stream, transcript)), comparable(transcript));
});

family(56, 'two tasks under one borrowed id are two facts', () => {
  const other = {...task, task_id: 'p8', event_id: 'e0e2', summary: 'tested'};
  const stream = run().says('Hi.').at(1, 'bg_task_complete', task).at(1, 'bg_task_complete', other);
  assert.deepEqual(
    only(hear(stream)).sideEffects.map(({name}) => name),
    ['built', 'tested'],
  );
});

family(56, 'a task told without any id is told once to the session, whichever stream says it', () => {
  const frames = ['bg_task_complete', 'process_complete'].map((name) => ({id: null, name, data: task}));
  const transcript = hear(frames, hear(frames));
  assert.deepEqual(transcript.session.sideEffects, [
    {kind: 'background', action: 'completed', name: 'built'},
  ]);
  assert.deepEqual(transcript.turns, []);
});

const todo = (content: string, status = 'pending') => ({
  session_id: 'a1c0',
  ts: 1790000000,
  todos: content === '' ? [] : [{id: '1', content, status}],
  version: 1,
});

family(57, 'of todo lists the newest position wins, in whatever order they come', () => {
  const stream = run()
    .send('todo_state', todo('old'))
    .metering()
    .send('todo_state', todo('new', 'completed'));
  const [first, second, third] = stream.frames;
  for (const order of [
    [first, second, third],
    [third, second, first],
    [first, third, second, first],
  ]) {
    const turn = only(hear(order.map((frame) => frame!)));
    assert.deepEqual(turn.plan, [{content: 'new', status: 'completed', priority: null}]);
  }
});

family(57, 'an empty list is a list: it replaces the one before it', () => {
  const stream = run().send('todo_state', todo('old')).send('todo_state', todo(''));
  assert.deepEqual(only(hear(stream)).plan, []);
  const said = run().send('todo_state', todo('old')).send('todo_state', {ts: 1});
  assert.equal(only(hear(said)).plan?.length, 1, 'a frame without a list says nothing');
});
