/** The guard, and what it cannot do: no agent outlives its gateway. */
import assert from 'node:assert/strict';
import {fork, spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import {fileURLToPath} from 'node:url';
import type {AgentWord} from '../../../../src/gateway/agent/guard.mjs';
import {reapLeftovers} from '../../../../src/gateway/agent/leftovers.js';
import {processStart} from '../../../../src/gateway/agent/process-identity.mjs';
import {fakeAgent, type FakeAgent, type Scenario} from '../../../support/fake-agent/fake-agent.js';
import {opened} from './opened.js';

const program = fileURLToPath(new URL('./gateway-process.ts', import.meta.url));
const proc = existsSync('/proc/self/stat');

interface Running {
  readonly gateway: ChildProcess;
  readonly fake: FakeAgent;
  readonly agentPid: number;
  readonly guardPid: number;
  readonly pidFolder: string;
}

/** A gateway in a process of its own, with one agent. */
async function running(context: TestContext, scenario: Scenario): Promise<Running> {
  const fake = await fakeAgent({...scenario, start: [{reportProcess: true}, ...(scenario.start ?? [])]});
  const pidFolder = join(fake.folder, 'agents');
  const gateway = fork(program, [JSON.stringify(fake.launch), pidFolder], {execArgv: ['--import', 'tsx']});
  context.after(async () => {
    gateway.kill('SIGKILL');
    await fake.close();
  });
  await once(gateway, 'message');
  const {pid, value} = await fake.reached('process', 'agent');
  return {gateway, fake, agentPid: pid, guardPid: (value as {ppid: number}).ppid, pidFolder};
}

/** Resolves when a process has no number any more. A guard tells nobody of its own end, so this looks. */
async function gone(pid: number): Promise<void> {
  while (processStart(pid) !== null) await new Promise((resolve) => setImmediate(resolve));
}

for (const [what, scenario] of [
  ['a willing agent', {}],
  ['an agent that ignores the end of its input', {ignoreEof: true}],
  [
    'an agent and a child that ignore all they can',
    {
      ignoreEof: true,
      ignoreSigterm: true,
      start: [{child: {name: 'tool', ignoreSigterm: true}}],
    },
  ],
] as const) {
  test(`E24 within 5 s of a gateway's kill -9 nothing is left of ${what}`, async (context) => {
    const {gateway, fake, guardPid, pidFolder} = await running(context, scenario);
    const start = performance.now();
    gateway.kill('SIGKILL');
    await fake.dead();
    assert.ok(performance.now() - start < 5000);
    await gone(guardPid);
    assert.deepEqual(readdirSync(pidFolder), []);
  });
}

test('an interrupt of the terminal, which goes to all of the foreground, does not reach the agent', async (context) => {
  const {gateway, fake} = await running(context, {});
  // The group of the guard, and that of the agent, are not ours.
  if (proc) {
    const group = (pid: number | undefined) =>
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[2];
    const groups = [gateway.pid, ...new Set(fake.reports.map(({pid}) => pid))].map(group);
    assert.equal(new Set(groups).size, groups.length);
  }
  gateway.kill('SIGKILL');
  await fake.dead();
});

test(
  'the agent holds three descriptors of ours, and the guard neither its input nor its output',
  {skip: !proc},
  async (context) => {
    const {gateway, fake, agentPid, guardPid} = await running(context, {});
    const open = (pid: number, fd: number) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    };
    const lifeline = open(guardPid, 3);
    assert.match(lifeline, /^socket:/);
    const descriptors = readdirSync(`/proc/${agentPid}/fd`).map((fd) => open(agentPid, Number(fd)));
    assert.ok(!descriptors.includes(lifeline));
    assert.deepEqual([open(guardPid, 0), open(guardPid, 1)], ['/dev/null', '/dev/null']);
    assert.equal(open(guardPid, 2), open(agentPid, 2));
    gateway.kill('SIGKILL');
    await fake.dead();
  },
);

test("a launch's secrets are in no argument and no variable of the guard", {skip: !proc}, async (context) => {
  const fake = await fakeAgent({start: [{reportProcess: true}]});
  const launch = {...fake.launch, env: {...fake.launch.env, MODEL_API_KEY: 'hunter22'}};
  const gateway = fork(program, [JSON.stringify(launch), fake.folder], {execArgv: ['--import', 'tsx']});
  context.after(() => fake.close());
  await once(gateway, 'message');
  const {value} = await fake.reached('process');
  const {ppid} = value as {ppid: number};
  for (const file of ['cmdline', 'environ']) {
    assert.doesNotMatch(readFileSync(`/proc/${ppid}/${file}`, 'utf8'), /hunter22/);
  }
  gateway.kill('SIGKILL');
  await fake.dead();
});

test('a guard that is killed alone takes its agent along, and the owner hears of it', async (context) => {
  const {agent, fake, heard} = await opened(context, {
    start: [{reportProcess: true}, {child: {ignoreSigterm: true}}],
    ignoreEof: true,
    ignoreSigterm: true,
  });
  const {value} = await fake.reached('process');
  process.kill((value as {ppid: number}).ppid, 'SIGKILL');
  await heard.until(() => heard.exits.length === 1);
  await fake.dead();
  assert.equal(agent.exit?.signal, 'SIGKILL');
});

test('a guard that is asked to end ends its agent', async (context) => {
  const {fake, heard} = await opened(context, {start: [{reportProcess: true}], ignoreEof: true});
  const {value} = await fake.reached('process');
  process.kill((value as {ppid: number}).ppid, 'SIGTERM');
  await heard.until(() => heard.exits.length === 1);
  await fake.dead();
});

test('word of an agent is left while it runs, and taken away with it', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  context.after(() => rmSync(folder, {recursive: true, force: true}));
  const pidFolder = join(folder, 'made', 'for', 'it');
  const {agent, fake} = await opened(context, {start: [{reportProcess: true}]}, {pidFolder});
  const {pid} = await fake.reached('process');
  const file = join(pidFolder, `${pid}.json`);
  const word = JSON.parse(readFileSync(file, 'utf8')) as AgentWord;
  assert.equal(word.start, processStart(pid));
  assert.deepEqual(word.owner, {pid: process.pid, start: processStart(process.pid)});
  await agent.stop();
  assert.ok(!existsSync(file));
});

test(
  'what outlived gateway and guard is reaped at the next start, whole group and who left it',
  {skip: !proc},
  async (context) => {
    const {gateway, fake, guardPid, pidFolder} = await running(context, {
      ignoreEof: true,
      ignoreSigterm: true,
      start: [
        {child: {name: 'tool', ignoreSigterm: true}},
        {child: {name: 'daemon', ownGroup: true, ignoreSigterm: true}},
      ],
    });
    assert.equal(await reapLeftovers(pidFolder), 0, 'an agent of a gateway that lives is left alone');
    assert.equal(fake.living, 3);
    // The guard first: with the gateway gone it would do its duty.
    process.kill(guardPid, 'SIGSTOP');
    gateway.kill('SIGKILL');
    await once(gateway, 'exit');
    process.kill(guardPid, 'SIGKILL');
    assert.equal(await reapLeftovers(pidFolder), 3);
    await fake.dead();
    assert.deepEqual(readdirSync(pidFolder), []);
  },
);

test('a number that another process has now is not killed, and odd files are cleared away', async (context) => {
  const fake = await fakeAgent();
  context.after(() => fake.close());
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {stdio: 'ignore'});
  const exited = once(bystander, 'exit');
  const word = {start: 'some other time', mark: 'no-such-mark', owner: {pid: 2 ** 22 + 1, start: 'then'}};
  const write = (name: string, text: string) => writeFileSync(join(fake.folder, name), text);
  write(`${bystander.pid}.json`, JSON.stringify({...word, pid: bystander.pid}));
  write('77.json', '{"pid": 1, "ow');
  write('78.json', JSON.stringify({...word, pid: 1}));
  write('79.json', JSON.stringify({...word, pid: -1}));
  write('keep.json', '{}');
  assert.equal(await reapLeftovers(fake.folder), 0);
  assert.deepEqual(
    readdirSync(fake.folder).filter((name) => name.endsWith('.json')),
    ['keep.json'],
  );
  assert.notEqual(processStart(bystander.pid ?? 0), null);
  bystander.kill('SIGKILL');
  await exited;
  assert.equal(await reapLeftovers(join(fake.folder, 'nowhere')), 0);
});
