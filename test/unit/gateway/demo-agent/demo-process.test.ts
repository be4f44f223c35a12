/** The demo agent as a process, through the sessions: what `npm start` runs. */
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import {reader, realBench, type AgentKit, type RealBench} from '../../../support/real-agents/real-bench.js';

const main = join(import.meta.dirname, '../../../../src/gateway/demo-agent/main.ts');

function kit(): AgentKit {
  return {
    name: 'demo',
    runtimeType: 'demo',
    bin: process.execPath,
    args: ['--import', import.meta.resolve('tsx'), main],
    env: {HERMES_DEMO_PACE: '0'},
    files: () => ({'notes/draft.md': '# Draft\n\nTeh plan.\n'}),
    shell: () => '',
    note: () => '',
  };
}

const it = (name: string, body: (bench: RealBench) => Promise<void>): void => {
  test(name, {timeout: 120_000}, async (context: TestContext) => body(await realBench(context, kit())));
};

const pageContext = 'Open note: Draft (docId: draft)';

it('a change is asked for, allowed, made, and stands in the transcript with its diff and artifact', async (bench) => {
  const session = await bench.create();
  const run = await bench.start(session, 'tidy', pageContext);
  const asked = await run.until('permission.requested');
  assert.match(JSON.stringify(asked.content), /"type":"diff","path":"draft.md"/);
  assert.deepEqual(
    asked.options.map(({kind}) => kind),
    ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
  );
  await run.answer('allow_once');
  const end = await run.ended();
  assert.equal(end.event, 'run.completed', run.sketch);
  assert.equal(await bench.note('draft.md'), '# Draft\n\nThe plan.\n');
  const {transcript} = await bench.sessions.get(reader, session);
  const [turn] = (
    transcript as {turns: {prompt: string; answer: string; artifacts: object[]; plan: object[]}[]}
  ).turns;
  assert.equal(turn?.prompt, 'tidy');
  assert.match(turn?.answer ?? '', /The note is tidy now\.$/);
  const [artifact] = turn?.artifacts as {path: string; change: string}[];
  assert.deepEqual([artifact?.path, artifact?.change], ['draft.md', 'modified']);
  assert.equal(turn?.plan.length, 3);
});

it('a run that stalls is stopped by the reader', async (bench) => {
  const run = await bench.start(await bench.create(), 'stall');
  await run.until('thought.delta');
  await bench.sessions.abort(reader, run.id);
  assert.equal((await run.ended()).event, 'run.cancelled');
});

it('a crash is an interrupted run, and the next prompt is answered', async (bench) => {
  const session = await bench.create();
  const crashed = await bench.run(session, 'crash');
  const {terminal_state} = await crashed.until('run.failed');
  assert.equal(terminal_state, 'interrupted');
  const next = await bench.run(session, 'summarise', pageContext);
  assert.equal((await next.ended()).event, 'run.completed', next.sketch);
});

it("told to fail, the run fails with the agent's words", async (bench) => {
  const run = await bench.run(await bench.create(), 'fail');
  assert.match((await run.until('run.failed')).error, /as it was told to/);
});

test('after a restart it goes on where it was', {timeout: 120_000}, async (context) => {
  const bench = await realBench(context, {...kit(), sessionsIn: 'HERMES_DEMO_DIR'});
  const session = await bench.create();
  await bench.run(session, 'summarise', pageContext);
  await bench.restart();
  const run = await bench.run(session, 'summarise', pageContext);
  const end = await run.ended();
  assert.equal(end.event, 'run.completed', run.sketch);
  assert.ok(end.event === 'run.completed' && (end.cacheHitTokens ?? 0) > 0, 'it remembers the first turn');
  assert.equal(run.all('notice').length, 0, run.sketch);
});
