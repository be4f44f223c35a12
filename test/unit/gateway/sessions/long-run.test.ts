/** An hour's worth of runs, compressed: whatever becomes of them, nothing of them is left. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ScriptedAgent} from './scripted-agent.js';
import {bench, reader, settled, TIMES, type Bench} from './session-bench.js';

type Fate = (b: Bench, run: string, agent: ScriptedAgent) => Promise<void>;

const fates: readonly Fate[] = [
  async (_b, _run, agent) => {
    agent.text('Done.');
    agent.answers({stopReason: 'end_turn'});
    await settled();
  },
  async (b, run, agent) => {
    await b.sessions.abort(reader, run);
    agent.answers({stopReason: 'cancelled'});
  },
  async (b, run) => {
    await b.sessions.abort(reader, run);
    await b.clock.pass(TIMES.cancel);
  },
  async (_b, _run, agent) => {
    agent.text('Half');
    agent.exits({code: 1});
    await settled();
  },
  async (b, run, agent) => {
    const asked = agent.asks(0, {toolCallId: 't'});
    await settled();
    await b.sessions.answer(reader, run, `${run}.p1`, 'c');
    await asked;
    agent.refuses(-32603, 'model unavailable');
  },
  async (b, _run, agent) => {
    void agent.asks(0, {toolCallId: 't'});
    await settled();
    await b.clock.pass(TIMES.idle);
    agent.exits({signal: 'SIGKILL'});
    await settled();
  },
];

test('runs of every fate leave no process, timer, tool, place or open run', async () => {
  const b = await bench();
  const sessions = await Promise.all(Array.from({length: 8}, () => b.create()));
  for (let round = 0; round < 12; round++) {
    for (const [n, session] of sessions.entries()) {
      const run = await b.start(session, `Round ${round} of ${session}`);
      assert.equal(run, `${session}.${round + 1}`);
      const agent = b.agents.find(({heard}) =>
        JSON.stringify(heard.at(-1)).includes(`Round ${round} of ${session}"`),
      )!;
      await fates[(round + n) % fates.length]!(b, run, agent);
      await b.afterGrace();
      // Agents that died are not started again at once.
      await b.clock.pass(5_000);
      assert.match(await b.sketch(run), /run\.(completed|cancelled|failed).*$/);
    }
  }
  await b.clock.pass(TIMES.keep + 1);
  await settled();
  assert.ok(b.agents.every(({exit}) => exit !== null));
  assert.equal(b.clock.waiting, 0);
  assert.equal(b.tools.size, 0);
  assert.deepEqual(await b.journal.openRuns(), []);
  const {sessions: open} = (await b.sessions.health()) as {sessions: number};
  assert.equal(open, 0);
  assert.deepEqual(
    (await b.sessions.profiles(reader)).map(({sessions: places}) => places),
    [0, 0],
  );
});
