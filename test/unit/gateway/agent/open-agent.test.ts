import assert from 'node:assert/strict';
import {test} from 'node:test';
import {opened, prompted} from './opened.js';

test('an agent is started, initialized, prompted and stopped, and nothing is left of it', async (context) => {
  const {agent, fake, heard} = await opened(context);
  assert.deepEqual(
    [agent.info.name, agent.info.version, agent.info.protocolVersion],
    ['fake-agent', '1.0.0', 1],
  );
  assert.deepEqual(await prompted(agent), {stopReason: 'end_turn'});
  assert.equal(heard.text, 'You said: Hello');
  const exit = await agent.stop();
  assert.deepEqual(exit, {code: 0, signal: null, reason: 'stopped', message: 'The agent was stopped.'});
  assert.deepEqual(heard.exits, [exit]);
  assert.equal(agent.exit, exit);
  await fake.dead();
});
