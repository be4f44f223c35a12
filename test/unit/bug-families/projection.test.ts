import assert from 'node:assert/strict';
import {createTranscript} from '../../../src/anchor/index.js';
import {expectedRows, project, type DisplayMode} from '../../../src/scene/index.js';
import {family} from './family.js';
import {
  assistant,
  calling,
  hear,
  lines,
  only,
  result,
  rowOf,
  run,
  session,
  settle,
  start,
  user,
} from './wire.js';

const modes = [
  'compact-worklog',
  'transparent-stream',
  'answer-only',
] as const satisfies readonly DisplayMode[];
const work = () =>
  run().says('Looking.').thinks('Hm.').uses('c1', 'read_file', {path: 'a.md'}, 'A').says('It is dry.');

family(27, 'a live row that grows leaves every other row the very same object', () => {
  const stream = work();
  const before = hear(stream);
  const after = hear([{id: `r1:${stream.seq + 1}`, name: 'token', data: {text: ' Since Monday.'}}], before);
  for (const mode of modes) {
    const old = project(only(before), mode);
    const {rows} = project(only(after), mode, old);
    const changed = rows.filter((row, n) => row !== old.rows[n]).map(({type}) => type);
    assert.deepEqual(changed, ['answer'], mode);
  }
});

family(27, 'rows keep their ids from the first token to the settlement', () => {
  const stream = work();
  const settled = settle(hear(stream.done()), session([user('Dry?', 100), assistant('It is dry.', 104)]));
  for (const mode of modes) {
    const ids = (transcript: typeof settled) => project(only(transcript), mode).rows.map(({id}) => id);
    const live = ids(hear(stream.frames.slice(0, -1))).filter((id) => id !== 'status');
    assert.deepEqual(ids(settled), ['prompt', ...live], mode);
  }
});

family(29, 'one more token of a long turn makes one piece and one row anew', () => {
  const stream = run();
  for (let n = 0; n < 2000; n++) stream.uses(`c${n}`, 'read_file', {path: `${n}.md`}, 'ok');
  const before = hear(stream.says('It', ' is'));
  const after = hear([{id: `r1:${stream.seq + 1}`, name: 'token', data: {text: ' dry.'}}], before);
  const [old, now] = [only(before), only(after)];
  assert.equal(now.items.firstDifference(old.items), 2000, 'items before the last are shared');
  assert.ok(now.answer.extends(old.answer));
  assert.equal(now.answer.since(old.answer.length), ' dry.', 'a view reads only what is new');
  const scene = project(old, 'transparent-stream');
  const {rows} = project(now, 'transparent-stream', scene);
  assert.equal(rows.filter((row, n) => row !== scene.rows[n]).length, 1);
});

family(31, 'a turn of prose alone has no worklog and folds nothing', () => {
  for (const stream of [
    run().says('It is dry.'),
    run().says('It is dry.').done(),
    run().interim('So.').says('Dry.').done(),
  ]) {
    const scene = project(only(hear(stream)), 'compact-worklog');
    assert.equal(
      scene.rows.some(({type}) => type === 'worklog-summary'),
      false,
    );
    assert.ok(expectedRows(scene).every(({hidden}) => !hidden));
  }
});

family(31, 'a thought, a tool or a running compression makes one', () => {
  const phase = () => run().send('compressing', {message: 'Compressing'});
  for (const stream of [run().thinks('Hm.'), run().calls('c1', 'terminal'), phase()]) {
    assert.ok(rowOf(only(hear(stream.says('Dry.'))), 'compact-worklog', 'worklog-summary'));
  }
});

family(32, 'the answer is outside the activity in every mode, live and settled', () => {
  const stream = work();
  const live = hear(stream);
  const settled = settle(hear(stream.done()), session([user('Dry?', 100), assistant('It is dry.', 104)]));
  for (const transcript of [live, settled]) {
    for (const mode of modes) {
      const scene = project(only(transcript), mode);
      const shown = expectedRows(scene).find(({type}) => type === 'answer');
      const said = scene.rows.find((row) => row.type === 'answer')?.text.toString();
      assert.deepEqual([shown?.hidden, said], [false, 'It is dry.'], mode);
    }
  }
});

family(33, 'a failed turn opens its work by itself, a completed one folds it', () => {
  const opens = (stream: ReturnType<typeof run>) =>
    rowOf(only(hear(stream)), 'compact-worklog', 'worklog-summary')!.defaultOpen;
  for (const type of ['error', 'rate_limit', 'no_response', 'tool_limit_reached', 'compression_exhausted']) {
    assert.equal(opens(work().fails(type)), true, type);
  }
  assert.equal(opens(work().stops()), true);
  assert.equal(opens(work().done()), false);
});

family(33, 'what the reader chose wins over the default', () => {
  const folded = (stream: ReturnType<typeof run>, open: boolean) =>
    expectedRows(project(only(hear(stream)), 'compact-worklog'), {open: new Map([['worklog', open]])}).some(
      ({hidden}) => hidden,
    );
  assert.equal(folded(run().thinks('Hm.').says('Half').fails('error'), false), true);
  assert.equal(folded(run().thinks('Hm.').says('Dry.').done(), true), false);
});

family(23, 'prose is not gathered at the top: rows stand in true order in every mode that draws them', () => {
  const stream = run();
  for (const n of ['1', '2'])
    stream.says(`Step ${n}.`).uses(`c${n}`, 'terminal', {command: `make ${n}`}, 'ok');
  const turn = only(hear(stream.says('Done.').done()));
  assert.deepEqual(lines(turn), [
    'prose Step 1.',
    'tool terminal make 1',
    'prose Step 2.',
    'tool terminal make 2',
    'answer Done.',
  ]);
  const compact = lines(turn, 'compact-worklog').map((line) => line.trim());
  assert.deepEqual(
    compact.filter((line) => /^(?:prose|tool )/.test(line)),
    lines(turn).slice(0, 4),
  );
});

family(62, 'a settlement replaces rows in place: nothing is missing in between', () => {
  const begun = start(createTranscript(), 'r1', {pending_started_at: 100});
  const stream = run()
    .thinks('Hm.')
    .says('Looking.')
    .uses('c1', 'read_file', {path: 'a.md'}, 'A')
    .says('It is dry.');
  const live = hear(stream, begun);
  const messages = [
    user('Dry?', 100),
    assistant('Looking.', 101, {reasoning: 'Hm.'}),
    calling('c1', 'read_file', {path: 'a.md'}, 102),
    result('c1', 'A', 103),
    assistant('It is dry.', 104),
  ];
  const settled = settle(live, session(messages));
  const done = hear(stream.done(), settled);
  for (const transcript of [live, settled, done]) {
    const rows = lines(only(transcript)).filter((line) => !/^(?:status|prompt)/.test(line));
    assert.deepEqual(
      rows.map((line) => line.replace(' (live)', '')),
      ['thought Hm.', 'prose Looking.', 'tool read_file a.md', 'answer It is dry.'],
    );
  }
});
