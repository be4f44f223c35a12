/**
 * `kill -9` of a gateway at any moment of a run: what a reader saw is there at the next start, once, in order and byte for
 * byte; the run reads as interrupted, with its artifacts; and no agent outlives it.
 *
 * Five moments, or as many as HERMES_KILLS says, from HERMES_KILL_SEED on.
 */
import assert from 'node:assert/strict';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {get, request, type IncomingMessage} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {test, type TestContext} from 'node:test';
import {processStart} from '../../../src/gateway/agent/process-identity.mjs';
import type {RunEvent} from '../../../src/protocol/index.js';
import {fakeAgent, type FakeAgent, type Scenario} from '../../support/fake-agent/fake-agent.js';
import {random} from '../recordings/random.js';

const KILLS = Number(process.env['HERMES_KILLS'] ?? 5);
const FIRST_SEED = Number(process.env['HERMES_KILL_SEED'] ?? 1);

const ROUNDS = 100;
/** About as many as the run below has. */
const FRAMES = ROUNDS * 5 + 2;
/** Cursors from which each run is replayed, beside its first and its last. */
const CURSORS = 12;

const diff = (n: string) => ({type: 'diff', path: `/notes/${n}.md`, oldText: null, newText: `Note ${n}\n`});

/** A run that would never end: words, thoughts and changed files, and a permission that nobody answers. */
const scenario: Scenario = {
  on: {
    'session/prompt': [
      {permission: {toolCall: {toolCallId: 'asked', title: 'rm', kind: 'execute'}, wait: false}},
      {
        repeat: {
          times: ROUNDS,
          steps: [
            {thought: 'Hm $n. '},
            {update: {sessionUpdate: 'tool_call', toolCallId: 't$n', title: 'Write $n', kind: 'edit'}},
            {text: 'Zeile $n – 你好 🌍.\n'},
            {
              update: {
                sessionUpdate: 'tool_call_update',
                toolCallId: 't$n',
                status: 'completed',
                content: [diff('$n')],
              },
            },
            {update: {sessionUpdate: 'of_tomorrow', n: '$n'}},
          ],
        },
      },
      {never: true},
    ],
  },
  start: [{reportProcess: true}],
};
const stubborn: Scenario = {
  ...scenario,
  ignoreEof: true,
  ignoreSigterm: true,
  start: [{reportProcess: true}, {child: {name: 'tool', ignoreSigterm: true}}],
};

interface Moment {
  readonly profile: 'willing' | 'stubborn';
  /** Killed when a reader has seen so many frames; 0 while the run is being asked for. */
  readonly frames: number;
  /** And so many turns of our loop later, so that it is not always just after a read. */
  readonly turns: number;
  next(): number;
}

function momentOf(seed: number): Moment {
  const next = random(seed);
  const profile = seed % 2 === 0 ? 'willing' : 'stubborn';
  // One in ten before there is anything to see.
  const frames = next() < 0.1 ? 0 : Math.ceil(next() * FRAMES);
  return {profile, frames, turns: Math.floor(next() * 50), next};
}

test(`a gateway killed at any moment has lost nothing that was seen (${KILLS} from seed ${FIRST_SEED})`, async (context) => {
  const desk = await Desk.open(context);
  const kept = new Map<string, Buffer>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + KILLS; seed++) {
    const moment = momentOf(seed);
    const seen = await killed(desk, moment, seed);
    await desk.start();
    const whole = await asSeen(desk, seen, moment);
    if (whole) kept.set(seen.run, whole);
    const ms = await seen.dead;
    assert.ok(ms < 5000, `${seen.told}: agents lived for ${Math.round(ms)} ms`);
    context.diagnostic(
      `${seen.told} of ${framesOf(whole ?? noBytes).length}; its agent ${Math.round(ms)} ms`,
    );
  }
  for (const [id, whole] of kept) assert.ok((await desk.bytes(`events/${id}`)).equals(whole), id);
});

/** What readers had when their gateway died. */
interface Seen {
  readonly session: string;
  readonly run: string;
  readonly ofSession: Buffer;
  readonly ofRun: Buffer;
  /** How long processes of the agent lived after it, in ms. */
  readonly dead: Promise<number>;
  readonly told: string;
}

async function killed(desk: Desk, {profile, frames, turns}: Moment, seed: number): Promise<Seen> {
  const {sessionId: session} = await desk.post('sessions', {profile});
  const inSession = new Reader(desk.url(`sessions/${session}/events`));
  await inSession.opened;
  const asked = desk.post('runs', {sessionId: session, prompt: `Seed ${seed}`}).catch(() => null);
  const inRun = frames === 0 ? null : new Reader(desk.url(`events/${(await asked)!.runId}`));
  await inRun?.seen(frames);
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  const start = performance.now();
  const dead = desk
    .kill()
    .then(() => desk.noAgents(profile))
    .then(() => performance.now() - start);
  await Promise.all([inRun?.closed, inSession.closed, asked]);
  return {
    session,
    run: `${session}.1`,
    ofSession: inSession.bytes,
    ofRun: inRun?.bytes ?? noBytes,
    dead,
    told: `seed ${seed}, ${profile}, ${inRun?.lastSeq ?? 0} frames seen`,
  };
}

/** What the next gateway has is what was seen and goes on from there; the run's bytes, null if it never stood. */
async function asSeen(desk: Desk, seen: Seen, {next}: Moment): Promise<Buffer | null> {
  const {session, run, told} = seen;
  const {transcript, activeRunId, pendingPermissions} = await desk.get(`sessions/${session}`);
  assert.deepEqual({activeRunId, pendingPermissions}, {activeRunId: null, pendingPermissions: []}, told);
  const [turn] = transcript?.turns ?? [];
  await sessionHolds(desk, seen, turn !== undefined);
  // Killed before the run stood: then nobody has been told of it.
  if (turn === undefined && seen.ofRun.length === 0) return null;
  const whole = await desk.bytes(`events/${run}`);
  holds(whole, seen.ofRun, told);
  const events = eventsOf(whole);
  isInterrupted(events, told);
  assert.equal(turn?.terminal, 'interrupted', told);
  const artifacts = turn.artifacts.map(({path}) => path);
  assert.deepEqual(artifacts, changedFiles(events), `${told}: artifacts`);
  const cursors = Array.from({length: CURSORS}, () => Math.floor(next() * events.length));
  for (const seq of [0, ...cursors, events.length - 1]) {
    const replay = await desk.bytes(`events/${run}?after_seq=${seq}`);
    assert.ok(replay.equals(after(whole, seq)), `${told}: from ${seq}`);
  }
  return whole;
}

const noBytes = Buffer.alloc(0);

/** What was seen, to its last byte, is how the whole begins. */
function holds(whole: Buffer, seen: Buffer, told: string): void {
  assert.ok(whole.subarray(0, seen.length).equals(seen), `${told}: not the bytes that were live`);
}

async function sessionHolds(desk: Desk, {session, run, ofSession, told}: Seen, hasRun: boolean) {
  const again = new Reader(desk.url(`sessions/${session}/events`));
  const hasEnd = () => again.events.some((event) => event.run_id === run && event.event === 'run.failed');
  await again.until(() => again.bytes.length >= ofSession.length && (!hasRun || hasEnd()));
  again.close();
  holds(again.bytes, ofSession, `${told}: session`);
  const ids = again.events.map(({run_id, seq}) => `${run_id}:${seq}`);
  assert.equal(new Set(ids).size, ids.length, `${told}: session, each once`);
}

function isInterrupted(events: readonly RunEvent[], told: string): void {
  assert.deepEqual(
    events.map(({seq}) => seq),
    events.map((_, at) => at + 1),
    `${told}: each once, in order`,
  );
  const ends = events.filter(({event}) => /^run\.(?:completed|failed|cancelled)$/.test(event));
  assert.deepEqual(ends, events.slice(-1), told);
  const [end] = ends as readonly RunEvent<'run.failed'>[];
  assert.equal(end?.terminal_state, 'interrupted', told);
}

/** The files that the tools which ended have changed. */
function changedFiles(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.event !== 'tool.completed' || event.status !== 'completed') return [];
    return (event.content ?? []).map((block) => (block as {path: string}).path);
  });
}

const framesOf = (bytes: Buffer): readonly string[] =>
  bytes
    .toString('utf8')
    .split(/(?<=\n\n)/)
    .filter((frame) => frame.startsWith('id: ') && frame.endsWith('\n\n'));

const eventsOf = (bytes: Buffer): readonly RunEvent[] =>
  framesOf(bytes).map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)![1]!) as RunEvent);

/** The stream as one who begins after `seq` gets it: what opens every stream, then the rest. */
function after(whole: Buffer, seq: number): Buffer {
  const [opening = ''] = /^.*?(?=id: )/s.exec(whole.toString('utf8')) ?? [];
  return Buffer.from(opening + framesOf(whole).slice(seq).join(''));
}

/** Reads a stream and keeps its bytes, until it ends, is cut, or is closed. */
class Reader {
  readonly opened: Promise<void>;
  readonly closed: Promise<void>;
  #bytes: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #told = () => {};
  readonly #request;

  constructor(url: string) {
    this.#request = get(url, {agent: false});
    this.closed = new Promise((resolve) => this.#request.once('close', resolve));
    void this.closed.then(() => {
      this.#isClosed = true;
      this.#told();
    });
    this.#request.on('error', () => {});
    this.opened = new Promise((resolve) =>
      this.#request.once('response', (response: IncomingMessage) => {
        response.on('error', () => {});
        response.on('data', (piece: Buffer) => {
          this.#bytes = Buffer.concat([this.#bytes, piece]);
          this.#told();
        });
        resolve();
      }),
    );
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get events(): readonly RunEvent[] {
    return eventsOf(this.#bytes);
  }

  get lastSeq(): number {
    const ids = this.#bytes.toString('latin1').match(/^id: .*:\d+$/gm);
    return Number(ids?.at(-1)?.split(':').at(-1) ?? 0);
  }

  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      assert.ok(!this.#isClosed, 'the stream ended before');
      await new Promise<void>((resolve) => (this.#told = resolve));
    }
  }

  /** Resolves when so many frames were seen. */
  seen(frames: number): Promise<void> {
    return this.until(() => this.lastSeq >= frames);
  }

  close(): void {
    this.#request.destroy();
  }
}

interface SessionAnswer {
  readonly transcript: {
    readonly turns: readonly {terminal: string; artifacts: readonly {path: string}[]}[];
  } | null;
  readonly activeRunId: string | null;
  readonly pendingPermissions: readonly string[];
}

/** A gateway as a process, again and again over the same data, with two agents. */
class Desk {
  #gateway: ChildProcess | null = null;
  #address = '';

  constructor(
    readonly dataDir: string,
    readonly agents: Readonly<Record<Moment['profile'], FakeAgent>>,
  ) {}

  static async open(context: TestContext): Promise<Desk> {
    const dataDir = await mkdtemp(join(tmpdir(), 'hermes-kill-'));
    const agents = {willing: await fakeAgent(scenario), stubborn: await fakeAgent(stubborn)};
    const profiles = Object.entries(agents).map(([name, {launch}]) => ({
      name,
      bin: launch.command,
      args: launch.args,
      env: launch.env,
    }));
    await writeFile(join(dataDir, 'config.json'), JSON.stringify({profiles}));
    const desk = new Desk(dataDir, agents);
    context.after(async () => {
      await desk.kill();
      await Promise.all([agents.willing.close(), agents.stubborn.close()]);
      await rm(dataDir, {recursive: true});
    });
    await desk.start();
    return desk;
  }

  async start(): Promise<void> {
    const command = ['--import', 'tsx', 'src/cli/hermes-elements.ts', 'serve', '--port', '0'];
    const gateway = spawn(process.execPath, [...command, '--data', this.dataDir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#gateway = gateway;
    const errors = text(gateway.stderr);
    let printed = '';
    for await (const piece of gateway.stdout as AsyncIterable<Buffer>) {
      const [, url] = /^ready (http:\S+)\n/.exec((printed += piece.toString())) ?? [];
      if (url === undefined) continue;
      this.#address = `${url}/api/hermes/client`;
      return;
    }
    assert.fail(`the gateway did not start: ${await errors}`);
  }

  /** Resolves when it is dead. */
  async kill(): Promise<void> {
    const gateway = this.#gateway;
    if (!gateway?.kill('SIGKILL')) return;
    if (gateway.signalCode === null) await once(gateway, 'exit');
  }

  /** Resolves when no process of an agent is left, children and guards included. A guard tells nobody, so this looks. */
  async noAgents(profile: Moment['profile']): Promise<void> {
    const agent = this.agents[profile];
    await agent.dead();
    const guards = agent.reports.filter(({label}) => label === 'process').map(({value}) => value);
    for (const {ppid} of guards as readonly {ppid: number}[])
      while (processStart(ppid) !== null) await new Promise((resolve) => setImmediate(resolve));
  }

  url(path: string): string {
    return `${this.#address}/${path}`;
  }

  /** A stream to its end. */
  async bytes(path: string): Promise<Buffer> {
    const reader = new Reader(this.url(path));
    await reader.closed;
    return reader.bytes;
  }

  async get(path: string): Promise<SessionAnswer> {
    return (await this.#answer('GET', path)) as SessionAnswer;
  }

  async post(path: string, body: object): Promise<{readonly sessionId: string; readonly runId: string}> {
    return (await this.#answer('POST', path, body)) as {sessionId: string; runId: string};
  }

  // Not `fetch`: it keeps connections to a gateway that is dead by the next call.
  async #answer(method: string, path: string, body?: object): Promise<unknown> {
    const asking = request(this.url(path), {
      method,
      agent: false,
      headers: {'content-type': 'application/json'},
    });
    const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
    asking.end(body && JSON.stringify(body));
    const [response] = await answered;
    const answer = await text(response);
    assert.ok(response.statusCode! < 300, `${response.statusCode} ${answer}`);
    return JSON.parse(answer);
  }
}
