/** Permissions: asked under ids of ours, answered once, by reader, policy, timeout or cancel. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Profile} from '../../../../src/gateway/profiles/profile.js';

import {bench, reader, settled, type BenchOptions} from './session-bench.js';

async function running(options: BenchOptions = {}) {
  const b = await bench(options);
  const {session, run, agent} = await b.running();
  const pending = async () => (await b.sessions.get(reader, session)).pendingPermissions;
  return {b, session, run, agent, pending};
}

const withPolicy = (policy: Profile['policy']) => running({profile: {policy}});
const option = (optionId: string, kind: string) => ({optionId, name: optionId, kind});

test('a request waits under an id of ours; the first answer wins, later ones hear it', async () => {
  const {b, run, agent, pending} = await running();
  const asked = agent.asks('gate-1', {toolCallId: 't1', title: 'ls'});
  assert.deepEqual(await pending(), [`${run}.p1`]);
  await b.sessions.answer(reader, run, `${run}.p1`, 'c');
  assert.deepEqual(await asked, {outcome: 'selected', optionId: 'c'});
  await assert.rejects(b.sessions.answer(reader, run, `${run}.p1`, 'b'), {
    code: 'already-answered',
    details: {outcome: 'selected', optionId: 'c'},
  });
  assert.deepEqual(await pending(), []);
  assert.match(await b.sketch(run), new RegExp(`permission.resolved ${run}.p1 c reader`));
});

test('an answer long after, of which only the journal knows, hears how it ended', async () => {
  const {b, run, agent} = await running();
  const asked = agent.asks(0, {toolCallId: 't1'});
  await b.sessions.answer(reader, run, `${run}.p1`, 'b');
  await asked;
  agent.exits({code: 0});
  await settled();
  await assert.rejects(b.sessions.answer(reader, run, `${run}.p1`, 'c'), {
    code: 'already-answered',
    details: {outcome: 'selected', optionId: 'b'},
  });
  await assert.rejects(b.sessions.answer(reader, run, `${run}.p7`, 'c'), {code: 'not-found'});
});

test('an option the request does not have is refused, and the request goes on waiting', async () => {
  const {b, run, agent, pending} = await running();
  void agent.asks(0, {toolCallId: 't1'});
  await settled();
  await assert.rejects(b.sessions.answer(reader, run, `${run}.p1`, 'nonsense'), {code: 'invalid-request'});
  assert.deepEqual(await pending(), [`${run}.p1`]);
});

test('E7 a request whose id is no call of the turn is asked all the same', async () => {
  const {b, run, agent} = await running();
  agent.update({sessionUpdate: 'tool_call', toolCallId: 'tc-1', title: 'ls', rawInput: {command: 'ls'}});
  void agent.asks(5, {toolCallId: 'gate-1', title: 'bash', rawInput: {command: 'ls'}});
  const requested = (await b.events(run)).find(({event}) => event === 'permission.requested');
  assert.equal(requested && 'tool_call_id' in requested && requested.tool_call_id, 'tc-1');
});

test('E8 the agent’s ids may begin anew at every turn: ours never repeat', async () => {
  const {b, session, run, agent} = await running();
  const first = agent.asks(0, {toolCallId: 't1'});
  await settled();
  await b.sessions.answer(reader, run, `${run}.p1`, 'c');
  await first;
  agent.answers({stopReason: 'end_turn'});
  await b.afterGrace();
  const second = await b.start(session, 'Two');
  void agent.asks(0, {toolCallId: 't1'});
  await settled();
  assert.deepEqual((await b.sessions.get(reader, session)).pendingPermissions, [`${second}.p1`]);
});

test('E9 two requests for one call are two', async () => {
  const {b, run, agent} = await running();
  const one = agent.asks(1, {toolCallId: 't1'});
  const two = agent.asks('1', {toolCallId: 't1'});
  await settled();
  await b.sessions.answer(reader, run, `${run}.p2`, 'b');
  assert.deepEqual(await two, {outcome: 'selected', optionId: 'b'});
  await b.sessions.answer(reader, run, `${run}.p1`, 'c');
  assert.deepEqual(await one, {outcome: 'selected', optionId: 'c'});
});

test('E10 a request without a kind is judged by the call it is about', async () => {
  const {agent} = await withPolicy('allow-reads');
  agent.update({sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Read a.md', kind: 'read'});
  assert.deepEqual(await agent.asks(0, {toolCallId: 't1'}), {outcome: 'selected', optionId: 'c'});
});

test('E11 a stop settles what is open as cancelled, after the agent was told to stop', async () => {
  const {b, run, agent, pending} = await running();
  const asked = agent.asks(0, {toolCallId: 't1'});
  await settled();
  await b.sessions.abort(reader, run);
  assert.deepEqual(await asked, {outcome: 'cancelled'});
  assert.deepEqual(await pending(), []);
  assert.match(await b.sketch(run), new RegExp(`permission.resolved ${run}.p1 cancelled cancel`));
  // What is asked while it stops is not the reader's to answer any more.
  assert.deepEqual(await agent.asks(1, {toolCallId: 't2'}), {outcome: 'cancelled'});
});

test('E11 the end of the process, and of the gateway, settles what is open', async () => {
  const {b, run, agent} = await running();
  const asked = agent.asks(0, {toolCallId: 't1'});
  await settled();
  agent.exits({code: 1});
  assert.deepEqual(await asked, {outcome: 'cancelled'});
  assert.match(await b.sketch(run), /permission\.resolved .* cancelled cancel\nrun\.failed agent_exited/);
  const other = await b.running();
  const open = other.agent.asks(0, {toolCallId: 't1'});
  await settled();
  await b.sessions.stop();
  assert.deepEqual(await open, {outcome: 'cancelled'});
});

test('a request the agent takes back is closed', async () => {
  const {b, run, agent, pending} = await running();
  const back = new AbortController();
  const asked = agent.asks(0, {toolCallId: 't1'}, {signal: back.signal});
  await settled();
  back.abort();
  assert.deepEqual(await asked, {outcome: 'cancelled'});
  assert.deepEqual(await pending(), []);
  assert.match(await b.sketch(run), /permission\.resolved/);
});

test('E12 without a time limit a request waits as long as the reader does', async () => {
  const {b, run, agent, pending} = await running();
  void agent.asks(0, {toolCallId: 't1'});
  await settled();
  await b.clock.pass(24 * 3600 * 1000);
  assert.deepEqual(await pending(), [`${run}.p1`]);
  const requested = (await b.events(run)).find(({event}) => event === 'permission.requested');
  assert.ok(requested && !('expires_at' in requested));
});

test('E12 a time limit is shown with the request', async () => {
  const {b, run, agent} = await running({timeouts: {permission: 30_000}});
  const now = b.clock.now();
  void agent.asks(0, {toolCallId: 't1'});
  const requested = (await b.events(run)).find(({event}) => event === 'permission.requested');
  assert.equal(requested && 'expires_at' in requested && requested.expires_at, (now + 30_000) / 1000);
});

test('E13 a timeout is a refusal, and shown as one; cancelled only where the agent offers none', async () => {
  const {b, run, agent} = await running({timeouts: {permission: 30_000}});
  const asked = agent.asks(0, {toolCallId: 't1'});
  const unrefusable = agent.asks(1, {toolCallId: 't2'}, {options: [option('y', 'allow_once')]});
  await b.clock.pass(30_000);
  assert.deepEqual(await asked, {outcome: 'selected', optionId: 'b'});
  assert.deepEqual(await unrefusable, {outcome: 'cancelled'});
  const sketch = await b.sketch(run);
  assert.match(sketch, new RegExp(`permission.resolved ${run}.p1 b timeout`));
  assert.match(sketch, new RegExp(`permission.resolved ${run}.p2 cancelled timeout`));
  assert.equal(await b.active(run.split('.')[0]!), run);
});

test('E36 a request of a child session nobody announced is asked', async () => {
  const {b, run, agent, pending} = await running();
  const asked = agent.asks(0, {toolCallId: 'child'}, {sessionId: 'child-session'});
  assert.deepEqual(await pending(), [`${run}.p1`]);
  await b.sessions.answer(reader, run, `${run}.p1`, 'c');
  assert.deepEqual(await asked, {outcome: 'selected', optionId: 'c'});
});

test('a request between turns is asked by the session', async () => {
  const b = await bench();
  const session = await b.create();
  const asked = b.agent.asks(0, {toolCallId: 't1'});
  await settled();
  const [id] = (await b.sessions.get(reader, session)).pendingPermissions;
  assert.match(await b.sketch(`s.${session}`), new RegExp(`permission.requested ${id}`));
  await b.sessions.answer(reader, `s.${session}`, id!, 'c');
  assert.deepEqual(await asked, {outcome: 'selected', optionId: 'c'});
});

const policies = {
  ask: {read: null, edit: null},
  'allow-reads': {read: 'c', edit: null},
  'allow-all': {read: 'c', edit: 'c'},
  deny: {read: 'b', edit: 'b'},
} satisfies Record<Profile['policy'], Record<'read' | 'edit', string | null>>;

for (const [policy, kinds] of Object.entries(policies)) {
  test(`policy ${policy} chooses by kind, whatever the ids and their order`, async () => {
    const {b, run, agent, pending} = await withPolicy(policy as Profile['policy']);
    let id = 0;
    for (const [kind, chosen] of Object.entries(kinds)) {
      const asked = agent.asks(id, {toolCallId: `t${++id}`, kind});
      if (chosen === null) assert.ok((await pending()).includes(`${run}.p${id}`));
      else {
        assert.deepEqual(await asked, {outcome: 'selected', optionId: chosen});
        assert.match(await b.sketch(run), new RegExp(`permission.resolved ${run}.p${id} ${chosen} policy`));
      }
    }
  });
}

test('a policy asks the reader where no option is of its kind, and where the options are answers to a question', async () => {
  const cases: [Profile['policy'], readonly object[]][] = [
    ['allow-all', [option('no', 'reject_once')]],
    ['allow-all', [option('red', 'allow_once'), option('blue', 'allow_once'), option('no', 'reject_once')]],
    ['allow-all', [option('x', 'allow_later')]],
    ['deny', [option('y', 'allow_once')]],
  ];
  for (const [policy, options] of cases) {
    const {agent, run, pending} = await withPolicy(policy);
    void agent.asks(0, {toolCallId: 't1', kind: 'read'}, {options});
    assert.deepEqual(await pending(), [`${run}.p1`]);
  }
});

test('a policy takes the lasting option where there is no other', async () => {
  const {agent} = await withPolicy('allow-all');
  const options = [option('ever', 'allow_always'), option('no', 'reject_once')];
  const asked = agent.asks(0, {toolCallId: 't1', kind: 'edit'}, {options});
  assert.deepEqual(await asked, {outcome: 'selected', optionId: 'ever'});
});
