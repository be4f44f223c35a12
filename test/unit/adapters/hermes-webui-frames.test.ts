import assert from 'node:assert/strict';
import {test} from 'node:test';
import {classify, type EventClass} from '../../../src/anchor/classification.js';
import type {Json, JsonObject} from '../../../src/anchor/json.js';
import type {TurnEvent} from '../../../src/anchor/turn-event.js';
import {normalizeWebuiFrame, webuiNames} from '../../../src/adapters/hermes-webui/frames.js';

/** One example of every name: what the frame carries, and what the event must hold. */
const examples: Readonly<Record<string, readonly [data: Json, event: object]>> = {
  token: [{text: 'A rain '}, {type: 'text', channel: 'prose', text: 'A rain '}],
  reasoning: [{text: 'Two options. '}, {type: 'text', channel: 'thought', text: 'Two options. '}],
  interim_assistant: [
    {text: 'Checking.', already_streamed: true, reasoning_echo: true},
    {type: 'interim', text: 'Checking.', claim: 'already-streamed', echo: true},
  ],
  tool: [
    {
      event_type: 'tool.started',
      name: 'read_file',
      preview: 'notes.md',
      args: {path: 'notes.md'},
      tid: 'call_1',
    },
    {
      type: 'tool',
      phase: 'start',
      callId: 'call_1',
      tool: 'read_file',
      status: 'running',
      facts: {title: 'notes.md', args: {path: 'notes.md'}},
    },
  ],
  tool_update: [
    {name: 'terminal', tid: 'call_1', output: 'half'},
    {
      type: 'tool',
      phase: 'update',
      callId: 'call_1',
      tool: 'terminal',
      status: null,
      facts: {title: null, args: null, output: 'half'},
    },
  ],
  tool_complete: [
    {name: 'read_file', preview: '# Alpha', args: {}, tid: 'call_1', is_error: false, duration: 0.4},
    {
      type: 'tool',
      phase: 'end',
      callId: 'call_1',
      tool: 'read_file',
      status: 'completed',
      facts: {args: null, output: '# Alpha', diff: null, durationMs: 400, artifacts: []},
    },
  ],
  approval: [
    {
      command: 'rm -r build',
      description: 'recursive delete',
      approval_id: 'gwlocal:0a1b',
      pending_count: 1,
      run_id: 'foreign',
    },
    {
      type: 'control',
      control: 'permission',
      controlId: 'gwlocal:0a1b',
      text: 'rm -r build',
      detail: 'recursive delete',
      life: 'until-next',
      options: [
        {id: 'once', label: 'Allow once', kind: 'allow_once'},
        {id: 'session', label: 'Allow for this session', kind: 'allow_always'},
        {id: 'always', label: 'Always allow', kind: 'allow_always'},
        {id: 'deny', label: 'Deny', kind: 'reject_once'},
      ],
    },
  ],
  clarify: [
    {
      question: 'Which folder?',
      choices_offered: ['a', 'b'],
      clarify_id: 'c1',
      requested_at: 1790000009,
      expires_at: 0,
    },
    {
      type: 'control',
      control: 'clarify',
      controlId: 'c1',
      text: 'Which folder?',
      at: 1790000009000,
      expiresAt: null,
      life: 'until-next',
      options: [
        {id: 'a', label: 'a', kind: null},
        {id: 'b', label: 'b', kind: null},
      ],
    },
  ],
  pending_steer_leftover: [
    {session_id: 'a1', text: 'Shorter please.'},
    {
      type: 'control',
      control: 'steer',
      text: 'Shorter please.',
      life: 'answered',
      sessionId: 'a1',
      controlId: null,
    },
  ],
  goal_continue: [
    {continuation_prompt: 'Next part.', message: 'Goal continues.'},
    {type: 'control', control: 'continue', text: 'Next part.', life: 'answered'},
  ],
  compressing: [
    {session_id: 'a1', message: 'Compressing'},
    {type: 'lifecycle', topic: 'compression', status: 'running', text: 'Compressing', linksSessions: []},
  ],
  compressed: [
    {
      session_id: 'a1',
      old_session_id: 'a1',
      new_session_id: 'a9',
      continuation_session_id: 'a9',
      message: 'Finished',
    },
    {
      type: 'lifecycle',
      topic: 'compression',
      status: 'completed',
      text: 'Finished',
      linksSessions: ['a1', 'a9'],
    },
  ],
  warning: [
    {type: 'fallback', message: 'Switching provider'},
    {type: 'notice', text: 'Switching provider', topic: 'fallback'},
  ],
  state_saved: [
    {kind: 'skill', action: 'created', name: 'outline'},
    {type: 'side-effect', kind: 'skill', action: 'created', label: 'outline'},
  ],
  bg_task_complete: [
    {task_id: 'p7', completed_at: 1790000004, event_id: 'e0', summary: 'Job finished'},
    {
      type: 'side-effect',
      kind: 'background',
      borrows: true,
      ownId: 'e0',
      label: 'Job finished',
      at: 1790000004000,
    },
  ],
  process_complete: [
    {task_id: 'p7', event_id: 'e0'},
    {type: 'side-effect', kind: 'background', borrows: true, ownId: 'e0', label: 'p7'},
  ],
  artifact_reference: [
    {kind: 'workspace_file', path: 'src/a.txt', source_tool: 'patch', tool_call_id: 'call_1'},
    {type: 'artifact', callId: 'call_1', artifact: {path: 'src/a.txt', uri: null, change: 'referenced'}},
  ],
  done: [
    {session: {session_id: 'a9', messages: []}, usage: {input_tokens: 9}, terminal_state: 'max-iterations'},
    {type: 'terminal', state: 'tool_limit_reached', strength: 'observed'},
  ],
  cancel: [
    {message: 'Cancelled by user', session: {session_id: 'a1', messages: []}},
    {type: 'terminal', state: 'cancelled', strength: 'observed', borrows: true},
  ],
  apperror: [
    {message: 'Too many requests', type: 'rate_limit', hint: 'Wait.', session_id: 'a9', old_session_id: 'a1'},
    {
      type: 'terminal',
      state: 'error',
      strength: 'observed',
      borrows: false,
      error: {type: 'rate_limit', message: 'Too many requests', hint: 'Wait.'},
      linksSessions: ['a1', 'a9'],
    },
  ],
  error: [
    {error: 'runner unreachable'},
    {type: 'terminal', state: 'error', error: {type: null, message: 'runner unreachable', hint: null}},
  ],
  usage: [{input_tokens: 1}, {type: 'meta', usage: usage({inputTokens: 1})}],
  metering: [
    {
      tps: 41.2,
      usage: {
        output_tokens: 9,
        cache_hit_percent: 61,
        estimated_cost: 0.5,
        context_length: 100,
        last_prompt_tokens: 7,
      },
    },
    {type: 'meta', usage: usage({outputTokens: 9, cacheHitRate: 0.61, cost: 0.5, size: 100, used: 7})},
  ],
  settled_message: [
    {content: 'x', _turnUsage: {input_tokens: 3}},
    {type: 'meta', usage: usage({inputTokens: 3})},
  ],
  title: [{title: 'Rain gauge'}, {type: 'meta', title: 'Rain gauge'}],
  todo_state: [
    {ts: 1790000005, todos: [{id: '1', content: 'Read', status: 'pending'}]},
    {type: 'meta', at: 1790000005000, plan: [{content: 'Read', status: 'pending', priority: null}]},
  ],
  context_status: [{prefill: {status: 'not_configured'}}, {type: 'meta'}],
  session_snapshot: [{session: {session_id: 'a1', message_count: 4}}, {type: 'meta'}],
  server_turn_started: [
    {session_id: 'a1', stream_id: 'f00', pending_started_at: 1790000001.25, source: 'wakeup'},
    {
      type: 'start',
      run: 'r7',
      turnId: null,
      prompt: null,
      at: 1790000001250,
      startedAtSeconds: 1790000001.25,
    },
  ],
  'run.started': [
    {turn_id: 't1', prompt: 'Hi'},
    {type: 'start', turnId: 't1', prompt: 'Hi'},
  ],
  stream_end: [{session_id: 'a1'}, {type: 'transport', sessionId: 'a1'}],
  ...Object.fromEntries(
    [
      'initial',
      'goal',
      'title_status',
      'session-updated',
      'sessions_changed',
      'runtime_journal_snapshot',
      'inflight_snapshot',
      'heartbeat',
      'keepalive',
      'ping',
    ].map((name): [string, [Json, object]] => [name, [{session_id: 'a1'}, {type: 'meta', sessionId: 'a1'}]]),
  ),
};

function usage(said: object) {
  const nothing = {
    inputTokens: null,
    outputTokens: null,
    cacheHitTokens: null,
    cacheHitRate: null,
    cost: null,
    used: null,
    size: null,
  };
  return {...nothing, ...said};
}

const frame = (name: string | null, data: unknown, id: string | null = 'r7:3') =>
  normalizeWebuiFrame({id, name, data: typeof data === 'string' ? data : JSON.stringify(data)});

const classes: Readonly<Record<TurnEvent['type'], EventClass>> = {
  text: 'activity',
  interim: 'activity',
  tool: 'activity',
  control: 'activity',
  'control-resolved': 'activity',
  lifecycle: 'activity',
  notice: 'activity',
  terminal: 'activity',
  artifact: 'artifact',
  'side-effect': 'side_effect',
  meta: 'metadata',
  start: 'metadata',
  transport: 'transport',
  excluded: 'excluded',
};

for (const name of webuiNames) {
  test(`${name} becomes what its row says`, () => {
    const example = examples[name];
    assert.ok(example, `${name} needs an example here`);
    const [data, expected] = example;
    const event = frame(name, data);
    for (const [key, value] of Object.entries({run: 'r7', seq: 3, name, ...expected})) {
      assert.deepEqual((event as unknown as JsonObject)[key], value, key);
    }
  });

  test(`${name} says the same as text and as an object`, () => {
    const data = examples[name]![0] as object;
    assert.deepEqual(normalizeWebuiFrame({id: 'r7:3', name, data}), frame(name, data));
  });

  test(`${name} without its fields still holds its position`, () => {
    for (const data of [{}, '', ' ']) {
      const event = frame(name, data);
      assert.equal(event.run, 'r7');
      assert.equal(event.seq, 3);
      assert.notEqual(event.type, 'excluded');
    }
  });

  test(`${name} has the class that its event type stands for`, () => {
    const {type} = frame(name, examples[name]![0]);
    // Heartbeats are transport, and change nothing as events of the model.
    const expected = type === 'meta' && classify(name).class === 'transport' ? 'transport' : classes[type];
    assert.equal(classify(name).class, expected);
  });
}

test('the run and position come from the id, parted at its last colon, and never from the payload', () => {
  const event = frame('approval', {run_id: 'foreign', stream_id: 'other', seq: 99}, 'a:b:12');
  assert.equal(event.run, 'a:b');
  assert.equal(event.seq, 12);
});

test('a frame without a readable id has no run and no position', () => {
  for (const id of [null, 'abc', ':4', 'r7:x', '']) {
    const event = frame('token', {text: 'x', run_id: 'r9'}, id);
    assert.equal(event.run, null);
    assert.equal(event.seq, null);
  }
});

test('a position below one is none', () => {
  for (const id of ['r7:0', 'r7:-4']) {
    assert.equal(frame('token', {text: 'x'}, id).run, 'r7');
    assert.equal(frame('token', {text: 'x'}, id).seq, null);
  }
});

for (const name of [
  'nobody_sends_this',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'TOKEN',
]) {
  test(`the unknown name ${name} is excluded under its own name`, () => {
    assert.deepEqual(frame(name, {text: 'x'}), {type: 'excluded', run: 'r7', seq: 3, name});
  });
}

for (const data of ['{', 'plain text', '[1]', '7', 'null', '"x"']) {
  test(`${data} as payload is malformed and holds its position`, () => {
    assert.deepEqual(frame('token', data), {type: 'excluded', run: 'r7', seq: 3, name: 'malformed:token'});
  });
}

test('a nameless frame is excluded as a message', () => {
  assert.deepEqual(frame(null, {text: 'x'}), {type: 'excluded', run: 'r7', seq: 3, name: 'message'});
});

const row = {
  version: 1,
  event_id: 'r7:3',
  seq: 3,
  run_id: 'r7',
  session_id: 'a1',
  event: 'tool_complete',
  type: 'tool_complete',
  created_at: 1790000001.5,
  terminal: false,
  terminal_state: null,
  payload: {name: 'terminal', preview: '3', tid: 'c1'},
};

test('a journal row is its frame, with the time the journal kept', () => {
  const {at, ...event} = frame(null, row, null);
  const {at: _none, ...live} = frame('tool_complete', row.payload);
  assert.deepEqual(event, live);
  assert.equal(at, 1790000001500);
});

test('a journal row without a readable payload is malformed', () => {
  assert.equal(frame(null, {...row, payload: 'x'}, null).name, 'malformed:tool_complete');
});

test('an apperror made up for a dead run is synthetic and no error of the run', () => {
  const event = frame(
    'apperror',
    {type: 'interrupted', recovery_control: true, message: 'The worker stopped.'},
    'r7:8',
  );
  assert.deepEqual([event.type, event.borrows], ['terminal', true]);
  assert.ok(event.type === 'terminal');
  assert.deepEqual([event.state, event.strength, event.error], ['interrupted', 'synthetic', undefined]);
});

test('an apperror without an id is synthetic, whatever its type', () => {
  const event = frame('apperror', {type: 'rate_limit', message: 'x', offline_dropped_events: 4}, null);
  assert.ok(event.type === 'terminal');
  assert.deepEqual([event.state, event.strength], ['interrupted', 'synthetic']);
});

const apperrors: readonly (readonly [data: JsonObject, state: string])[] = [
  [{type: 'no_response'}, 'no_response'],
  [{type: 'silent_failure'}, 'no_response'],
  [{type: 'cancelled'}, 'cancelled'],
  [{type: 'interrupted'}, 'interrupted'],
  [{type: 'tool_limit_reached'}, 'tool_limit_reached'],
  [{type: 'compression_exhausted'}, 'compression_exhausted'],
  [{type: 'quota_exhausted'}, 'error'],
  [{type: 'something_new'}, 'error'],
  [{}, 'error'],
  [{type: 'rate_limit', terminal_state: 'tool_limit_reached'}, 'tool_limit_reached'],
  [{type: 'no_response', terminal_state: 'nonsense'}, 'no_response'],
];
for (const [data, state] of apperrors) {
  test(`apperror ${JSON.stringify(data)} ends as ${state}`, () => {
    const event = frame('apperror', {message: 'm', ...data});
    assert.ok(event.type === 'terminal');
    assert.equal(event.state, state);
    assert.equal(event.error?.message ?? null, state === 'cancelled' ? null : 'm');
  });
}

test('the session inside a terminal frame rides along as an observation', () => {
  const session = {session_id: 'a9', parent_session_id: 'a1', messages: [{role: 'user', content: 'Hi'}]};
  for (const name of ['done', 'cancel', 'apperror', 'session_snapshot']) {
    const event = frame(name, {session});
    assert.equal(event.session?.sessionId, 'a9', name);
    assert.deepEqual(event.session?.linkedIds, ['a1', 'a9']);
    assert.equal(event.session?.messages.length, 1);
  }
  assert.equal(frame('done', {}).session, null);
});

test('a side question brings its answer in its done', () => {
  const event = frame('done', {ephemeral: true, answer: 'Yes.'});
  assert.ok(event.type === 'terminal');
  assert.deepEqual([event.state, event.output], ['completed', 'Yes.']);
});

test('prompts of the side streams are known, and add nothing to a run', () => {
  for (const name of ['approval', 'clarify', 'initial']) {
    for (const pending of [null, {command: 'rm', approval_id: 'x'}]) {
      assert.equal(frame(name, {pending, pending_count: pending ? 1 : 0}, null).type, 'meta');
    }
  }
});

test('an approval offers what it lists, and never what is not allowed', () => {
  const ids = (data: object) => {
    const event = frame('approval', data);
    return event.type === 'control' ? event.options.map(({id}) => id) : [];
  };
  assert.deepEqual(ids({choices: ['once', 'deny', 'ask my mother', 7]}), ['once', 'deny', 'ask my mother']);
  assert.deepEqual(ids({allow_permanent: false}), ['once', 'session', 'deny']);
});

test('an approval without a command is told by its description or its tool', () => {
  const text = (data: object) => {
    const event = frame('approval', data);
    return event.type === 'control' ? [event.text, event.detail] : [];
  };
  assert.deepEqual(text({description: 'recursive delete'}), ['recursive delete', null]);
  assert.deepEqual(text({tool: 'terminal'}), ['terminal', null]);
});

test('a start the server made itself names its run, as its frame has no id', () => {
  const event = frame('server_turn_started', {stream_id: 'f00', pending_started_at: 5}, null);
  assert.deepEqual([event.type, event.run, event.seq], ['start', 'f00', null]);
});

test('a completion without an id has none, under any spelling it has one', () => {
  const callId = (data: object) => {
    const event = frame('tool_complete', data);
    return event.type === 'tool' ? event.callId : undefined;
  };
  assert.equal(callId({name: 'terminal'}), null);
  assert.equal(callId({tid: ''}), null);
  assert.equal(callId({id: 5}), null);
  for (const key of ['tid', 'tool_call_id', 'tool_use_id', 'call_id', 'id'])
    assert.equal(callId({[key]: 'c1'}), 'c1');
});

test('a completion that shows a diff changed the files the diff names', () => {
  const diff = '--- a/src/two.txt\n+++ b/src/two.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n';
  const event = frame('tool_complete', {
    name: 'patch',
    preview: JSON.stringify({success: true, diff}),
    tid: 'c1',
  });
  assert.ok(event.type === 'tool');
  assert.equal(event.facts.diff, diff);
  assert.equal(event.facts.output, null);
  assert.deepEqual(event.facts.artifacts, [{path: 'src/two.txt', change: 'modified'}]);
});

test('a completion flagged as an error is one; an error inside its result is left to history', () => {
  const status = (data: object) => {
    const event = frame('tool_complete', data);
    return event.type === 'tool' ? event.status : undefined;
  };
  assert.equal(status({is_error: true}), 'error');
  assert.equal(status({is_error: false, preview: '{"error":"exit code 2"}'}), 'completed');
});

test('arguments are kept whole, prototype keys excepted', () => {
  const args =
    '{"deep":{"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}},"__proto__":{"x":1},"long":"' +
    'x'.repeat(9000) +
    '"}';
  const event = frame('tool', `{"name":"t","args":${args}}`);
  assert.ok(event.type === 'tool');
  assert.deepEqual(Object.keys(event.facts.args!), ['deep', 'long']);
  assert.match(JSON.stringify(event.facts.args), /"g":1/);
});

test('what is known of the context is sanitised', () => {
  const event = frame('context_status', '{"prefill":{"status":"ok","__proto__":{"a":1},"a":1}}');
  assert.ok(event.type === 'meta');
  assert.equal(JSON.stringify(event.context), '{"a":1,"status":"ok"}');
});

test('an empty todo list is a plan, a missing one is none', () => {
  const plan = (data: object) => {
    const event = frame('todo_state', data);
    return event.type === 'meta' ? event.plan : undefined;
  };
  assert.deepEqual(plan({todos: []}), []);
  assert.equal(plan({}), null);
});
