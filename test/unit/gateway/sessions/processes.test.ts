/** Sessions over real processes: the same facts, with real pipes and the machine's clock. */
import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {openAgent} from '../../../../src/gateway/agent/open-agent.js';
import {systemClock} from '../../../../src/gateway/clock.js';
import {SettledHistory} from '../../../../src/gateway/settled.js';
import type {Profile} from '../../../../src/gateway/profiles/profile.js';
import {openSqliteJournal} from '../../../../src/gateway/journal/sqlite-journal.js';
import {fakeAgent, type FakeAgent, type Scenario} from '../../../support/fake-agent/fake-agent.js';
import {bench, reader, type Bench} from './session-bench.js';

/** Long for what must not happen, short for what the test is about. */
const PATIENT = {start: 60_000, idle: 60_000, permission: null, grace: 5, cancel: 60_000, keep: 60_000};

interface Setting {
  readonly timeouts?: Partial<Profile['timeouts']>;
  readonly graceMs?: number;
}

/** Sessions whose agents are these, the first session's first. */
async function setting(context: TestContext, scenarios: readonly Scenario[], options: Setting = {}) {
  const fakes = await Promise.all(scenarios.map((scenario) => fakeAgent(scenario)));
  const journal = await openSqliteJournal({file: ':memory:'});
  const history = new SettledHistory(journal);
  const launched = new Map<string, FakeAgent>();
  const b = await bench({
    journal,
    timeouts: {...PATIENT, ...options.timeouts},
    parts: {
      clock: systemClock,
      openAgent,
      agentLimits: {startMs: 60_000, graceMs: options.graceMs ?? 60_000, maxLineBytes: 1 << 20},
      launch: ({name}) => {
        const fake = launched.get(name) ?? fakes[launched.size]!;
        launched.set(name, fake);
        return Promise.resolve(fake.launch);
      },
      history: (session, window) => history.of(session, window),
    },
  });
  context.after(async () => {
    await b.sessions.stop();
    await Promise.all(fakes.map((fake) => fake.close()));
  });
  return {b, fakes, fake: fakes[0]!};
}

/** Follows a run to its end. */
async function ended(b: Bench, run: string): Promise<string> {
  const signal = new AbortController().signal;
  for await (const _ of b.journal.follow({run}, null, signal));
  return b.sketch(run);
}

/** Follows a run until an event of a name. */
async function told(b: Bench, run: string, name: string): Promise<void> {
  const enough = new AbortController();
  for await (const frames of b.journal.follow({run}, null, enough.signal)) {
    if (frames.some(({data}) => data.includes(`"${name}"`))) return enough.abort();
  }
}

test('a turn with a permission goes from a real process to the journal and to settled history', async (context) => {
  const toolCall = {toolCallId: 't1', title: 'ls', kind: 'execute'};
  const {b, fake} = await setting(context, [
    {
      on: {
        'session/prompt': [
          {text: 'Looking. '},
          {update: {sessionUpdate: 'tool_call', ...toolCall, status: 'pending'}},
          {permission: {toolCall}},
          {update: {sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed'}},
          {text: 'Done.'},
          {answer: {stopReason: 'end_turn'}},
          {text: ' Really.'},
        ],
      },
    },
  ]);
  const session = await b.create();
  const run = await b.start(session, 'List');
  await told(b, run, 'permission.requested');
  const {pendingPermissions} = await b.sessions.get(reader, session);
  assert.deepEqual(pendingPermissions, [`${run}.p1`]);
  const option = (await b.events(run)).find(({event}) => event === 'permission.requested');
  const allow =
    option?.event === 'permission.requested' ? option.options.find(({kind}) => kind === 'allow_once') : null;
  await b.sessions.answer(reader, run, `${run}.p1`, allow!.id);
  assert.match(
    await ended(b, run),
    /message\.delta Done\.\nmessage\.delta {2}Really\.\nrun\.completed Done\. Really\.$/,
  );
  const {transcript, cursor, activeRunId} = await b.sessions.get(reader, session);
  assert.match(JSON.stringify(transcript), /"answer":"Done\. Really\."/);
  assert.match(cursor ?? '', new RegExp(`^${run}:`));
  assert.equal(activeRunId, null);
  await b.sessions.stop();
  await fake.dead();
});

test('E15 a process that is killed in a turn ends it; the next prompt starts another one', async (context) => {
  const {b, fake} = await setting(context, [
    {on: {'session/prompt': [[{text: 'Half'}, {pause: 'half'}, {die: 'SIGKILL'}]]}},
  ]);
  const session = await b.create();
  const run = await b.start(session);
  await fake.reached('half');
  fake.release('half');
  assert.match(await ended(b, run), /message\.delta Half\nrun\.failed agent_exited interrupted$/);
  const second = await b.start(session, 'Again');
  await fake.reached('half');
  assert.equal(second, `${session}.2`);
  assert.equal(fake.received.filter(({method}) => method === 'session/load').length, 1);
});

test('E30 Hermes loads what it does not know as null and refuses the prompt: a new session takes it', async (context) => {
  const {b} = await setting(context, [
    {
      on: {
        'session/load': [{answer: null}],
        'session/prompt': [
          [{answer: {stopReason: 'refusal'}}],
          [{text: 'Here.'}, {answer: {stopReason: 'end_turn'}}],
        ],
      },
    },
  ]);
  const session = await b.create();
  // The first answer of each process is a refusal: of a session just made it is one, of one just loaded it is not.
  assert.match(await ended(b, await b.start(session)), /run\.failed refusal$/);
  const {agent} = (await b.sessions.diagnostics(reader, session)) as {agent: object | null};
  assert.ok(agent);
  const restarted = await bench({journal: b.journal, timeouts: PATIENT, parts: b.parts});
  await b.sessions.stop();
  const run = await restarted.start(session, 'Two');
  assert.equal(
    await ended(restarted, run),
    'run.started Two\nnotice session\nmessage.delta Here.\nrun.completed Here.',
  );
  await restarted.sessions.stop();
});

test('a turn that heeds no cancel is ended with its process, children and all', async (context) => {
  const {b, fake} = await setting(
    context,
    [
      {
        ignoreEof: true,
        ignoreSigterm: true,
        start: [{child: {name: 'native', ignoreSigterm: true}}],
        on: {'session/prompt': [{text: 'On and on'}, {never: true}]},
      },
    ],
    {timeouts: {cancel: 20}, graceMs: 20},
  );
  const session = await b.create();
  const run = await b.start(session);
  await b.sessions.abort(reader, run);
  assert.match(await ended(b, run), /run\.cancelled$/);
  await fake.dead();
});

test('a stop ends the run in time, however long the lines of its agent are and its process takes to die', async (context) => {
  const lines = Array.from({length: 500}, () => ({longLine: 900_000}));
  const {b, fake} = await setting(
    context,
    [
      {
        ignoreEof: true,
        on: {'session/prompt': [{text: 'On and on'}, {pause: 'flood'}, ...lines, {never: true}]},
      },
    ],
    {timeouts: {cancel: 50}, graceMs: 5_000},
  );
  const session = await b.create();
  const run = await b.start(session);
  await fake.reached('flood');
  fake.release('flood');
  await b.sessions.abort(reader, run);
  assert.match(await ended(b, run), /run\.cancelled$/);
  assert.ok(fake.living > 0);
  await fake.dead();
});

test('three sessions of three agents do not wait for each other, and a stop leaves none of their processes', async (context) => {
  const {b, fakes} = await setting(context, [
    {on: {'session/new': [{pause: 'opening'}]}},
    {on: {'session/prompt': [{text: 'Slow'}, {pause: 'slow'}]}},
    {on: {'session/prompt': [{text: 'Quick'}]}},
  ]);
  b.profiles.push({...b.profiles[0]!, name: 'three'});
  const opening = b.create('one').catch(() => null);
  await fakes[0]!.reached('opening');
  const slow = await b.start(await b.create('two'));
  await fakes[1]!.reached('slow');
  const quick = await b.start(await b.create('three'));
  assert.match(await ended(b, quick), /run\.completed Quick/);
  await told(b, slow, 'message.delta');
  await b.sessions.stop();
  await opening;
  assert.match(await b.sketch(slow), /run\.failed gateway_stopping interrupted$/);
  await Promise.all(fakes.map((fake) => fake.dead()));
});
