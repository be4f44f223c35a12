/** Hermes over HTTP as an agent: what its runs become in ACP, and what is made of a stream that breaks. */
import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import type {TappedLine, UpstreamLaunch} from '../../../../src/gateway/agent/agent.js';
import {openAgent} from '../../../../src/gateway/agent/open-agent.js';
import {systemClock, type Clock} from '../../../../src/gateway/clock.js';
import {ScriptedHermes, type HermesScript} from '../../../support/scripted-hermes/scripted-hermes.js';
import {ManualClock, settled} from '../../transport/manual-clock.js';
import {limits, Listener} from '../agent/opened.js';

type Upstream = Partial<UpstreamLaunch['upstream']>;

async function opened(
  context: TestContext,
  script: HermesScript,
  more: Upstream = {},
  clock: Clock = systemClock,
  heard = new Listener(),
) {
  const hermes = await new ScriptedHermes(script).open(context);
  const open = () => {
    const recall = () => Promise.resolve([]);
    const own = {url: hermes.url, key: null, keyName: null, model: null, session: 's1', recall};
    return openAgent({upstream: {...own, times: {pollMs: 1}, ...more}}, heard, {limits, clock});
  };
  return {hermes, heard, open};
}

/** An agent with its session, and how to prompt it. */
async function session(
  context: TestContext,
  script: HermesScript,
  more: Upstream = {},
  listener = new Listener(),
) {
  const {hermes, heard, open} = await opened(context, script, more, systemClock, listener);
  const agent = await open();
  context.after(() => agent.stop());
  await agent.request('session/new', {cwd: '/', mcpServers: []});
  const prompt = (text = 'Hello') =>
    agent.request('session/prompt', {sessionId: 's1', prompt: [{type: 'text', text}]});
  return {hermes, heard, agent, prompt};
}

type Said = Partial<Record<'sessionUpdate' | 'toolCallId' | 'name' | 'title' | 'status', string>> & {
  readonly content?: {readonly text?: string};
};

/** What was said, a line each. */
function sketch({lines}: Listener): readonly string[] {
  return lines.flatMap(({from, message}) => {
    const {method, params} = message as {method?: string; params?: {update?: Said}};
    if (from !== 'agent' || method !== 'session/update') return [];
    const {sessionUpdate, content, toolCallId, name, title, status} = params!.update!;
    const parts = [sessionUpdate, toolCallId, name, title, status, content?.text];
    return [parts.filter((part) => part !== undefined).join(' ')];
  });
}

const usage = {input_tokens: 900, output_tokens: 40, total_tokens: 940};

test('text, thinking and tools become updates, calls paired by name, and the end an answer with its usage', async (context) => {
  const {prompt, heard, hermes} = await session(context, {
    run: (run) => {
      run.send('reasoning.delta', {delta: 'First '}).send('reasoning.delta', {text: 'look.'});
      run.send('reasoning.available', {text: 'First lo…'}).send('message.delta', {delta: 'Let me '});
      run.raw(': keepalive\n\n').send('message.delta', {delta: 'look.'});
      run.send('tool.started', {tool: 'read_file', preview: 'a.md'});
      run.send('tool.started', {tool: 'read_file', preview: 'b.md'}).send('tool.started', {tool: 'terminal'});
      run.send('tool.completed', {tool: 'read_file', duration: 0.4, error: false});
      run.send('tool.completed', {tool: 'terminal', duration: 0.4, error: true});
      run.send('tool.completed', {tool: 'read_file', duration: 0.4, error: false});
      run.send('tool.completed', {tool: 'never_started', error: false});
      run.send('reasoning.available', {text: 'Enough.'}).send('run.weather', {sky: 'blue'});
      run.end('run.completed', {output: 'Done.', usage});
    },
  });
  assert.deepEqual(await prompt(), {
    stopReason: 'end_turn',
    usage: {inputTokens: 900, outputTokens: 40, totalTokens: 940},
  });
  assert.deepEqual(sketch(heard), [
    'agent_thought_chunk First ',
    'agent_thought_chunk look.',
    'agent_message_chunk Let me ',
    'agent_message_chunk look.',
    'tool_call tool#1 read_file a.md in_progress',
    'tool_call tool#2 read_file b.md in_progress',
    'tool_call tool#3 terminal terminal in_progress',
    'tool_call_update tool#1 completed',
    'tool_call_update tool#3 failed',
    'tool_call_update tool#2 completed',
    'tool_call tool#4 never_started never_started completed',
    'agent_thought_chunk Enough.',
    'hermes.run.weather',
    // The text that came with the end alone.
    'agent_message_chunk Done.',
  ]);
  assert.equal(hermes.times('/v1/runs'), 1);
  assert.equal(hermes.runs[0]!.asked.body['session_id'], 's1');
});

test('what was said before goes along, also what was said before the agent was opened', async (context) => {
  const before = [
    {role: 'user', content: 'One'},
    {role: 'assistant', content: 'First.'},
  ] as const;
  const {open, hermes} = await opened(
    context,
    {
      run: (run) =>
        run.send('message.delta', {delta: 'Second.'}).end('run.completed', {output: 'Second.', usage}),
    },
    {recall: () => Promise.resolve(before), model: 'large'},
  );
  const agent = await open();
  context.after(() => agent.stop());
  await agent.request('session/load', {sessionId: 's1', cwd: '/', mcpServers: []});
  for (const text of ['Two', 'Three']) {
    const link = {type: 'resource_link', name: 'a', uri: 'file:///a'};
    await agent.request('session/prompt', {sessionId: 's1', prompt: [{type: 'text', text}, link]});
  }
  const [first, second] = hermes.runs.map((run) => run.asked.body);
  assert.deepEqual(first!['conversation_history'], before);
  assert.equal(first!['input'], 'Two\n\n[a](file:///a)');
  assert.equal(first!['model'], 'large');
  assert.deepEqual(second!['conversation_history'], [
    ...before,
    {role: 'user', content: 'Two\n\n[a](file:///a)'},
    {role: 'assistant', content: 'Second.'},
  ]);
});

const approval = {
  command: 'rm -r build',
  description: 'recursive delete',
  choices: ['once', 'deny', 'newer'],
};

for (const choice of ['once', 'deny']) {
  test(`an approval is asked of the reader, and ${choice} is told to Hermes once`, async (context) => {
    const {prompt, heard, hermes} = await session(context, {
      run: async (run) => {
        run.send('tool.started', {tool: 'terminal', preview: 'rm -r build'});
        run.send('approval.request', {...approval, request_id: 'r9'});
        assert.deepEqual(await run.approved, {choice, request_id: 'r9'});
        run.send('approval.responded', {choice, resolved: 1});
        run.send('tool.completed', {tool: 'terminal', error: choice === 'deny'});
        run.end('run.completed', {output: 'Well.', usage});
      },
    });
    heard.outcome = {outcome: 'selected', optionId: choice};
    await prompt();
    const {params} = heard.asked[0]!;
    assert.deepEqual(params['toolCall'], {
      ...{toolCallId: 'tool#1', title: 'recursive delete', kind: 'execute', status: 'pending'},
      rawInput: {command: 'rm -r build', description: 'recursive delete'},
    });
    assert.deepEqual(params['options'], [
      {optionId: 'once', name: 'Allow once', kind: 'allow_once'},
      {optionId: 'deny', name: 'Deny', kind: 'reject_once'},
    ]);
    assert.equal(hermes.times('/approval'), 1);
  });
}

test('an approval that somebody else answered is taken back, and the next one is asked', async (context) => {
  const {prompt, heard, hermes} = await session(context, {
    run: async (run) => {
      run.send('approval.request', approval).send('approval.request', {...approval, command: 'second'});
      await heard.until(() => heard.asked.length === 1);
      run.send('approval.responded', {choice: 'deny', resolved: 1});
      await heard.until(() => heard.asked.length === 2);
      run.end('run.completed', {output: 'Done.', usage});
    },
  });
  heard.outcome = new Promise(() => {});
  await prompt();
  assert.equal(heard.asked[0]!.signal.aborted, true);
  assert.match(JSON.stringify(heard.asked[1]!.params), /second/);
  await heard.until(() => heard.asked[1]!.signal.aborted);
  assert.equal(hermes.times('/approval'), 0);
});

test('an answer that Hermes no longer waits for is told of', async (context) => {
  const {prompt, heard} = await session(context, {
    refuse: {'/approval': [409, 'Run has no pending approval']},
    run: async (run) => {
      run.send('approval.request', approval);
      await heard.until(() => sketch(heard).some((line) => line.startsWith('notice')));
      run.end('run.completed', {output: 'Done.', usage});
    },
  });
  heard.outcome = {outcome: 'selected', optionId: 'once'};
  await prompt();
  assert.equal(sketch(heard)[0], 'notice Hermes no longer waits for this approval.');
});

test('a cancel stops the run, whose end is the answer', async (context) => {
  const {prompt, agent, heard} = await session(context, {
    run: async (run) => {
      run.send('message.delta', {delta: 'Half'});
      await run.stopped;
      run.end('run.cancelled');
    },
  });
  const answer = prompt();
  await heard.until(() => heard.text === 'Half');
  agent.notify('session/cancel', {sessionId: 's1'});
  assert.deepEqual(await answer, {stopReason: 'cancelled'});
});

for (const how of ['cancelled', 'ended']) {
  test(`a turn that is ${how} before its run has a name stops it once it has one`, async (context) => {
    let start = () => {};
    const {prompt, agent, hermes} = await session(context, {
      starts: new Promise<void>((resolve) => (start = resolve)),
      run: async (run) => {
        await run.stopped;
        run.end('run.cancelled');
      },
    });
    const answer = prompt().catch((error: unknown) => error);
    while (hermes.times('/v1/runs') === 0) await new Promise((resolve) => setImmediate(resolve));
    const ended = how === 'ended' ? agent.stop() : agent.notify('session/cancel', {sessionId: 's1'});
    start();
    await Promise.all([answer, ended]);
    assert.equal(hermes.times('/stop'), 1);
  });
}

test('a flood is taken no faster than it is kept', async (context) => {
  const words = Array.from({length: 20_000}, (_, n) => `${n} `);
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  class Slow extends Listener {
    override onLine(line: TappedLine): void | Promise<unknown> {
      void super.onLine(line);
      if (line.message['method'] === 'session/update') return gate;
    }
  }
  const heard = new Slow();
  const {prompt} = await session(
    context,
    {
      run: (run) => {
        for (const delta of words) run.send('message.delta', {delta});
        run.end('run.completed', {output: words.join(''), usage});
      },
    },
    {},
    heard,
  );
  const answer = prompt();
  await heard.until(() => heard.text !== '');
  await settled();
  assert.ok(heard.lines.length < 2000, `${heard.lines.length} lines were read ahead`);
  open();
  await answer;
  assert.equal(heard.text, words.join(''));
});

test('an agent that is stopped while it works stops the run', async (context) => {
  const {prompt, agent, heard, hermes} = await session(context, {
    run: (run) => void run.send('message.delta', {delta: 'Half'}),
  });
  const refused = assert.rejects(prompt());
  await heard.until(() => heard.text === 'Half');
  assert.equal((await agent.stop()).reason, 'stopped');
  await refused;
  assert.equal(hermes.times('/stop'), 1);
});

test('a failure is the answer, in the words of Hermes', async (context) => {
  const {prompt} = await session(context, {
    run: (run) => run.end('run.failed', {error: 'model rejected the key'}),
  });
  await assert.rejects(prompt(), {code: 'rejected', message: /model rejected the key/});
});

test('a stream that breaks is followed by status: the end, and the text that was missed, come from there', async (context) => {
  let looks = 0;
  const {prompt, heard} = await session(context, {
    run: (run) => {
      Object.defineProperty(run, 'status', {
        get: () =>
          ++looks < 3
            ? {status: 'running', updated_at: looks}
            : {status: 'completed', output: 'Half of it, and the rest.', usage},
      });
      run.send('message.delta', {delta: 'Half of it'});
      setImmediate(() => run.break());
    },
  });
  assert.match(JSON.stringify(await prompt()), /"inputTokens":900/);
  assert.equal(heard.text, 'Half of it, and the rest.');
  assert.match(sketch(heard)[1]!, /^notice The stream from Hermes broke/);
});

test('an approval that nobody heard of is asked where Hermes says what it is, and refused where not', async (context) => {
  for (const known of [true, false]) {
    const {prompt, heard, hermes} = await session(context, {
      run: (run) => {
        run.status = {status: 'waiting_for_approval', ...(known && {approval})};
        void run.approved.then(() => (run.status = {status: 'completed', output: 'Done.', usage}));
        run.break();
      },
    });
    heard.outcome = {outcome: 'selected', optionId: 'once'};
    await prompt();
    assert.equal(
      hermes.asked.find(({path}) => path.endsWith('/approval'))!.body['choice'],
      known ? 'once' : 'deny',
    );
    assert.equal(heard.asked.length, known ? 1 : 0);
  }
});

test('a run that Hermes no longer knows, or that it lost, fails as what it is', async (context) => {
  const ends = [
    [(hermes: ScriptedHermes) => hermes.forget(), 'connection_lost', /no longer knows this run/],
    [(hermes: ScriptedHermes) => hermes.close(), 'connection_lost', /cannot be reached again/],
    [
      ({runs: [run]}: ScriptedHermes) =>
        (run!.status = {status: 'interrupted', error: 'The gateway restarted.'}),
      'interrupted',
      /The gateway restarted/,
    ],
  ] as const;
  for (const [what, state, message] of ends) {
    const given = await session(
      context,
      {
        run: (run) => {
          what(given.hermes);
          run.break();
        },
      },
      {times: {pollMs: 1, patienceMs: 20}},
    );
    const refusal = await given
      .prompt()
      .catch((error: unknown) => error as {rpc: {message: string; data: unknown}});
    const {rpc} = refusal as {rpc: {message: string; data: unknown}};
    assert.match(rpc.message, message);
    assert.deepEqual(rpc.data, {terminalState: state});
  }
});

test('a stream without a byte, not even a keepalive, is broken', async (context) => {
  const clock = new ManualClock();
  const {open, heard} = await opened(
    context,
    {
      run: (run) => {
        run.send('message.delta', {delta: 'Half'});
        run.status = {status: 'completed', output: 'Half.', usage};
      },
    },
    {},
    clock,
  );
  const agent = await open();
  context.after(() => agent.stop());
  await agent.request('session/new', {cwd: '/', mcpServers: []});
  const answer = agent.request('session/prompt', {sessionId: 's1', prompt: [{type: 'text', text: 'Hello'}]});
  await heard.until(() => heard.text === 'Half');
  await clock.pass(90_000);
  assert.match(JSON.stringify(await answer), /end_turn/);
  assert.equal(heard.text, 'Half.');
});

test('a key that is not taken is a sign-in that is wanted, before and during a session', async (context) => {
  const {open} = await opened(context, {key: 'right'}, {key: 'wrong', keyName: 'HERMES_KEY'});
  const agent = await open();
  context.after(() => agent.stop());
  assert.match(JSON.stringify(agent.info.authMethods), /HERMES_KEY/);
  await assert.rejects(
    agent.request('session/new', {cwd: '/', mcpServers: []}),
    (error: {rpc: {code: number}}) => {
      return error.rpc.code === -32000;
    },
  );
  const {prompt} = await session(context, {refuse: {'/v1/runs': [401, 'Invalid API key']}});
  await assert.rejects(prompt(), {message: /does not take the key: Invalid API key/});
});

const refusals = [
  [404, /has no \/v1\/runs/],
  [429, /at work on all it takes/],
  [400, /does not take this prompt: because/],
  [500, /failed to start the run: because/],
] as const;

for (const [status, message] of refusals) {
  test(`a run that is refused with ${status} says why`, async (context) => {
    const {prompt} = await session(context, {refuse: {'/v1/runs': [status, 'because']}});
    await assert.rejects(prompt(), {code: 'rejected', message});
  });
}

test('an old build without capabilities is taken at its health; nobody and somebody else are told apart', async (context) => {
  const {open} = await opened(context, {isOld: true});
  assert.equal((await (await open()).stop()).reason, 'stopped');
  const nobody = await opened(context, {}, {url: 'http://127.0.0.1:1'});
  await assert.rejects(nobody.open(), {code: 'not-found', message: /Hermes does not answer at its address/});
  const other = await opened(context, {refuse: {'/': [404, ''], s: [404, ''], h: [404, '']}});
  await assert.rejects(other.open(), {code: 'protocol', message: /is no Hermes Agent that takes runs/});
});

test('a slow start has its time and no more', async (context) => {
  const hermes = await new ScriptedHermes({slow: new Promise(() => {})}).open(context);
  const recall = () => Promise.resolve([]);
  const upstream = {url: hermes.url, key: null, keyName: null, model: null, session: 's1', recall};
  const options = {limits: {...limits, startMs: 20}, clock: systemClock};
  await assert.rejects(openAgent({upstream}, new Listener(), options), {code: 'timeout'});
});
