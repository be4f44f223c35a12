/** Starts that fail: each with a sentence, and nothing left behind. */
import assert from 'node:assert/strict';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import type {AgentError, AgentLaunch} from '../../../../src/gateway/agent/agent.js';
import {openAgent} from '../../../../src/gateway/agent/open-agent.js';
import {systemClock} from '../../../../src/gateway/clock.js';
import {fakeAgent, type Scenario} from '../../../support/fake-agent/fake-agent.js';
import {ManualClock} from '../../transport/manual-clock.js';
import {limits, Listener, opened} from './opened.js';

const refused = async (opening: Promise<unknown>): Promise<AgentError> =>
  opening.then(
    () => assert.fail('it opened'),
    (error: AgentError) => error,
  );

const start = (launch: AgentLaunch, listener = new Listener()) =>
  refused(openAgent(launch, listener, {limits, clock: systemClock}));

async function startFake(context: TestContext, scenario: Scenario) {
  const fake = await fakeAgent(scenario);
  context.after(() => fake.close());
  const heard = new Listener();
  const error = await start(fake.launch, heard);
  await fake.dead();
  assert.deepEqual(heard.exits, []);
  return error;
}

test('E26 a program that is not there is named without its path', async () => {
  const launch = {command: '/secret/place/no-such-agent', args: [], env: {}, cwd: '/'};
  const {code, message} = await start(launch);
  assert.equal(code, 'not-found');
  assert.match(message, /^There is no program "no-such-agent"\. Install it/);
});

test('E26 a name that is not on the path is not found', async () => {
  const {code} = await start({command: 'no-such-agent-at-all', args: [], env: {PATH: '/bin'}, cwd: '/'});
  assert.equal(code, 'not-found');
});

test('E26 a file that may not be run, a folder and a file that is no program are refused with a sentence', async (context) => {
  const fake = await fakeAgent();
  context.after(() => fake.close());
  const plain = join(fake.folder, 'plain');
  writeFileSync(plain, 'text');
  const folder = join(fake.folder, 'folder');
  mkdirSync(folder);
  for (const command of [plain, folder]) {
    const {code, message} = await start({command, args: [], env: {}, cwd: '/'});
    assert.equal(code, 'not-found');
    assert.match(message, /may not be run\. Make it executable\./);
  }
  chmodSync(plain, 0o755);
  writeFileSync(plain, '\0\0\0');
  const {message} = await start({command: plain, args: [], env: {}, cwd: '/'});
  assert.doesNotMatch(message, /fake-agent-/);
});

test('a working folder that is not there is told as such, not as a missing program', async (context) => {
  const fake = await fakeAgent();
  context.after(() => fake.close());
  const {code, message} = await start({...fake.launch, cwd: join(fake.folder, 'nowhere')});
  assert.deepEqual(
    [code, message],
    ['not-found', 'The working folder does not exist. Create it, or choose another.'],
  );
});

test('an agent that exits before it answers is gone, with its code', async (context) => {
  const {code, message} = await startFake(context, {start: [{stderr: 'no key\n'}, {exit: 3}]});
  assert.deepEqual([code, message], ['gone', 'The agent ended by itself with exit code 3.']);
});

test('an agent that refuses initialize, also with a code of its own, is refused with it', async (context) => {
  const error = {code: 1001, message: 'backend broken'};
  const {code, rpc} = await startFake(context, {on: {initialize: [{error}]}});
  assert.deepEqual([code, rpc], ['rejected', error]);
});

test('an agent of another protocol version, or of none, is refused with a sentence', async (context) => {
  const {code, message} = await startFake(context, {initialize: {protocolVersion: 2}});
  assert.equal(code, 'protocol');
  assert.match(message, /speaks version 2 .* version 1 is needed/);
  const {message: none} = await startFake(context, {on: {initialize: [{answer: null}]}});
  assert.match(none, /speaks an unknown version/);
});

test('an agent that does not answer in time is ended, all of it', async (context) => {
  const clock = new ManualClock();
  const fake = await fakeAgent({
    on: {initialize: [{child: {ignoreSigterm: true}}, {never: true}]},
    ignoreEof: true,
    ignoreSigterm: true,
  });
  context.after(() => fake.close());
  const opening = openAgent(fake.launch, new Listener(), {
    clock,
    limits: {startMs: 5000, graceMs: 1000, maxLineBytes: 1 << 20},
  });
  const error = refused(opening);
  await fake.reached('started', 'child');
  await clock.pass(5000);
  await fake.reached('eof');
  await clock.pass(1000);
  await fake.reached('sigterm');
  await clock.pass(1000);
  const {code, message} = await error;
  assert.deepEqual(
    [code, message],
    ['timeout', 'The agent did not start within 5 s. Try again, or allow more.'],
  );
  await fake.dead();
  assert.equal(clock.waiting, 0);
});

test('a start that is given up leaves nothing, before and after the program runs', async (context) => {
  const fake = await fakeAgent({on: {initialize: [{pause: 'asked'}]}});
  context.after(() => fake.close());
  const options = {limits, clock: systemClock};
  const early = openAgent(fake.launch, new Listener(), {...options, signal: AbortSignal.abort()});
  assert.equal((await refused(early)).code, 'aborted');
  const stop = new AbortController();
  const opening = refused(openAgent(fake.launch, new Listener(), {...options, signal: stop.signal}));
  stop.abort();
  assert.equal((await opening).code, 'aborted');
  const late = new AbortController();
  const second = refused(openAgent(fake.launch, new Listener(), {...options, signal: late.signal}));
  await fake.reached('asked');
  late.abort();
  assert.equal((await second).code, 'aborted');
  await fake.dead();
});

test('what it offers and asks of its reader is told verbatim', async (context) => {
  const authMethods = [{id: 'key', name: 'Key', type: 'terminal', args: ['setup']}];
  const agentCapabilities = {loadSession: true, _meta: {'reasonix.io': {sessionSteer: {}}}};
  const {agent, fake} = await opened(context, {initialize: {authMethods, agentCapabilities}});
  assert.deepEqual(agent.info.authMethods, authMethods);
  assert.deepEqual(agent.info.capabilities, agentCapabilities);
  const params = fake.received[0]?.['params'] as {protocolVersion: number; clientCapabilities: object};
  assert.equal(params.protocolVersion, 1);
  assert.deepEqual(params.clientCapabilities, {
    fs: {readTextFile: false, writeTextFile: false},
    terminal: false,
    session: {notices: {}, compaction: {}, configOptions: {boolean: {}}},
  });
  await agent.stop();
});

test('E41 the agent gets the environment of its launch, its mark, and nothing else', async (context) => {
  const {agent, fake} = await opened(
    context,
    {start: [{reportProcess: true}]},
    {env: {NO_AUTOUPDATE: '1', NODE_OPTIONS: '--no-deprecation'}},
  );
  const {env, cwd} = (await fake.reached('process')).value as {env: Record<string, string>; cwd: string};
  const {FAKE_AGENT_CONTROL: _, HERMES_ELEMENTS_AGENT: mark, ...rest} = env;
  assert.ok(mark);
  assert.deepEqual(rest, {PATH: process.env['PATH'], NO_AUTOUPDATE: '1', NODE_OPTIONS: '--no-deprecation'});
  assert.equal(cwd, fake.folder);
  await agent.stop();
});
