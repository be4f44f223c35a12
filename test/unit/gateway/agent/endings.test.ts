/** Ends of an agent: by itself, by us, by accident. Nothing waits for ever, and nothing is left. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {AgentError} from '../../../../src/gateway/agent/agent.js';
import {ManualClock, settled} from '../../transport/manual-clock.js';
import {opened, prompted, type Opened} from './opened.js';

/** What comes of a prompt that is cut off, and of the agent. */
async function cutOff({agent, fake, heard}: Opened) {
  const error = await prompted(agent).then(
    () => assert.fail('it answered'),
    (refusal: AgentError) => refusal,
  );
  await heard.until(() => heard.exits.length === 1);
  await fake.dead();
  return {error, exit: heard.exits[0]};
}

for (const [what, steps, exit] of [
  [
    'E15 an agent that exits with 1 in a prompt',
    [{exit: 1}],
    {code: 1, signal: null, message: 'The agent ended by itself with exit code 1.'},
  ],
  [
    'E16 an agent that exits with 0 in a prompt',
    [{exit: 0}],
    {code: 0, signal: null, message: 'The agent ended by itself with exit code 0.'},
  ],
  [
    'E15 an agent that is killed in a prompt',
    [{die: 'SIGKILL'}],
    {code: null, signal: 'SIGKILL', message: 'The agent was ended by SIGKILL.'},
  ],
  [
    'E15 an agent that crashes in a prompt',
    [{die: 'SIGSEGV'}],
    {code: null, signal: 'SIGSEGV', message: 'The agent was ended by SIGSEGV.'},
  ],
] as const) {
  test(`${what}: the prompt rejects, what was said is kept, the owner hears why`, async (context) => {
    const opening = await opened(context, {on: {'session/prompt': [{text: 'half'}, ...steps]}});
    const {error, exit: heard} = await cutOff(opening);
    assert.deepEqual([error.code, error.message], ['gone', exit.message]);
    assert.deepEqual(heard, {...exit, reason: 'exited'});
    assert.equal(opening.heard.text, 'half');
  });
}

test('E15 every request that waits rejects before the owner hears of the exit, and permissions are taken back', async (context) => {
  const {agent, fake, heard} = await opened(context, {
    busy: 'parallel',
    on: {
      'session/prompt': [[{permission: {id: 1}}], [{pause: 'both'}, {exit: 1}]],
      'session/list': [{never: true}],
    },
  });
  const order: string[] = [];
  const {onExit} = heard;
  heard.outcome = new Promise(() => {});
  heard.onExit = (exit) => {
    order.push('exit');
    onExit.call(heard, exit);
  };
  const waits = [prompted(agent), prompted(agent), agent.request('session/list', {})].map((request) =>
    assert.rejects(request, {code: 'gone'}).then(() => order.push('rejected')),
  );
  await fake.reached('both');
  await heard.until(() => heard.asked.length === 1);
  fake.release('both');
  await Promise.all(waits);
  await heard.until(() => heard.exits.length === 1);
  assert.deepEqual(order, ['rejected', 'rejected', 'rejected', 'exit']);
  assert.ok(heard.asked[0]?.signal.aborted);
});

test('E17 an agent that is gone takes nothing more and says so at once', async (context) => {
  const {agent, heard} = await opened(context, {on: {'session/prompt': [{exit: 7}]}});
  await assert.rejects(prompted(agent));
  await heard.until(() => heard.exits.length === 1);
  assert.equal(agent.exit?.code, 7);
  await assert.rejects(agent.request('session/new', {}), {code: 'gone', message: /exit code 7/});
  agent.notify('session/cancel', {sessionId: 's'});
  assert.equal(await agent.isAlive(1000), false);
  assert.equal(await agent.stop(), agent.exit);
  assert.equal(heard.exits.length, 1);
});

test('E24 what an agent leaves in its group ends with it, and holds nothing up', async (context) => {
  const {agent, fake, heard} = await opened(context, {
    on: {'session/prompt': [{child: {name: 'tool', ignoreSigterm: true}}, {exit: 0}]},
  });
  await assert.rejects(prompted(agent), {code: 'gone'});
  await heard.until(() => heard.exits.length === 1);
  await fake.dead();
});

test('E24 E25 an agent that ignores the end of its input and SIGTERM is killed with all its group, step by step', async (context) => {
  const clock = new ManualClock();
  const {agent, fake, heard} = await opened(
    context,
    {start: [{child: {name: 'native', ignoreSigterm: true}}], ignoreEof: true, ignoreSigterm: true},
    {clock, limits: {startMs: 5000, graceMs: 1000, maxLineBytes: 1 << 20}},
  );
  const stopping = agent.stop();
  await fake.reached('eof');
  await clock.pass(999);
  assert.equal(fake.reports.filter(({label}) => label === 'sigterm').length, 0);
  await clock.pass(1);
  await fake.reached('sigterm', 'agent');
  await fake.reached('sigterm', 'native');
  assert.equal(fake.living, 2);
  await clock.pass(1000);
  assert.deepEqual(await stopping, {
    code: null,
    signal: 'SIGKILL',
    reason: 'stopped',
    message: 'The agent was stopped.',
  });
  await fake.dead();
  assert.equal(heard.exits.length, 1);
  assert.equal(clock.waiting, 0);
});

test('E25 an agent that ends at SIGTERM is not killed, and its wrapped child ends with it', async (context) => {
  const clock = new ManualClock();
  const {agent, fake} = await opened(context, {start: [{child: {}}], ignoreEof: true}, {clock});
  const stopping = agent.stop();
  await fake.reached('eof');
  await clock.pass(60_000);
  assert.equal((await stopping).signal, 'SIGTERM');
  await fake.dead();
});

test('E24 a child that left the group and holds the output does not hold up the end', async (context) => {
  const clock = new ManualClock();
  const {agent, fake, heard} = await opened(
    context,
    {start: [{child: {name: 'daemon', ownGroup: true}}]},
    {clock},
  );
  const {pid} = await fake.reached('started', 'daemon');
  let stopped = false;
  const stopping = agent.stop().then((exit) => {
    stopped = true;
    return exit;
  });
  // Its last words are waited for, but not for ever.
  while (!stopped) await clock.pass(100);
  assert.equal((await stopping).reason, 'stopped');
  assert.equal(heard.exits.length, 1);
  assert.equal(fake.living, 1);
  process.kill(pid, 'SIGKILL');
  await fake.dead();
});

test('an agent that closes its output and lives on is ended as failed', async (context) => {
  const clock = new ManualClock();
  const {agent, fake, heard} = await opened(
    context,
    {on: {'session/prompt': [{closeOutput: true}, {never: true}]}, ignoreEof: true, ignoreSigterm: true},
    {clock},
  );
  const prompt = assert.rejects(prompted(agent), {code: 'gone'});
  await fake.reached('eof');
  await clock.pass(60_000);
  await fake.reached('sigterm');
  await clock.pass(60_000);
  await prompt;
  assert.equal(agent.exit?.message, 'The agent closed its output.');
  await heard.until(() => heard.exits.length === 1);
  assert.equal(heard.exits[0]?.reason, 'failed');
  await fake.dead();
});

test('E26 an agent that closes its input and lives on is ended as failed, and no broken pipe ends us', async (context) => {
  const clock = new ManualClock();
  const {agent, fake, heard} = await opened(
    context,
    {on: {'session/prompt': [{closeInput: true}, {pause: 'closed'}, {never: true}]}, ignoreSigterm: true},
    {clock},
  );
  const prompt = assert.rejects(prompted(agent), {code: 'gone'});
  await fake.reached('closed');
  const second = assert.rejects(agent.request('session/list', {}), {code: 'gone'});
  while (clock.waiting === 0) await settled();
  await clock.pass(60_000);
  await fake.reached('sigterm');
  await clock.pass(60_000);
  await Promise.all([prompt, second]);
  await heard.until(() => heard.exits.length === 1);
  assert.deepEqual(heard.exits, [
    {code: null, signal: 'SIGKILL', reason: 'failed', message: 'The agent no longer listens.'},
  ]);
  await fake.dead();
});

test('an agent that stops reading holds up requests and not us', async (context) => {
  const {agent, fake, heard} = await opened(context, {
    on: {initialize: [{stopReading: true}, {usual: true}]},
  });
  const waits = Array.from({length: 20}, () =>
    assert.rejects(agent.request('session/prompt', {prompt: 'x'.repeat(500_000)}), {code: 'gone'}),
  );
  const {pid} = await fake.reached('started');
  process.kill(pid, 'SIGKILL');
  await Promise.all(waits);
  await heard.until(() => heard.exits.length === 1);
  // One was being written; the rest never left.
  assert.equal(heard.lines.filter(({message}) => message['method'] === 'session/prompt').length, 1);
});

test('a stop is one stop for all who ask', async (context) => {
  const {agent, fake, heard} = await opened(context);
  const exits = await Promise.all([agent.stop(), agent.stop(), agent.stop()]);
  assert.ok(exits.every((exit) => exit === exits[0]));
  assert.equal(heard.exits.length, 1);
  await fake.dead();
});

test('updates and answers of an agent that is being stopped are still told', async (context) => {
  const {agent, heard} = await opened(context, {
    on: {
      'session/prompt': [
        {waitFor: {method: 'session/cancel'}},
        {text: 'last words'},
        {answer: {stopReason: 'cancelled'}},
      ],
    },
  });
  const answered = prompted(agent);
  await heard.until(() => heard.lines.some(({message}) => message['method'] === 'session/prompt'));
  agent.notify('session/cancel', {sessionId: 'fake-session-1'});
  assert.deepEqual(await answered, {stopReason: 'cancelled'});
  await agent.stop();
  assert.equal(heard.text, 'last words');
});
