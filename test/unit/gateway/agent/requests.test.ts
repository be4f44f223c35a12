/** Requests of both directions: ours and their answers, the agent's and ours. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ManualClock} from '../../transport/manual-clock.js';
import {opened, prompted} from './opened.js';

const done = {answer: {stopReason: 'end_turn'}};

for (const id of [0, '', 'gate-1', null, -1.5] as const) {
  test(`E8 E39 a permission request with the id ${JSON.stringify(id)} is asked and answered with it`, async (context) => {
    const toolCall = {toolCallId: 't1', title: 'rm -r', rawInput: {command: 'rm -r /'}, _meta: {x: 1}};
    const {agent, fake, heard} = await opened(context, {
      on: {'session/prompt': [{permission: {id, toolCall, extra: true}}, done]},
    });
    heard.outcome = {outcome: 'selected', optionId: 'yes'};
    await prompted(agent);
    const [asked] = heard.asked;
    assert.deepEqual([asked?.requestId, asked?.sessionId], [id, 'fake-session-1']);
    assert.deepEqual([asked?.params['toolCall'], asked?.params['extra']], [toolCall, true]);
    const {value} = await fake.reached('answer');
    assert.deepEqual(value, {
      jsonrpc: '2.0',
      id,
      result: {outcome: {outcome: 'selected', optionId: 'yes'}},
    });
    await agent.stop();
  });
}

test('a permission request that the library would refuse is asked, with options of unknown kinds and without a tool', async (context) => {
  const options = [{optionId: 'maybe', name: 'Maybe', kind: 'allow_on_tuesdays'}, {optionId: 'odd'}];
  const {agent, heard} = await opened(context, {on: {'session/prompt': [{permission: {options}}, done]}});
  heard.outcome = {outcome: 'selected', optionId: 'maybe'};
  assert.deepEqual(await prompted(agent), {stopReason: 'end_turn'});
  assert.deepEqual(heard.asked[0]?.params['options'], options);
  await agent.stop();
});

test('a permission request is told to the listener before it is asked', async (context) => {
  const {agent, heard} = await opened(context, {
    on: {'session/prompt': [{permission: {id: 'p'}}, done]},
  });
  let toldBefore = false;
  const {asked} = heard;
  heard.onPermission = (request) => {
    toldBefore = heard.lines.some(({message}) => message['id'] === 'p');
    asked.push(request);
    return Promise.resolve({outcome: 'cancelled'});
  };
  await prompted(agent);
  assert.ok(toldBefore);
  await agent.stop();
});

test('E9 E36 two permissions of one tool, and one of a session nobody knows, are each answered for themselves', async (context) => {
  const toolCall = {toolCallId: 't1', title: 'T'};
  const {agent, fake, heard} = await opened(context, {
    on: {
      'session/prompt': [
        {
          together: [
            [{permission: {id: 'a', toolCall}}],
            [{permission: {id: 'b', toolCall}}],
            [{permission: {id: 'c', sessionId: 'child-of-nobody', toolCall}}],
          ],
        },
        done,
      ],
    },
  });
  heard.onPermission = ({requestId}) =>
    Promise.resolve({outcome: 'selected', optionId: `for ${String(requestId)}`});
  await prompted(agent);
  const reports = [await fake.reached('answer'), await fake.reached('answer'), await fake.reached('answer')];
  assert.deepEqual(
    reports
      .map(({value}) => value)
      .map((answer) => (answer as {result: {outcome: {optionId: string}}}).result.outcome.optionId)
      .sort(),
    ['for a', 'for b', 'for c'],
  );
  await agent.stop();
});

test('a permission that the agent takes back is answered cancelled, and its signal aborts', async (context) => {
  const {agent, fake, heard} = await opened(context, {
    on: {
      'session/prompt': [
        {permission: {id: 'p', wait: false}},
        {pause: 'asked'},
        {notify: {method: '$/cancel_request', params: {requestId: 'p'}}},
        {waitFor: {id: 'p'}},
        done,
      ],
    },
  });
  heard.outcome = new Promise(() => {});
  const answered = prompted(agent);
  await heard.until(() => heard.asked.length === 1);
  await fake.reached('asked');
  fake.release('asked');
  await answered;
  assert.ok(heard.asked[0]?.signal.aborted);
  const {value} = await fake.reached('answer');
  assert.deepEqual((value as {result: unknown}).result, {outcome: {outcome: 'cancelled'}});
  await agent.stop();
});

test('a permission nobody could answer is an error without our reasons', async (context) => {
  const {agent, fake, heard} = await opened(context, {on: {'session/prompt': [{permission: {id: 1}}, done]}});
  heard.onPermission = () => Promise.reject(new Error('/secret/path'));
  await prompted(agent);
  const {value} = await fake.reached('answer');
  assert.equal((value as {error: {code: number}}).error.code, -32603);
  assert.doesNotMatch(JSON.stringify(value), /secret/);
  await agent.stop();
});

test('E35 requests we do not know, of protocol and vendors, are refused at once with −32601', async (context) => {
  const methods = ['fs/read_text_file', 'terminal/create', 'elicitation/create', '_vendor/ask', 'x'];
  const {agent, fake} = await opened(context, {
    on: {'session/prompt': [...methods.map((method) => ({ask: {method, params: {path: '/a'}}})), done]},
  });
  await prompted(agent);
  const codes = fake.reports
    .filter(({label}) => label === 'answer')
    .map(({value}) => (value as {error: {code: number}}).error.code);
  assert.deepEqual(
    codes,
    methods.map(() => -32601),
  );
  await agent.stop();
});

test('a second answer to a request, and one to none, are counted and change nothing', async (context) => {
  const {agent} = await opened(context, {
    on: {
      'session/prompt': [
        {answer: {stopReason: 'end_turn'}},
        {answer: {stopReason: 'refusal'}},
        {send: {jsonrpc: '2.0', id: 'nobody', result: {}}},
        {send: {jsonrpc: '2.0', id: null, error: {code: -32700, message: 'Parse error'}}},
      ],
    },
  });
  assert.deepEqual(await prompted(agent), {stopReason: 'end_turn'});
  assert.equal(await agent.isAlive(60_000), true);
  assert.equal(agent.diagnostics.noiseCount, 3);
  await agent.stop();
});

test('a result is told as it is, with fields and values the library does not know', async (context) => {
  const result = {stopReason: 'error', usage: {inputTokens: 3, odd: [1]}, _meta: {quota: 1}};
  const {agent} = await opened(context, {on: {'session/prompt': [{answer: result}]}});
  assert.deepEqual(await prompted(agent), result);
  await agent.stop();
});

test('a refusal keeps its code, text and data, and its sentence holds no secret', async (context) => {
  const error = {code: -32603, message: 'key sk-0123456789abcdef was refused', data: {errorName: 'Auth'}};
  const {agent} = await opened(context, {on: {'session/prompt': [{error}]}});
  await assert.rejects(prompted(agent), (refused: Error & {code: string; rpc: object}) => {
    assert.deepEqual([refused.code, refused.rpc], ['rejected', error]);
    assert.equal(refused.message, 'The agent refused "session/prompt": key [secret] was refused');
    return true;
  });
  await agent.stop();
});

for (const [what, answer, code] of [
  ['neither result nor error', {}, 'protocol'],
  ['both', {result: {}, error: {code: 1, message: 'm'}}, 'protocol'],
  ['an error that is text', {error: 'broken'}, 'protocol'],
  ['an error without a code', {error: {message: 'broken'}}, 'rejected'],
] as const) {
  test(`an answer with ${what} rejects its request as ${code}`, async (context) => {
    const send = {jsonrpc: '2.0', id: '$id', ...answer};
    const {agent} = await opened(context, {on: {'session/prompt': [{send}, {answered: true}]}});
    await assert.rejects(prompted(agent), {code});
    await agent.stop();
  });
}

test('an aborted request is no longer waited for, and the agent is told', async (context) => {
  const {agent, fake} = await opened(context, {
    on: {'session/prompt': [{pause: 'working'}, {waitFor: {method: '$/cancel_request', seen: true}}, done]},
  });
  const stop = new AbortController();
  const {sessionId} = (await agent.request('session/new', {cwd: '/', mcpServers: []})) as {sessionId: string};
  const answered = agent.request('session/prompt', {sessionId, prompt: []}, {signal: stop.signal});
  await fake.reached('working');
  stop.abort();
  await assert.rejects(answered, {code: 'aborted'});
  fake.release('working');
  // Its answer comes late, to nobody, and is no noise.
  assert.equal(await agent.isAlive(60_000), true);
  assert.equal(agent.diagnostics.noiseCount, 0);
  await agent.stop();
});

test('E40 an agent that lives says so to a probe it keeps no word of', async (context) => {
  const {agent, fake} = await opened(context);
  assert.equal(await agent.isAlive(60_000), true);
  await agent.stop();
  assert.equal(await agent.isAlive(60_000), false);
  await fake.dead();
  assert.deepEqual(
    fake.received.map(({method}) => method),
    ['initialize', 'ping'],
  );
});

test('an agent that hangs is not alive, asked however often with one probe', async (context) => {
  const clock = new ManualClock();
  const {agent, fake} = await opened(context, {on: {ping: [{pause: 'hangs'}]}}, {clock});
  const first = agent.isAlive(1000);
  await fake.reached('hangs');
  await clock.pass(1000);
  assert.equal(await first, false);
  const second = agent.isAlive(1000);
  await clock.pass(1000);
  assert.equal(await second, false);
  const third = agent.isAlive(1000);
  fake.release('hangs');
  assert.equal(await third, true);
  assert.equal(fake.received.filter(({method}) => method === 'ping').length, 1);
  await agent.stop();
});
