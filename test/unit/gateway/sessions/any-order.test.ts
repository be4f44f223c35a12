/** Anything in any order: whatever a reader, an agent and the clock do, each run has one end and nothing is left over. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {RunEvent} from '../../../../src/protocol/index.js';
import {GatewayError} from '../../../../src/gateway/gateway-error.js';
import {random} from '../../recordings/random.js';
import {bench, reader, settled, TIMES, type Bench} from './session-bench.js';

/** Among them is the one that found a timer left by an agent that ended while its session was being opened: 210. */
const SEEDS = {from: 160, to: 240};
const STEPS = 40;

/** Requests so far: an agent does not use an id twice while it is open. */
let asked = 0;

type Deed = (b: Bench, session: string, next: () => number) => unknown;

const lives = (b: Bench) => b.agents.length > 0 && b.agent.exit === null;
const works = (b: Bench) => lives(b) && b.agent.opens('session/prompt') > 0;
const oneOf = <T>(list: readonly T[], next: () => number) => list[Math.floor(next() * list.length)]!;

const deeds: readonly Deed[] = [
  (b, session) => b.start(session, 'Do it'),
  (b, session) => b.start(session, 'Do it'),
  async (b, session) => b.sessions.abort(reader, (await b.active(session)) ?? `${session}.1`),
  (b) => lives(b) && b.agent.text('word '),
  (b) => lives(b) && b.agent.text('word '),
  (b) => lives(b) && b.agent.update({sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look'}),
  (b) => {
    if (lives(b)) void b.agent.asks(asked++, {toolCallId: 't'});
  },
  async (b, session, next) => {
    const {pendingPermissions} = await b.sessions.get(reader, session);
    const id = oneOf(pendingPermissions, next);
    if (id)
      await b.sessions.answer(
        reader,
        id.slice(0, id.lastIndexOf('.p')),
        id,
        oneOf(['a', 'b', 'c', 'x'], next),
      );
  },
  (b, _session, next) => {
    const stopReason = oneOf(['end_turn', 'cancelled', 'refusal', 'max_tokens'], next);
    if (works(b)) b.agent.answers({stopReason});
  },
  (b) => works(b) && b.agent.refuses(-32603, 'Session not found'),
  (b) => lives(b) && b.agent.exits({code: 1}),
  (b, _session, next) => b.clock.pass(oneOf([1, TIMES.grace, TIMES.cancel, TIMES.idle, TIMES.keep], next)),
  (b, session) => b.sessions.setMode(reader, session, 'plan'),
];

test('each run has one beginning and one end, each permission one answer, and nothing is left', async () => {
  for (let seed = SEEDS.from; seed <= SEEDS.to; seed++) {
    const next = random(seed);
    const load = next() < 0.5 ? {} : {'session/load': () => ({})};
    const b = await bench({scripts: [{answers: load}], timeouts: {permission: next() < 0.5 ? null : 30_000}});
    const session = await b.create();
    for (let step = 0; step < STEPS; step++) {
      const doing = Promise.resolve(oneOf(deeds, next)(b, session, next)).catch(refusal);
      // Some wait for what they did, some do not.
      if (next() < 0.8) await settled();
      void doing;
      const open = b.agents.map((agent) => (agent.exit ? 0 : agent.opens('session/prompt')));
      assert.ok(
        open.every((count) => count <= 1),
        `seed ${seed}: two prompts at once`,
      );
      assert.ok(b.agents.filter(({exit}) => !exit).length <= 1, `seed ${seed}: two processes`);
    }
    await settled();
    await b.sessions.stop();
    await check(b, session, `seed ${seed}`);
  }
});

/** A refusal is an answer; anything else is a defect. */
function refusal(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}

async function check(b: Bench, session: string, seed: string): Promise<void> {
  assert.equal(b.clock.waiting, 0, `${seed}: a timer is left`);
  assert.equal(b.tools.size, 0, `${seed}: tools are left`);
  assert.ok(
    b.agents.every(({exit}) => exit),
    `${seed}: a process is left`,
  );
  assert.deepEqual(await b.journal.openRuns(), [], `${seed}: a run is open`);
  const runs = await b.journal.runs(session);
  for (const [n, {id}] of runs.entries()) {
    assert.equal(id, `${session}.${n + 1}`, seed);
    const events = await b.events(id);
    const ends = events.filter(({event}) => /^run\.(completed|failed|cancelled)$/.test(event));
    assert.equal(events[0]?.event, 'run.started', `${seed} ${id}`);
    assert.deepEqual(ends, events.slice(-1), `${seed} ${id}: ${await b.sketch(id)}`);
    assert.deepEqual(
      ids(events, 'permission.resolved'),
      ids(events, 'permission.requested'),
      `${seed} ${id}`,
    );
  }
}

function ids(events: readonly RunEvent[], name: string): readonly string[] {
  return events
    .flatMap((event) => (event.event === name && 'permission_id' in event ? event.permission_id : []))
    .sort();
}
