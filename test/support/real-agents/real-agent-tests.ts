/** What every real agent must do through the sessions, as tests over a kit. */
import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import type {RunEvent} from '../../../src/protocol/index.js';
import {mockAnswer, mockAnswerAfterTools} from '../mock-model/mock-model.js';
import {reader, realBench, welcome, type AgentKit, type RealBench, type RunReader} from './real-bench.js';

/** Where agents differ (acp.md B1 and B3). */
export interface AgentWays {
  /** How a turn ends when its tool was refused. */
  readonly afterReject: 'run.completed' | 'run.cancelled';
  /** Whether a share of cached tokens is known. */
  readonly cacheHitRate: number | null;
  /** Whether it asks before it calls a note tool. */
  readonly asksForNotes: boolean;
}

export function realAgentTests(kit: AgentKit, ways: AgentWays): void {
  const skip = kit.bin === null && `${kit.name} is not installed here.`;
  const it = (name: string, body: (bench: RealBench) => Promise<void>): void => {
    test(`${kit.name}: ${name}`, {skip, timeout: 120_000}, async (context: TestContext) => {
      const bench = await realBench(context, kit);
      await body(bench);
      assertContiguous(await everything(bench));
    });
  };

  it("a text comes in pieces and ends completed, with the model's cache figures", async (bench) => {
    const run = await bench.start(await bench.create(), 'SLOW please');
    await run.until('message.delta', isAnswer);
    bench.model.release();
    await run.ended();
    assertAnswered(run);
    assert.ok(run.all('message.delta').length > 1, 'pieces');
    const end = await run.ended();
    assert.equal(end.event, 'run.completed');
    if (end.event !== 'run.completed') return;
    assert.equal(end.output, run.text);
    const {cacheHitRate = null} = end;
    if (ways.cacheHitRate === null) assert.equal(cacheHitRate, null);
    else assert.ok(Math.abs((cacheHitRate ?? 0) - ways.cacheHitRate) < 1e-9, `rate ${cacheHitRate}`);
    assert.equal(end.cacheHitTokens ?? null, ways.cacheHitRate === null ? null : 1024);
  });

  it('a model that refuses is a failed run with a sentence', async (bench) => {
    const run = await bench.run(await bench.create(), 'HTTP401');
    const {error} = await run.until('run.failed');
    assert.ok(error.length > 0);
  });

  it('a tool that is allowed runs', async (bench) => {
    const run = await bench.start(await bench.create(), kit.shell('echo hi > made.txt && cat made.txt'));
    await run.answer('allow_once');
    assert.equal((await run.ended()).event, 'run.completed');
    const resolved = await run.until('permission.resolved');
    assert.deepEqual([resolved.by, resolved.option_kind], ['reader', 'allow_once']);
    const tool = await run.until('tool.completed');
    assert.equal(tool.status, 'completed', run.sketch);
    assert.match(JSON.stringify([tool.content, tool.output]), /hi/);
    assert.match(run.text, new RegExp(mockAnswerAfterTools));
  });

  it('a tool that is refused does not run', async (bench) => {
    const run = await bench.start(await bench.create(), kit.shell('echo hi > made.txt'));
    await run.answer('reject_once');
    assert.equal((await run.ended()).event, ways.afterReject, run.sketch);
    const tools = run.all('tool.completed');
    assert.equal(tools.length, 1, run.sketch);
    assert.notEqual(tools[0]?.status, 'completed');
  });

  it('a cancel while it streams stops it, and the next prompt is answered', async (bench) => {
    const session = await bench.create();
    const run = await bench.start(session, 'SLOW please');
    await run.until('message.delta', isAnswer);
    await bench.sessions.abort(reader, run.id);
    assert.equal((await run.ended()).event, 'run.cancelled');
    bench.model.release();
    assertAnswered(await bench.run(session, 'HELLO again'));
  });

  it('a cancel while a permission is open closes the permission and the tool', async (bench) => {
    const session = await bench.create();
    const run = await bench.start(session, kit.shell('echo hi > made.txt'));
    await run.until('permission.requested');
    await bench.sessions.abort(reader, run.id);
    assert.equal((await run.ended()).event, 'run.cancelled');
    assert.equal((await run.until('permission.resolved')).by, 'cancel');
    const started = run.all('tool.started').map(({tool_call_id}) => tool_call_id);
    const completed = run.all('tool.completed').map(({tool_call_id}) => tool_call_id);
    assert.deepEqual(completed, started, run.sketch);
    assertAnswered(await bench.run(session, 'HELLO again'));
  });

  it('killed while it streams, the run is interrupted and the next prompt has a new process', async (bench) => {
    const session = await bench.create();
    const run = await bench.start(session, 'SLOW please');
    await run.until('message.delta', isAnswer);
    const before = await bench.agentPids();
    assert.equal(before.length, 1);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const end = await run.ended();
    assert.equal(end.event, 'run.failed', run.sketch);
    assert.equal(end.terminal_state, 'interrupted');
    bench.model.release();
    assertAnswered(await bench.run(session, 'HELLO again'));
    assert.notDeepEqual(await bench.agentPids(), before);
  });

  it('after a restart the session is loaded, and nothing is said twice', async (bench) => {
    const session = await bench.create();
    await bench.run(session, 'HELLO there');
    await bench.restart();
    assertAnswered(await bench.run(session, 'HELLO once more'));
    const last = bench.model.requests.at(-1);
    const asked = JSON.stringify(last?.messages ?? last);
    assert.match(asked, /HELLO there/, 'the model sees the first turn');
    assert.equal((await everything(bench)).filter(({event}) => event === 'run.started').length, 2);
  });

  it('a note is read and edited through the tools', async (bench) => {
    const edits = [{oldText: 'One line.', newText: 'Two lines.'}];
    const prompt = [
      kit.note('mnote_doc_fetch', {docId: 'welcome'}),
      kit.note('mnote_doc_markdown_edit', {docId: 'welcome', revision: '$revision', edits}),
    ].join('\n');
    const session = await bench.create();
    const run = await bench.start(session, prompt);
    const ended = run.ended();
    if (ways.asksForNotes) await allowAll(bench, run.id, ended);
    assert.equal((await ended).event, 'run.completed', run.sketch);
    assert.equal(await bench.note(), welcome.replace('One line.', 'Two lines.'), run.sketch);
    const {transcript} = await bench.sessions.get(reader, session);
    const [turn] = (transcript as {turns: {artifacts: {path: string; change: string}[]}[]}).turns;
    const artifacts = turn?.artifacts.map(({path, change}) => ({path, change}));
    assert.deepEqual(artifacts, [{path: 'welcome.md', change: 'modified'}], run.sketch);
  });

  it('no process is left when the sessions stop', async (bench) => {
    await bench.create();
    const pids = await bench.agentPids();
    assert.equal(pids.length, 1);
    await bench.sessions.stop();
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });
}

function isAnswer({delta}: RunEvent<'message.delta'>): boolean {
  return delta.includes('Hello');
}

/** Codex puts a warning of its own in front of the answer (acp.md B3.7). */
function assertAnswered({text, sketch}: RunReader): void {
  assert.ok(text.endsWith(mockAnswer) && text.split(mockAnswer).length === 2, sketch);
}

/** Allows whatever is asked until the run is over. */
async function allowAll(bench: RealBench, run: string, ended: Promise<unknown>): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  const answered = new Set<string>();
  while (!over) {
    const frames = await bench.journal.read({run}, null, 1000);
    for (const {data} of frames) {
      const event = JSON.parse(data) as RunEvent;
      if (event.event !== 'permission.requested' || answered.has(event.permission_id)) continue;
      answered.add(event.permission_id);
      const option = event.options.find(({kind}) => kind === 'allow_once');
      await bench.sessions.answer(reader, run, event.permission_id, option?.id ?? '');
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function everything(bench: RealBench): Promise<readonly RunEvent[]> {
  const sessions = await bench.journal.sessions(reader.subject);
  const frames = await Promise.all(sessions.map(({id}) => bench.journal.read({session: id}, null, 10_000)));
  return frames.flat().map(({data}) => JSON.parse(data) as RunEvent);
}

function assertContiguous(events: readonly RunEvent[]): void {
  const last = new Map<string, number>();
  for (const {run_id, seq} of events) {
    assert.equal(seq, (last.get(run_id) ?? 0) + 1, run_id);
    last.set(run_id, seq);
  }
}
