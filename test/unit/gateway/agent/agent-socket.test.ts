/** Agents that listen already. */
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import {openAgent} from '../../../../src/gateway/agent/open-agent.js';
import {systemClock} from '../../../../src/gateway/clock.js';
import {fakeAgent, type Scenario} from '../../../support/fake-agent/fake-agent.js';
import {limits, Listener, prompted} from './opened.js';

async function listening(context: TestContext, scenario: Scenario) {
  const fake = await fakeAgent(scenario);
  const {command, args, env, cwd} = fake.launch;
  const listener = spawn(command, args, {env, cwd, stdio: 'inherit'});
  context.after(async () => {
    listener.kill('SIGKILL');
    await fake.close();
  });
  const {value} = await fake.reached('listening');
  const heard = new Listener();
  const open = (connect: {host: string; port: number} | {path: string}) =>
    openAgent({connect}, heard, {limits, clock: systemClock});
  return {fake, heard, open, port: (value as {port: number}).port, listener};
}

test('an agent behind a port is initialized, prompted and left, and lives on', async (context) => {
  const {fake, heard, open, port} = await listening(context, {listen: true});
  const agent = await open({host: '127.0.0.1', port});
  assert.deepEqual(await prompted(agent), {stopReason: 'end_turn'});
  assert.equal(heard.text, 'You said: Hello');
  const exit = await agent.stop();
  assert.deepEqual(exit, {code: null, signal: null, reason: 'stopped', message: 'The agent was stopped.'});
  assert.equal(fake.living, 1);
});

test('an agent behind a Unix socket that dies rejects what waits', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-socket-'));
  context.after(() => rmSync(folder, {recursive: true, force: true}));
  const path = join(folder, 'agent');
  const {heard, open, listener} = await listening(context, {
    listen: path,
    on: {'session/prompt': [{text: 'half'}, {pause: 'half'}]},
  });
  const agent = await open({path});
  const refused = assert.rejects(prompted(agent), {
    code: 'gone',
    message: 'The agent closed the connection.',
  });
  await heard.until(() => heard.text === 'half');
  listener.kill('SIGKILL');
  await refused;
  await heard.until(() => heard.exits.length === 1);
  assert.equal(heard.exits[0]?.reason, 'exited');
});

test('nobody at an address is told with a sentence and without the path', async () => {
  for (const connect of [{host: '127.0.0.1', port: 1}, {path: '/tmp/no/such/socket'}]) {
    await assert.rejects(openAgent({connect}, new Listener(), {limits, clock: systemClock}), {
      code: 'not-found',
      message: "Nothing answers at the agent's address. Start the agent first.",
    });
  }
});
