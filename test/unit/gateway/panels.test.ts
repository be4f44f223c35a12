/** Panels side by side through one gateway with real processes: none waits for another, and nothing is left of any. */
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import * as v8 from 'node:v8';
import {systemClock, type Clock} from '../../../src/gateway/clock.js';
import {createGateway, type Gateway} from '../../../src/gateway/gateway.js';
import {OpenStream} from '../../../src/gateway/http/open-stream.js';
import {thisMachine} from '../../../src/gateway/profiles/machine.js';
import type {Profile} from '../../../src/gateway/profiles/profile.js';
import {Recorder} from '../../../src/gateway/recorder.js';
import {AgentHost} from '../../../src/gateway/sessions/agent-host.js';
import {GatewaySession} from '../../../src/gateway/sessions/gateway-session.js';
import {RunLife} from '../../../src/gateway/sessions/run-life.js';
import type {RunEvent} from '../../../src/protocol/index.js';
import {fakeAgent, type FakeAgent, type Scenario} from '../../support/fake-agent/fake-agent.js';

const done = {answer: {stopReason: 'end_turn'}};
const base = 'http://127.0.0.1/api/hermes/client';

/** A clock that knows how many of its timers wait. */
class CountingClock implements Clock {
  readonly #waiting = new Set<unknown>();

  get waiting(): number {
    return this.#waiting.size;
  }

  now(): number {
    return systemClock.now();
  }

  setTimeout(run: () => void, ms: number): unknown {
    const timer: unknown = systemClock.setTimeout(() => {
      this.#waiting.delete(timer);
      run();
    }, ms);
    this.#waiting.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#waiting.delete(timer);
    systemClock.clearTimeout(timer);
  }
}

interface Health {
  readonly sessions: number;
  readonly streams: number;
  readonly runtimes: readonly {name: string; sessions: number}[];
}

class Desk<Name extends string> {
  #closing: Promise<unknown> | null = null;

  constructor(
    readonly gateway: Gateway,
    readonly agents: Readonly<Record<Name, FakeAgent>>,
    readonly clock: CountingClock,
  ) {}

  ask(method: string, path: string, body?: object): Promise<Response> {
    const headers = body ? {'content-type': 'application/json'} : {};
    const init = {method, headers, ...(body && {body: JSON.stringify(body)})};
    return this.gateway.fetch(new Request(`${base}/${path}`, init));
  }

  async create(profile: Name): Promise<string> {
    const answer = await this.ask('POST', 'sessions', {profile});
    assert.equal(answer.status, 201, await answer.clone().text());
    return ((await answer.json()) as {sessionId: string}).sessionId;
  }

  async start(sessionId: string, prompt = 'Hello'): Promise<string> {
    const answer = await this.ask('POST', 'runs', {sessionId, prompt});
    assert.equal(answer.status, 202, await answer.clone().text());
    return ((await answer.json()) as {runId: string}).runId;
  }

  async stream(run: string): Promise<ReadableStream<Uint8Array>> {
    return (await this.ask('GET', `events/${run}`)).body!;
  }

  /** The events of a run, to its end. */
  async events(run: string): Promise<readonly RunEvent[]> {
    return eventsOf(await new Response(await this.stream(run)).text());
  }

  async health(): Promise<Health> {
    return (await (await this.ask('GET', 'health')).json()) as Health;
  }

  /** Once: what the test has closed itself is not closed again. */
  closeAgents(): Promise<unknown> {
    return (this.#closing ??= Promise.all(
      Object.values<FakeAgent>(this.agents).map((agent) => agent.close()),
    ));
  }

  /** When every session rests and every stream has ended. */
  async atRest(): Promise<void> {
    for (;;) {
      const {sessions, streams} = await this.health();
      if (sessions === 0 && streams === 0) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function eventsOf(text: string): readonly RunEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as RunEvent);
}

/** A gateway whose profiles are fake agents. */
async function open<Name extends string>(
  context: TestContext,
  scenarios: Readonly<Record<Name, Scenario>>,
  timeouts: Partial<Profile['timeouts']> = {},
): Promise<Desk<Name>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hermes-panels-'));
  const names = Object.keys(scenarios) as Name[];
  const fakes = await Promise.all(names.map((name) => fakeAgent(scenarios[name])));
  const profiles = names.map((name, at) => {
    const {command: bin, args, env} = fakes[at]!.launch;
    return {name, bin, args, env, timeouts: {start: 120_000, grace: 1, ...timeouts}};
  });
  await writeFile(join(dataDir, 'config.json'), JSON.stringify({profiles}));
  const clock = new CountingClock();
  const machine = {...thisMachine(), env: {PATH: process.env['PATH'] ?? ''}};
  // The tools have a port and a token a session, too, though nobody is behind them.
  const tools = 'http://127.0.0.1:9/tools';
  const gateway = await createGateway({dataDir, machine, clock, tools, hosts: 'any'});
  const agents = Object.fromEntries(names.map((name, at) => [name, fakes[at]!])) as Record<Name, FakeAgent>;
  const desk = new Desk(gateway, agents, clock);
  context.after(async () => {
    await gateway.stop();
    await desk.closeAgents();
    await rm(dataDir, {recursive: true});
  });
  return desk;
}

test('one agent stalls and one floods a reader who does not read; the third answers, again and again', async (context) => {
  const desk = await open(
    context,
    {
      stalls: {on: {'session/prompt': [{text: 'Slow'}, {pause: 'stalled'}]}},
      floods: {on: {'session/prompt': [{repeat: {times: 1e9, steps: [{text: `$n ${'x'.repeat(500)}`}]}}]}},
      answers: {on: {'session/prompt': [{text: 'Quick'}, done]}},
    },
    {cancel: 100},
  );
  const [stalls, floods, answers] = await Promise.all([
    desk.create('stalls'),
    desk.create('floods'),
    desk.create('answers'),
  ]);
  const stalled = await desk.start(stalls);
  await desk.agents.stalls.reached('stalled');
  const flooded = await desk.start(floods);
  // Two readers: one takes the first piece and no more, one takes nothing.
  const reader = (await desk.stream(flooded)).getReader();
  await reader.read();
  await desk.stream(flooded);
  for (let turn = 1; turn <= 5; turn++) {
    const events = await desk.events(await desk.start(answers, `Turn ${turn}`));
    assert.deepEqual(
      events.map(({event}) => event),
      ['run.started', 'message.delta', 'run.completed'],
    );
  }
  const active = async (session: string) =>
    ((await (await desk.ask('GET', `sessions/${session}`)).json()) as {activeRunId: string | null})
      .activeRunId;
  assert.equal(await active(stalls), stalled, 'the one still stalls');
  assert.equal((await desk.ask('POST', 'runs', {sessionId: floods, prompt: 'More'})).status, 409);
  for (const run of [flooded, stalled])
    assert.equal((await desk.ask('POST', `runs/${run}/abort`)).status, 202);
  for (const run of [flooded, stalled]) {
    const events = await desk.events(run);
    assert.equal(events.at(-1)!.event, 'run.cancelled', run);
    assert.deepEqual(
      events.map(({seq}) => seq),
      events.map((_, at) => at + 1),
      run,
    );
  }
  await desk.gateway.stop();
  await Promise.all(Object.values(desk.agents).map((agent) => agent.dead()));
});

test('the eleventh busy session of a runtime is refused in a sentence; the ten go on, and so do other runtimes', async (context) => {
  const desk = await open(context, {
    full: {on: {'session/prompt': [{text: 'Half'}, {pause: 'half'}, {text: ' done.'}, done]}},
    other: {},
  });
  const ten = await Promise.all(Array.from({length: 10}, () => desk.create('full')));
  const runs = await Promise.all(ten.map((session) => desk.start(session)));
  for (const _ of ten) await desk.agents.full.reached('half');
  const refusal = await desk.ask('POST', 'sessions', {profile: 'full'});
  assert.equal(refusal.status, 429);
  const {code, error, limit} = (await refusal.json()) as Record<string, unknown>;
  assert.deepEqual([code, limit], ['too-many-sessions', 10]);
  assert.match(String(error), /^full already has 10 sessions at work, which is its limit\. Wait .+\.$/);
  const others = await desk.events(await desk.start(await desk.create('other')));
  assert.equal(others.at(-1)!.event, 'run.completed');
  desk.agents.full.release('half');
  for (const run of runs) {
    const [end] = (await desk.events(run)).slice(-1) as readonly RunEvent<'run.completed'>[];
    assert.equal(end?.output, 'Half done.');
  }
  await desk.create('full');
});

const ROUNDS = 5;
const linux = existsSync('/proc/self/fd');
const skip = !linux && 'Only Linux tells what a process holds.';

/** What of a gateway would be found in the heap if any map, timer or listener still held it. */
const living = {GatewaySession, RunLife, Recorder, OpenStream, AgentHost};

/** What is over by itself in a moment; and pipes, which the descriptors count: those of tsx come and go with its work. */
const passing = new Set(['Immediate', 'FSReqPromise', 'FSReqCallback', 'PipeWrap']);

/** What this process holds. */
function census(desk: Desk<string> | null) {
  const tasks = readdirSync('/proc/self/task');
  const descriptors = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).replace(/\[?\d+\]?$/, '');
    } catch {
      // The one that read this folder.
      return '';
    }
  });
  return {
    children: tasks.flatMap((task) => words(readFileSync(`/proc/self/task/${task}/children`, 'utf8'))),
    // A closed journal is let go when its statements are collected: the SQLite package, see `closeJournal`.
    descriptors: descriptors.filter((name) => name && !name.includes('hermes-panels-')).sort(),
    resources: process
      .getActiveResourcesInfo()
      .filter((name) => !passing.has(name))
      .sort(),
    timers: desk?.clock.waiting ?? 0,
  };
}

const words = (text: string) => text.split(/\s+/).filter(Boolean);

// Node tells it, its types of Node 20 do not yet.
const {queryObjects} = v8 as unknown as {queryObjects(of: unknown, as: {format: 'count'}): number};

test(
  "an hour's runs, sessions resting and coming back between them, leave nothing",
  {skip},
  async (context) => {
    // Node's warning of it opens the output, which stays.
    queryObjects(GatewaySession, {format: 'count'});
    await new Promise((resolve) => process.stderr.write('', resolve));
    await new Promise((resolve) => process.stdout.write('', resolve));
    const before = census(null);
    const desk = await open(
      context,
      {
        answers: {on: {'session/prompt': [{text: 'Quick'}, done]}},
        stalls: {
          on: {'session/prompt': [{text: 'Slow'}, {waitCancel: true}, {answer: {stopReason: 'cancelled'}}]},
        },
        // A crash in each turn would be started less and less often; this one leaves after each.
        leaves: {on: {'session/prompt': [{text: 'Bye'}, done, {exit: 0}]}},
      },
      {keep: 30},
    );
    const names = Object.keys(desk.agents) as (keyof typeof desk.agents)[];
    const sessions: (readonly [(typeof names)[number], string])[] = [];
    for (const name of names) {
      for (let n = 0; n < 4; n++) sessions.push([name, await desk.create(name)]);
    }
    const ends = {answers: 'run.completed', stalls: 'run.cancelled', leaves: 'run.completed'};
    const turn = async (name: (typeof names)[number], session: string) => {
      const run = await desk.start(session);
      // One reader leaves early, one reads on.
      const leaving = (await desk.stream(run)).getReader();
      await leaving.read();
      if (name === 'stalls') await desk.ask('POST', `runs/${run}/abort`);
      const events = await desk.events(run);
      await leaving.cancel();
      assert.equal(events.at(-1)!.event, ends[name], run);
    };
    const rested: ReturnType<typeof census>[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      await Promise.all(sessions.map(([name, session]) => turn(name, session)));
      await desk.atRest();
      await Promise.all(Object.values(desk.agents).map((agent) => agent.dead()));
      const {runtimes} = await desk.health();
      assert.deepEqual(runtimes.map((runtime) => runtime.sessions).filter(Boolean), []);
      for (const [name, type] of Object.entries(living))
        assert.equal(queryObjects(type, {format: 'count'}), 0, `round ${round}: a ${name} is held`);
      rested.push(census(desk));
    }
    // The first round opens what stays: the journal's files, the port of the tools.
    for (const later of rested.slice(1)) assert.deepEqual(later, rested[0]);
    assert.deepEqual(rested[0]!.children, before.children);
    await desk.gateway.stop();
    assert.equal(desk.clock.waiting, 0);
    await desk.closeAgents();
    assert.deepEqual(census(null), before);
  },
);
