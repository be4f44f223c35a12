/** What an agent says: every line once, in order, before the library, and noise apart. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Listener, opened, prompted} from './opened.js';

const done = {answer: {stopReason: 'end_turn'}};
const chunk = (text: string) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: {sessionId: 's', update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}},
});

/** The protocol's library complains here about what it does not know; nothing of it may come through. */
function silence(context: {after(done: () => void): void}): readonly unknown[] {
  const said: unknown[] = [];
  const {error} = console;
  console.error = (...words: unknown[]) => void said.push(words);
  context.after(() => void (console.error = error));
  return said;
}

test('every line of both directions is told once, in the order of the wire', async (context) => {
  const {agent, heard} = await opened(context, {on: {'session/prompt': [{text: 'a'}, {text: 'b'}, done]}});
  await prompted(agent);
  const told = heard.lines.map(
    ({from, message}) => `${from} ${JSON.stringify(message['method'] ?? message['id'])}`,
  );
  assert.deepEqual(told, [
    ...['client "initialize"', 'agent 0', 'client "session/new"', 'agent 1', 'client "session/prompt"'],
    ...['agent "session/update"', 'agent "session/update"', 'agent 2'],
  ]);
  for (const {text, message} of heard.lines) assert.deepEqual(JSON.parse(text), message);
  await agent.stop();
});

test('E19 noise reaches neither library nor listener nor the agent, and is counted and kept', async (context) => {
  const said = silence(context);
  const noise = [
    'Loading model…',
    '[1,2]',
    '"text"',
    '42',
    'null',
    '{"level":"info"}',
    '{"cut',
    '[{"jsonrpc":"2.0"}]',
  ];
  const {agent, fake, heard} = await opened(context, {
    start: [{raw: `${noise.slice(0, 2).join('\n')}\n\n  \n`}],
    on: {'session/prompt': [{raw: `${noise.slice(2).join('\n')}\n`}, {text: 'Hi'}, done]},
  });
  assert.deepEqual(await prompted(agent), {stopReason: 'end_turn'});
  assert.equal(heard.text, 'Hi');
  assert.equal(heard.lines.length, 7);
  assert.deepEqual(agent.diagnostics.noise, noise);
  assert.equal(agent.diagnostics.noiseCount, noise.length);
  await agent.stop();
  await fake.dead();
  assert.deepEqual(
    fake.received.map(({method}) => method),
    ['initialize', 'session/new', 'session/prompt'],
  );
  assert.deepEqual(said, []);
});

test('E19 a flood of noise is bounded in memory, and secrets in it are removed', async (context) => {
  const {agent} = await opened(
    context,
    {on: {'session/prompt': [{repeat: {times: 2000, steps: [{raw: 'spinner $n KEY=abcdef123\n'}]}}]}},
    {env: {SOME_KEY: 'abcdef123'}},
  );
  await prompted(agent);
  const {noise, noiseCount} = agent.diagnostics;
  assert.equal(noiseCount, 2000);
  assert.ok(noise.length <= 400);
  assert.doesNotMatch(noise.join(), /abcdef123/);
  await agent.stop();
});

test('E20 the agent gets one whole line a message, whatever comes at once', async (context) => {
  const {agent, fake} = await opened(context);
  const texts = Array.from({length: 50}, (_, n) => `${n}${'ü'.repeat(n * 100)}`);
  await Promise.all(texts.map((text) => prompted(agent, text)));
  await agent.stop();
  await fake.dead();
  assert.equal(fake.received.length, 101);
  assert.equal(fake.reports.filter(({label}) => label === 'bad-line').length, 0);
});

test('E21 characters written byte by byte arrive whole', async (context) => {
  const {agent, heard} = await opened(context, {
    on: {'session/prompt': [{bytewise: chunk('é – 😀 漢')}, done]},
  });
  await prompted(agent);
  assert.equal(heard.text, 'é – 😀 漢');
  await agent.stop();
});

test('a last line without its end is heard before the exit', async (context) => {
  const {agent, heard} = await opened(context, {
    on: {'session/prompt': [{raw: JSON.stringify(chunk('last'))}, {exit: 0}]},
  });
  await assert.rejects(prompted(agent), {code: 'gone'});
  await heard.until(() => heard.exits.length === 1);
  assert.equal(heard.text, 'last');
});

test('E22 a line of 20 MB arrives, in time that grows with its length', async (context) => {
  const {agent, heard} = await opened(
    context,
    {on: {'session/prompt': [{longLine: 20_000_000}, done]}},
    {limits: {startMs: 60_000, graceMs: 60_000, maxLineBytes: 32 << 20}},
  );
  await prompted(agent);
  assert.equal(heard.text.length, 20_000_000);
  await agent.stop();
});

test('E22 a line over the limit ends the agent with a sentence, and every request with it', async (context) => {
  const {agent, fake, heard} = await opened(context, {
    on: {'session/prompt': [{longLine: 2_000_000}, {never: true}]},
  });
  await assert.rejects(prompted(agent), {
    code: 'protocol',
    message: /a line of more than 1048576 bytes/,
  });
  await heard.until(() => heard.exits.length === 1);
  assert.equal(heard.exits[0]?.reason, 'failed');
  assert.match(heard.exits[0]?.message ?? '', /1048576 bytes/);
  await assert.rejects(agent.request('session/new', {}), {name: 'AgentError'});
  await fake.dead();
});

test('a request over the limit is refused before it is sent, and the agent lives', async (context) => {
  const {agent} = await opened(context);
  await assert.rejects(prompted(agent, 'x'.repeat(2 << 20)), {code: 'protocol', message: /longer than/});
  assert.deepEqual(await prompted(agent), {stopReason: 'end_turn'});
  await agent.stop();
});

test('E38 updates newer than the library arrive verbatim, and it says nothing of them', async (context) => {
  const said = silence(context);
  const updates = [
    {sessionUpdate: 'hologram_update', angle: 3},
    {sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', kind: 'teleport', status: 'dreaming', depth: 9},
    {sessionUpdate: 'tool_call', toolCallId: 'no-title'},
    {sessionUpdate: 'usage_update', used: 1.5, size: 10},
    {sessionUpdate: 'agent_message_chunk', content: {type: 'scent', data: '…'}},
    {sessionUpdate: 'plan_update', plan: {type: 'items', planId: 'p', entries: []}},
  ];
  const {agent, heard} = await opened(context, {
    on: {
      'session/prompt': [
        ...updates.map((update) => ({update})),
        {notify: {method: '_vendor/news', params: [1, 2]}},
        done,
      ],
    },
  });
  await prompted(agent);
  const told = heard.lines.filter(({from, message}) => from === 'agent' && message['method'] !== undefined);
  assert.deepEqual(
    told.slice(0, -1).map(({message}) => (message['params'] as {update: unknown}).update),
    updates,
  );
  assert.deepEqual(told.at(-1)?.message, {jsonrpc: '2.0', method: '_vendor/news', params: [1, 2]});
  assert.deepEqual(said, []);
  await agent.stop();
});

test('E1 E27 updates after an answer, and before that of session/new, are told in their place', async (context) => {
  const {agent, heard} = await opened(context, {
    on: {
      'session/new': [
        {sendAll: [chunk('early '), {jsonrpc: '2.0', id: '$id', result: {sessionId: 's'}}]},
        {answered: true},
      ],
      'session/prompt': [
        {
          sendAll: [
            chunk('in '),
            {jsonrpc: '2.0', id: '$id', result: {stopReason: 'end_turn'}},
            chunk('late'),
          ],
        },
        {answered: true},
      ],
    },
  });
  await prompted(agent);
  await heard.until(() => heard.text.endsWith('late'));
  assert.equal(heard.text, 'early in late');
  await agent.stop();
});

test('a listener that asks to wait holds back what follows', async (context) => {
  let goOn = () => {};
  class Slow extends Listener {
    override onLine(line: Parameters<Listener['onLine']>[0]): void | Promise<unknown> {
      void super.onLine(line);
      if (this.text === 'first') return new Promise<void>((resolve) => (goOn = resolve));
    }
  }
  const listener = new Slow();
  const {agent, fake} = await opened(
    context,
    {
      on: {
        'session/prompt': [{text: 'first'}, {pause: 'sent'}, {text: ' second'}, {pause: 'sent more'}, done],
      },
    },
    {listener},
  );
  const answered = prompted(agent);
  await listener.until(() => listener.text === 'first');
  await fake.reached('sent');
  fake.release('sent');
  await fake.reached('sent more');
  assert.equal(listener.text, 'first');
  goOn();
  await listener.until(() => listener.text === 'first second');
  fake.release('sent more');
  await answered;
  await agent.stop();
});

for (const [how, fail] of [
  ['throws', () => assert.fail('disk full')],
  ['rejects', () => Promise.reject(new Error('disk full'))],
] as const) {
  test(`a listener that ${how} ends the agent, so nothing is said that nobody keeps`, async (context) => {
    class Broken extends Listener {
      override onLine(line: Parameters<Listener['onLine']>[0]): void | Promise<unknown> {
        void super.onLine(line);
        if (this.text === 'first') return fail();
      }
    }
    const listener = new Broken();
    const {agent, fake} = await opened(
      context,
      {on: {'session/prompt': [{text: 'first'}, {never: true}]}},
      {listener},
    );
    await assert.rejects(prompted(agent), {code: 'protocol', message: /could not be kept/});
    await listener.until(() => listener.exits.length === 1);
    assert.equal(listener.exits[0]?.reason, 'failed');
    await fake.dead();
  });
}

test('E23 a megabyte on stderr neither blocks the agent nor stays in memory, and secrets in it are removed', async (context) => {
  const {agent} = await opened(
    context,
    {
      on: {
        'session/prompt': [
          {stderrFlood: 1_000_000},
          {stderr: 'Authorization: Bearer abcdef123456\nreading $KEY hunter22hunter22 in /home/reader/x\n'},
          done,
        ],
      },
    },
    {env: {HOME: '/home/reader', MODEL_API_KEY: 'hunter22hunter22'}},
  );
  await prompted(agent);
  await agent.stop();
  const {stderr} = agent.diagnostics;
  assert.ok(stderr.length <= 400);
  assert.deepEqual(stderr.slice(-2), ['Authorization: Bearer [secret]', 'reading $KEY [secret] in ~/x']);
});
