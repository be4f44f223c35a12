/** Payloads that are not what they should be: every entry says so in a sentence, and none throws. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {UnreadableError} from '../../../src/anchor/index.js';
import {readRecording, type SourceEvent} from '../../../src/protocol/index.js';
import {displayModes, expectedRows, project} from '../../../src/scene/index.js';
import {toMarkdown} from '../../../src/scene/export.js';
import {readAgent} from '../../../src/session/agent-facts.js';
import {Folding} from '../../../src/session/folding.js';
import {Session, type SessionProblem} from '../../../src/session/index.js';
import {random} from '../recordings/random.js';
import {answers, FakeServer, json, openSession} from './fake-server.js';

const fixtures = join(import.meta.dirname, '../../fixtures');
const read = (path: string) => readFileSync(join(fixtures, path), 'utf8');
const TURN = {id: 'r1', runIds: ['r1'], answer: 'Ho', status: 'settled', terminal: 'completed'};
const transcript = (...turns: unknown[]) => ({format: 'hermes.transcript.v1', turns});

/** A sentence of ours, not what an engine says. */
function checkSentence(problem: SessionProblem | null): void {
  assert.match(problem?.message ?? '', /^[A-Z0-9/].*\.$/);
  assert.doesNotMatch(problem!.message, /undefined|null \(|Cannot|is not a function|iterable|NaN/);
  assert.ok(!(problem!.cause instanceof Error) || problem!.cause instanceof UnreadableError);
}

const others = [null, undefined, 0, '', 'text', true, [], [null], {}, {session: null}, {messages: 1}];
const broken = [
  {format: 'hermes.transcript.v1'},
  {format: 'hermes.transcript.v1', turns: null},
  {format: null, turns: []},
  {transcript: 'text'},
  {transcript: []},
  {transcript: {format: 'hermes.transcript.v1', turns: {}}},
];

for (const payload of [...others, ...broken]) {
  test(`${JSON.stringify(payload) ?? 'undefined'} is no transcript, and it is said`, () => {
    const session = new Session();
    session.snapshot = payload;
    assert.equal(session.problem?.code, 'unreadable');
    checkSentence(session.problem);
    assert.deepEqual(session.transcript.turns, []);
  });
}

test('a history that is null, or no JSON object, is a problem that names the address', async () => {
  for (const payload of [null, 7, 'text', []]) {
    const server = new FakeServer().on('/history', () => json(payload));
    const {session} = await openSession(server, {history: '/history'});
    assert.equal(session.problem?.code, 'unreadable');
    assert.match(session.problem.message, /\/history/);
    session.disconnect();
  }
});

test('a gateway in whose session nothing was said yet is no problem', async () => {
  const server = new FakeServer().on('/history', {transcript: null, cursor: 7, activeRunId: 9});
  const {session} = await openSession(server, {history: '/history'});
  assert.equal(session.problem, null);
  session.disconnect();
});

test('turns that are none are counted and said; the others are shown', () => {
  const session = new Session();
  session.snapshot = transcript(null, TURN, 7, {answer: 'no id'});
  assert.deepEqual([session.problem?.code, answers(session)], ['unreadable', ['Ho']]);
  assert.match(session.problem!.message, /^3 turns of the transcript could not be read\./);
  session.snapshot = transcript(TURN);
  assert.equal(session.problem, null);
});

test('fields of another kind are left out, whatever they are', () => {
  const odd = {
    ...TURN,
    ...{runIds: [null, 7, 'r1'], items: [null, 7, {id: 'prose:0:0', kind: 'prose', text: 'Ho', at: '12'}]},
    ...{startedAt: '12', usage: {inputTokens: '7'}, plan: [null], artifacts: [null, 'a'], resume: 'x'},
  };
  const session = new Session();
  session.snapshot = {...transcript(odd), session: 7};
  const [turn] = session.snapshot.turns;
  assert.equal(session.problem, null);
  assert.deepEqual([turn?.runIds, turn?.startedAt, turn?.usage?.inputTokens], [['r1'], null, null]);
  assert.equal(turn?.items[0]?.at, null);
});

test('what a server says of its agent is read by kind', () => {
  for (const payload of [null, 7, {agent: null}, {agent: []}, {agent: {profile: 7}}])
    assert.equal(readAgent(payload), null);
  assert.deepEqual(
    readAgent({
      agent: {profile: 'demo', modes: {current: 'ask', available: [null, {id: 'ask'}, 7]}, options: null},
    }),
    {
      ...{profile: 'demo', runtimeType: '', modes: {current: 'ask', available: [{id: 'ask'}]}},
      ...{options: [], commands: [], canSteer: false, accepts: []},
    },
  );
  assert.equal(readAgent({agent: {profile: 'demo', modes: {current: 7, available: 'x'}}})?.modes, null);
});

test('a count that no session can have is not taken for one', () => {
  for (const count of [1e308, 5e9, -1, 0.5, '2']) {
    const folding = new Folding();
    const messages = [{role: 'user', content: 'Hi', timestamp: 1}];
    const session = {session_id: 's1', updated_at: 2, messages};
    for (const key of ['message_count', '_messages_offset'])
      assert.equal(folding.settle({session: {...session, [key]: count}}, 'x').problem, null);
    assert.deepEqual([folding.messageCount, folding.earliest], [1, 0]);
  }
});

test('a run whose place to go on from is damaged is painted, and read from its start', () => {
  const {events} = readRecording(read('hermes-webui-real/tools/live.sse'), 'sse');
  const folding = new Folding();
  folding.receive(events.slice(0, events.length >> 1), 'hermes-webui');
  const whole = JSON.parse(JSON.stringify(folding.snapshot)) as Session['snapshot'];
  const [turn] = whole.turns;
  const run = turn!.runIds[0]!;
  const resume = turn!.resume as {run: {facts: object}; fold: object};
  for (const [damaged, isWhole] of [
    [resume, true],
    [{...resume, fold: {...resume.fold, openCalls: [null]}}, false],
    [{...resume, fold: {...resume.fold, openItem: 999}}, false],
    [{...resume, run: {...resume.run, facts: {...resume.run.facts, borrowers: 'x'}}}, false],
  ] as const) {
    const copy = new Folding();
    copy.settle({...whole, turns: [{...turn!, resume: damaged}]}, 'x');
    assert.equal(copy.cursorOf(run), isWhole ? turn!.cursor : null);
    copy.receive(isWhole ? events.slice(events.length >> 1) : events, 'hermes-webui');
    const all = new Folding();
    all.receive(events, 'hermes-webui');
    assert.equal(toMarkdown(copy.transcript.turns), toMarkdown(all.transcript.turns));
  }
});

// A small mutator: what an odd writer, a cut file or a hostile page may make of a real payload.

type Tree = Record<string, unknown> | unknown[];
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

const odd: readonly unknown[] = [
  ...[null, true, false, 0, -1, 0.5, 1e308, '', '7', 'text', 'r:1', '\ud800', [], {}, [null], [[]], [{}]],
  ...[{id: null}, {length: 3}, {id: 'x', kind: 'tool'}, {id: 'c', kind: 'control', control: {}}],
  JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1, "toString": 1, "hasOwnProperty": 1}'),
];

/** A copy of a payload in which a few places hold something else, or nothing. */
function mutated(payload: unknown, next: () => number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const root = [structuredClone(payload)];
  for (let left = 1 + Math.floor(next() * 4); left > 0; left--) {
    let at: Tree = root;
    let key = '0';
    while (next() < 0.85) {
      const inner: unknown = (at as Record<string, unknown>)[key];
      if (!isTree(inner) || Object.keys(inner).length === 0) break;
      at = inner;
      key = pick(Object.keys(inner));
    }
    const here = at as Record<string, unknown>;
    const value = here[key];
    const kind = next();
    if (kind < 0.5) here[key] = structuredClone(pick(odd));
    else if (kind < 0.6 && typeof value === 'number') here[key] = String(value);
    else if (kind < 0.75 && at !== root) delete here[key];
    else if (Array.isArray(value)) value.push(structuredClone(pick(odd)), structuredClone(value[0]));
    else here[key] = [value];
  }
  return root[0];
}

/** Half of a run, kept as a snapshot, and the frames after it. */
function halfRead(path: string): {snapshot: unknown; rest: readonly SourceEvent[]} {
  const {events} = readRecording(read(path), 'sse');
  const folding = new Folding();
  folding.receive(events.slice(0, events.length >> 1), 'hermes-webui');
  return {snapshot: JSON.parse(JSON.stringify(folding.snapshot)), rest: events.slice(events.length >> 1)};
}

function settledSnapshot(payload: unknown): unknown {
  const folding = new Folding();
  folding.settle(payload, 'x');
  return JSON.parse(JSON.stringify(folding.snapshot));
}

const tools = JSON.parse(read('hermes-webui-real/tools/session.json')) as unknown;
const half = halfRead('hermes-webui-real/tools/live.sse');
const asked = halfRead('hermes-webui-real/approval/live.sse');

const cases: readonly (readonly [name: string, payload: unknown, rest: readonly SourceEvent[]])[] = [
  ['a session of Hermes WebUI', tools, []],
  ['a settled transcript', settledSnapshot(tools), []],
  ['a transcript of half a run', half.snapshot, half.rest],
  ['a transcript of a run that asks', asked.snapshot, asked.rest],
  [
    'a gateway’s answer',
    {
      transcript: half.snapshot,
      cursor: 'r1:3',
      activeRunId: 'r1',
      pendingPermissions: ['p1'],
      agent: {profile: 'x'},
    },
    half.rest,
  ],
];

for (const [name, payload, rest] of cases) {
  test(`${name}, damaged at random, is shown as far as it can be read, and never throws`, () => {
    for (let seed = 1; seed <= 400; seed++) {
      const damaged = mutated(payload, random(seed));
      try {
        check(damaged, rest);
      } catch (cause) {
        assert.fail(`seed ${seed}: ${(cause as Error).stack}`);
      }
    }
    assert.equal(({} as {polluted?: unknown}).polluted, undefined);
  });
}

/** All that is done with a payload on its way to the screen. */
function check(payload: unknown, rest: readonly SourceEvent[]): void {
  const folding = new Folding();
  for (const isPage of [false, true]) {
    const {problem, activeRun, cursor, pending} = folding.settle(payload, 'The history', isPage);
    if (problem) checkSentence(problem);
    for (const text of [activeRun, cursor, ...(pending ?? [])])
      assert.ok(text === null || typeof text === 'string');
    if (activeRun !== null) folding.cursorOf(activeRun);
    readAgent(payload);
    draw(folding);
  }
  folding.receive(rest, 'hermes-webui');
  draw(folding);
  const copy = new Folding();
  try {
    copy.restore(payload);
    draw(copy);
  } catch (cause) {
    assert.ok(cause instanceof UnreadableError, (cause as Error).stack);
  }
}

function draw({transcript, snapshot}: Folding): void {
  JSON.stringify(snapshot);
  for (const mode of displayModes) {
    toMarkdown(transcript.turns, mode);
    for (const turn of transcript.turns) expectedRows(project(turn, mode));
  }
}
