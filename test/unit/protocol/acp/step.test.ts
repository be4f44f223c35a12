import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  createAcpState,
  finish,
  readAcpLine,
  step,
  type AcpObservation,
  type AcpState,
  type RunEvent,
  type RunEventName,
} from '../../../../src/protocol/index.js';
import {Talk, text} from './talk.js';

/** Every kind of update, in a turn: what it is called, what it carries, and which events it brings. */
const updates: readonly [kind: string, fields: object, events: readonly RunEventName[], run?: string][] = [
  ['user_message_chunk', {content: text('Well?')}, []],
  ['user_message_chunk', {content: text('<session-context version="1">/home</session-context>')}, []],
  ['user_message_chunk', {content: text('Something else.')}, ['agent.update']],
  ['agent_message_chunk', {content: text('Yes.')}, ['message.delta']],
  ['agent_message_chunk', {content: text('')}, []],
  ['agent_message_chunk', {content: {type: 'image', data: 'AAAA', mimeType: 'image/png'}}, ['message.delta']],
  ['agent_thought_chunk', {content: text('Hm.')}, ['thought.delta']],
  ['agent_thought_chunk', {content: {type: 'image'}}, ['agent.update']],
  ['tool_call', {toolCallId: 'c', title: 'read'}, ['tool.started']],
  ['tool_call', {toolCallId: 'c', title: 'read', status: 'completed'}, ['tool.started', 'tool.completed']],
  ['tool_call_update', {toolCallId: 'c'}, ['tool.started']],
  ['plan', {entries: [{content: 'a', priority: 'high', status: 'pending'}]}, ['plan.updated']],
  ['plan_update', {plan: {type: 'items', planId: 'p', entries: []}}, ['plan.updated']],
  ['plan_update', {plan: {type: 'markdown', planId: 'p', markdown: '# a'}}, ['agent.update']],
  ['plan_removed', {planId: 'p'}, ['plan.updated']],
  ['available_commands_update', {availableCommands: []}, ['commands.updated'], 's.one'],
  ['current_mode_update', {currentModeId: 'plan'}, ['mode.updated'], 's.one'],
  ['config_option_update', {configOptions: []}, ['config.updated'], 's.one'],
  ['session_info_update', {title: 'Gauges'}, ['session.info'], 's.one'],
  ['usage_update', {used: 1, size: 2}, ['usage.updated']],
  ['notice', {severity: 'warning', title: 'Slow'}, ['notice']],
  ['compaction_update', {compactionId: 'k', status: 'in_progress'}, ['compaction']],
  ['compaction_summary_chunk', {compactionId: 'k', content: text('Short.')}, []],
  ['subagent_update', {sessionId: 'child'}, ['agent.update']],
  ['session_message', {messageId: 'm'}, ['agent.update']],
  ['session_message_chunk', {messageId: 'm', content: text('x')}, ['agent.update']],
  ['hologram', {}, ['agent.update']],
  ['constructor', {}, ['agent.update']],
];

for (const [sessionUpdate, fields, events, run = 'one.1'] of updates) {
  test(`${sessionUpdate} ${JSON.stringify(fields).slice(0, 60)} brings ${events.join(', ') || 'nothing'}`, () => {
    const talk = Talk.begun();
    const before = talk.events.length;
    talk.update({sessionUpdate, ...fields});
    const brought = talk.events.slice(before);
    assert.deepEqual(
      brought.map(({event}) => event),
      events,
    );
    for (const {run_id, session_id} of brought) assert.deepEqual([run_id, session_id], [run, 'one']);
    assert.equal(talk.facts.malformed, 0);
  });
}

/** What cannot be read, and is counted. */
const malformed: readonly [string, object][] = [
  ['an update without params', {method: 'session/update'}],
  ['an update that is a text', {method: 'session/update', params: {sessionId: 'one', update: 'x'}}],
  ['an update without a kind', {method: 'session/update', params: {sessionId: 'one', update: {}}}],
  [
    'a chunk without content',
    {method: 'session/update', params: {sessionId: 'one', update: {sessionUpdate: 'agent_message_chunk'}}},
  ],
  [
    'a call without an id',
    {
      method: 'session/update',
      params: {sessionId: 'one', update: {sessionUpdate: 'tool_call', toolCallId: 7}},
    },
  ],
  [
    'a mode that is a number',
    {
      method: 'session/update',
      params: {sessionId: 'one', update: {sessionUpdate: 'current_mode_update', currentModeId: 7}},
    },
  ],
  ['a permission request without params', {id: 9, method: 'session/request_permission'}],
];
for (const [name, message] of malformed) {
  test(`${name} is counted and brings nothing`, () => {
    const talk = Talk.begun().agent(message);
    assert.deepEqual(talk.names, ['run.started']);
    assert.equal(talk.facts.malformed, 1);
  });
}

test('a message of another session is counted as foreign and brings nothing', () => {
  const talk = Talk.begun()
    .update({sessionUpdate: 'agent_message_chunk', content: text('x')}, 'two')
    .prompt('y', 'two');
  assert.deepEqual(talk.names, ['run.started']);
  assert.equal(talk.facts.foreign, 2);
});

test('what is meant for the agent alone is not in the shown prompt', () => {
  const page = {type: 'resource', resource: {uri: 'page://1', text: 'Page.'}};
  const shown = (blocks: readonly object[]) =>
    new Talk().made('one').prompt(blocks).of('run.started')[0]!.prompt;
  assert.equal(shown([{...page, annotations: {audience: ['assistant']}}, text('Well?')]), 'Well?');
  assert.equal(shown([{...text('Page.'), _meta: {'hermes.pageContext': true}}, text('Well?')]), 'Well?');
  assert.equal(
    shown([text('See'), {type: 'resource_link', name: 'a.txt', uri: 'file:///a.txt'}]),
    'See\n[a.txt]',
  );
});

test('a gateway names the next run, its turn and its profile', () => {
  const talk = new Talk({sessionId: 'pub', runs: 4, sessionSeq: 9}).made('agent-id');
  talk.fact({type: 'run', runId: 'r', turnId: 't', profile: 'p'}).prompt('Well?', 'agent-id').answer().end();
  const [started] = talk.of('run.started');
  assert.deepEqual(
    [started!.run_id, started!.turn_id, started!.profile, started!.session_id],
    ['r', 't', 'p', 'pub'],
  );
  assert.equal(talk.prompt('And?', 'agent-id').of('run.started')[1]!.run_id, 'pub.6');
  talk.update({sessionUpdate: 'session_info_update', title: 'x'}, 'agent-id');
  assert.deepEqual([talk.of('session.info')[0]!.run_id, talk.of('session.info')[0]!.seq], ['s.pub', 10]);
});

test('a run whose prompt is sent again, to another session, stays one run', () => {
  const talk = new Talk({sessionId: 'pub', acpSessionId: 'one'}).prompt('Well?').answer('refusal');
  talk.fact({type: 'again'}).made('two').prompt('Well?', 'two');
  talk
    .update({sessionUpdate: 'agent_message_chunk', content: text('Yes.')}, 'two')
    .answer()
    .end();
  assert.deepEqual(talk.names, ['run.started', 'message.delta', 'run.completed']);
  assert.equal(talk.facts.acpSessionId, 'two');
});

test('a stop that only the end of the process brought about is a cancel, after its open calls', () => {
  const talk = Talk.begun().calls('c1').fact({type: 'cancelled', reason: 'Ended.'});
  assert.deepEqual(talk.names.slice(-2), ['tool.completed', 'run.cancelled']);
  assert.deepEqual(
    [talk.of('tool.completed')[0]!.status, talk.of('run.cancelled')[0]!.reason],
    ['cancelled', 'Ended.'],
  );
});

test('a new process owes no answers of the one before it: no replay, no question', () => {
  const talk = new Talk({sessionId: 'pub', acpSessionId: 'one'});
  talk.client({id: 5, method: 'session/load', params: {sessionId: 'one'}}).asks(0, {title: 'ls'});
  talk
    .client({id: 0, method: 'initialize', params: {}})
    .agent({id: 0, result: {}})
    .prompt('Well?')
    .says('Yes.');
  assert.deepEqual(
    talk.of('permission.resolved').map(({outcome, run_id}) => [outcome, run_id]),
    [['cancelled', 's.pub']],
  );
  assert.deepEqual(talk.messages, ['Yes.']);
});

/** How an answer to a prompt ends the run. */
const answers: readonly [name: string, end: (talk: Talk) => Talk, expected: object][] = [
  [
    'end_turn',
    (talk) => talk.says('A.').answer(),
    {event: 'run.completed', output: 'A.', stop_reason: 'end_turn'},
  ],
  [
    'max_tokens',
    (talk) => talk.says('A').answer('max_tokens'),
    {event: 'run.completed', output: 'A', stop_reason: 'max_tokens'},
  ],
  [
    'max_turn_requests',
    (talk) => talk.answer('max_turn_requests'),
    {event: 'run.completed', output: '', stop_reason: 'max_turn_requests'},
  ],
  ['cancelled', (talk) => talk.answer('cancelled'), {event: 'run.cancelled'}],
  ['end_turn after a cancel, with nothing said', (talk) => talk.cancel().answer(), {event: 'run.cancelled'}],
  [
    'end_turn after a cancel that came too late',
    (talk) => talk.says('A.').cancel().answer(),
    {event: 'run.completed', output: 'A.', stop_reason: 'end_turn'},
  ],
  [
    'error (not in the schema)',
    (talk) => talk.answer('error'),
    {event: 'run.failed', error: 'The agent ended the turn with an error.', code: 'error'},
  ],
  [
    'the output of an answer after a tool',
    (talk) => talk.says('A.').calls('c', {status: 'completed'}).says('B.').answer(),
    {event: 'run.completed', output: 'B.', stop_reason: 'end_turn'},
  ],
  [
    'no output where a tool came last',
    (talk) => talk.says('A.').calls('c', {status: 'completed'}).answer(),
    {event: 'run.completed', output: '', stop_reason: 'end_turn'},
  ],
  [
    'an error with a cause in its data',
    (talk) => talk.refuse({code: -32603, message: 'Internal error', data: {message: 'HTTP 401'}}),
    {event: 'run.failed', error: 'Internal error: HTTP 401', code: 'internal_error'},
  ],
  [
    'an error with a code of its own',
    (talk) => talk.refuse({code: 500, message: 'x'}),
    {event: 'run.failed', error: 'x', code: '500'},
  ],
  [
    'an error that says what became of the work',
    (talk) => talk.refuse({code: -32603, message: 'x', data: {terminalState: 'connection_lost'}}),
    {event: 'run.failed', error: 'x', code: 'internal_error', terminal_state: 'connection_lost'},
  ],
  [
    'a request that was cancelled',
    (talk) => talk.refuse({code: -32800, message: 'x'}),
    {event: 'run.cancelled'},
  ],
  [
    'an unknown session',
    (talk) => talk.refuse({code: -32002, message: 'Resource not found'}),
    {
      event: 'run.failed',
      error: 'Resource not found',
      code: 'session_not_found',
      hint: 'The agent does not know this session. Start a new one and send the prompt again.',
    },
  ],
];
for (const [name, end, expected] of answers) {
  test(`a run ends as it was answered: ${name}`, () => {
    const {run_id, seq, session_id, timestamp, ...last} = end(Talk.begun()).end().events.at(-1)!;
    assert.deepEqual(last, expected);
    assert.ok(run_id === 'one.1' && session_id === 'one' && seq > 1 && timestamp > 0);
  });
}

test('auth_required says how to sign in', () => {
  const talk = new Talk().client({id: 'i', method: 'initialize', params: {}});
  talk.agent({id: 'i', result: {authMethods: [{id: 'a', name: 'Login with A'}, {id: 'b'}]}});
  talk.made('one').prompt('Well?').refuse({code: -32000, message: 'Authentication required'}).end();
  const {code, hint} = talk.of('run.failed')[0]!;
  assert.equal(code, 'auth_required');
  assert.equal(hint, 'Sign in to the agent (Login with A, or b), then send the prompt again.');
});

/** The cache as each runtime counts it. */
const usages: readonly [runtime: string, result: object, expected: object][] = [
  [
    'OpenCode',
    {usage: {inputTokens: 176, cachedReadTokens: 1024}},
    {rate: 1024 / 1200, tokens: 1024, input: 176},
  ],
  [
    'claude-code-acp',
    {usage: {inputTokens: 100, cachedReadTokens: 300, cachedWriteTokens: 100}},
    {rate: 0.6, tokens: 300, input: 100},
  ],
  [
    'hermes-agent',
    {usage: {inputTokens: 1200, cachedReadTokens: 1024}},
    {rate: 1024 / 1200, tokens: 1024, input: 1200},
  ],
  ['codex-acp', {usage: {inputTokens: 1200}}, {rate: undefined, tokens: undefined, input: 1200}],
  [
    'gemini',
    {_meta: {quota: {token_count: {input_tokens: 9, output_tokens: 3}}}},
    {rate: undefined, tokens: undefined, input: 9},
  ],
  ['any', {usage: {inputTokens: 0, cachedReadTokens: 0}}, {rate: undefined, tokens: 0, input: 0}],
  ['any', {}, {rate: undefined, tokens: undefined, input: undefined}],
];
for (const [runtimeType, result, expected] of usages) {
  test(`${runtimeType}: ${JSON.stringify(result)} gives ${JSON.stringify(expected)}`, () => {
    const completed = Talk.begun({runtimeType}).answer('end_turn', result).end().of('run.completed')[0]!;
    const {cacheHitRate: rate, cacheHitTokens: tokens, usage} = completed;
    assert.deepEqual({rate, tokens, input: usage?.input_tokens}, expected);
  });
}

test('a context window with fractions and without a size is told as it is', () => {
  const talk = Talk.begun().update({
    sessionUpdate: 'usage_update',
    used: 1.5,
    size: 'big',
    cost: {amount: 1, currency: 'EUR'},
  });
  const {used, size, cost} = talk.of('usage.updated')[0]!;
  assert.deepEqual({used, size, cost}, {used: 1.5, size: undefined, cost: {amount: 1, currency: 'EUR'}});
});

test('a compaction ends with the summary that came in pieces', () => {
  const chunk = (said: string) => ({
    sessionUpdate: 'compaction_summary_chunk',
    compactionId: 'k',
    content: text(said),
  });
  const talk = Talk.begun().update({
    sessionUpdate: 'compaction_update',
    compactionId: 'k',
    status: 'in_progress',
  });
  talk
    .update(chunk('Sho'))
    .update(chunk('rt.'))
    .update({sessionUpdate: 'compaction_update', compactionId: 'k', status: 'completed'});
  assert.deepEqual(
    talk.of('compaction').map(({status, text: said}) => [status, said]),
    [
      ['running', undefined],
      ['completed', 'Short.'],
    ],
  );
});

const folder = new URL('../../../fixtures/acp/', import.meta.url);
const recordings = readdirSync(folder).map((name) => [name, observationsOf(name)] as const);

function observationsOf(name: string): AcpObservation[] {
  const lines = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n');
  return lines.map((line) => readAcpLine(JSON.parse(line))).filter((line) => line !== null);
}

function steps(observations: readonly AcpObservation[]): {
  states: AcpState[];
  events: (readonly RunEvent[])[];
} {
  const states = [createAcpState()];
  const events: (readonly RunEvent[])[] = [];
  for (const observation of observations) {
    const [state, brought] = step(states.at(-1)!, observation);
    states.push(state);
    events.push(brought);
  }
  return {states, events};
}

for (const [name, observations] of recordings) {
  test(`${name}: positions have no gaps, events are JSON, and what a prefix brings is a prefix`, () => {
    const {states, events} = steps(observations);
    const [, last] = finish(states.at(-1)!, 0);
    const all = [...events.flat(), ...last];
    const seqs = new Map<string, number>();
    for (const {run_id, seq} of all) {
      assert.equal(seq, (seqs.get(run_id) ?? 0) + 1);
      seqs.set(run_id, seq);
    }
    assert.deepEqual(JSON.parse(JSON.stringify(all)), all);
    // A state is a value: stepping on from any of them again, in any order, brings what it brought.
    for (let at = observations.length - 1; at >= 0; at--) {
      assert.deepEqual(step(states[at]!, observations[at]!)[1], events[at]);
    }
  });
}

test('an end is the last event of its run, and each run has one at most', () => {
  for (const [, observations] of recordings) {
    const {states, events} = steps(observations);
    const all = [...events.flat(), ...finish(states.at(-1)!, 0)[1]];
    const ended = new Set<string>();
    for (const {run_id, event} of all) {
      assert.ok(!ended.has(run_id), `${event} after the end of ${run_id}`);
      if (/^run\.(?:completed|failed|cancelled)$/.test(event)) ended.add(run_id);
    }
  }
});

test('no message makes it fail: parts of recorded ones in places where they do not belong', () => {
  const pieces = recordings.flatMap(([, observations]) =>
    observations.map((each) => (each.from === 'gateway' ? null : each.message)),
  );
  const mutated = fc.record({
    message: fc.constantFrom(...pieces),
    key: fc.constantFrom(
      'id',
      'params',
      'update',
      'content',
      'toolCallId',
      'toolCall',
      'options',
      'result',
      'sessionId',
      'usage',
      'prompt',
      'error',
      'status',
    ),
    value: fc.oneof(fc.jsonValue(), fc.constantFrom(...pieces)),
    from: fc.constantFrom('client', 'agent'),
  });
  fc.assert(
    fc.property(fc.array(mutated, {maxLength: 40}), (talk) => {
      let state = createAcpState();
      for (const {message, key, value, from} of talk) {
        const changed = JSON.parse(JSON.stringify(message), (name, old: unknown) =>
          name === key ? value : old,
        ) as object;
        [state] = step(state, {from: from, message: changed, at: 1});
      }
      finish(state, 1);
    }),
    {numRuns: 300},
  );
});
