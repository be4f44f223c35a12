import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Json, JsonObject} from '../../../src/anchor/json.js';
import type {SettledMessage, SettledPart} from '../../../src/anchor/settled.js';
import {readMessage} from '../../../src/adapters/hermes-webui/message.js';
import {readSession, readWebuiSettled} from '../../../src/adapters/hermes-webui/settled.js';

const text = (said: string): SettledPart => ({type: 'text', text: said});
const thought = (said: string): SettledPart => ({type: 'thought', text: said});
const call = (callId: string | null, tool: string, args: JsonObject | null): SettledPart => ({
  type: 'call',
  callId,
  tool,
  status: null,
  open: false,
  sealed: false,
  facts: {args},
});
const result = (callId: string, output: string | null, more: object = {}): SettledPart => ({
  type: 'result',
  callId,
  tool: null,
  error: false,
  output,
  diff: null,
  artifacts: [],
  ...more,
});

const declared = (id: string, name: string, args: Json) => ({
  id,
  type: 'function',
  function: {name, arguments: args},
});

/** Every shape of a message: how it comes, its role, its parts. */
type Shape = readonly [what: string, message: JsonObject, role: string, parts: readonly SettledPart[]];

const shapes: readonly Shape[] = [
  ['a prompt', {role: 'user', content: 'Hi'}, 'prompt', [text('Hi')]],
  ['an empty prompt', {role: 'user', content: ''}, 'prompt', []],
  [
    'a prompt in parts',
    {
      role: 'user',
      content: [
        {type: 'text', text: 'See'},
        {type: 'image_url', image_url: {url: 'https://example.org/a.png'}},
      ],
    },
    'prompt',
    [text('See'), {type: 'image', uri: 'https://example.org/a.png', label: null}],
  ],
  [
    'an image as a bare address',
    {role: 'user', content: [{type: 'image_url', image_url: 'https://example.org/a.png'}]},
    'prompt',
    [{type: 'image', uri: 'https://example.org/a.png', label: null}],
  ],
  [
    'attachments by name and as objects',
    {
      role: 'user',
      content: 'See',
      attachments: ['a.txt', {name: 'b.txt', path: '/srv/b.txt'}, {path: '/srv/c.txt'}, 7],
    },
    'prompt',
    [
      text('See'),
      {type: 'attachment', uri: null, label: 'a.txt'},
      {type: 'attachment', uri: null, label: 'b.txt'},
      {type: 'attachment', uri: null, label: '/srv/c.txt'},
    ],
  ],
  [
    'a wake-up by the server',
    {role: 'user', content: 'Process ended', _source: 'wakeup'},
    'prompt',
    [text('Process ended')],
  ],
  [
    'tool results of an imported history',
    {role: 'user', content: [{type: 'tool_result', tool_use_id: 'c1', content: '# A'}]},
    'tool',
    [result('c1', '# A')],
  ],
  [
    'a tool result beside words of the user',
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [
            {type: 'text', text: 'A'},
            {type: 'text', text: 'B'},
          ],
        },
        {type: 'text', text: 'Go on'},
      ],
    },
    'prompt',
    [result('c1', 'AB'), text('Go on')],
  ],
  [
    'a tool result flagged as an error',
    {role: 'user', content: [{type: 'tool_result', tool_use_id: 'c1', content: 'no', is_error: true}]},
    'tool',
    [result('c1', 'no', {error: true})],
  ],
  [
    'a compaction marker by its mark',
    {role: 'user', content: 'Earlier work', _compressed_summary: true},
    'hidden',
    [text('Earlier work')],
  ],
  [
    'a compaction marker by its tag',
    {role: 'user', content: ' [CONTEXT COMPACTION] Earlier'},
    'hidden',
    [text(' [CONTEXT COMPACTION] Earlier')],
  ],
  [
    'a longer compaction tag',
    {role: 'assistant', content: '[CONTEXT COMPACTION — REFERENCE ONLY] x'},
    'hidden',
    [text('[CONTEXT COMPACTION — REFERENCE ONLY] x')],
  ],
  [
    'a control prompt',
    {role: 'user', content: 'Summarise now.', display_kind: 'hidden'},
    'hidden',
    [text('Summarise now.')],
  ],
  [
    'a steering prompt',
    {role: 'user', content: 'Shorter.', display_kind: 'steer'},
    'prompt',
    [text('Shorter.')],
  ],
  [
    'words about compaction',
    {role: 'user', content: 'What is [CONTEXT COMPACTION]?'},
    'prompt',
    [text('What is [CONTEXT COMPACTION]?')],
  ],
  ['an answer', {role: 'assistant', content: 'Done.'}, 'assistant', [text('Done.')]],
  ['an answer of null', {role: 'assistant', content: null}, 'assistant', []],
  ['an answer without content', {role: 'assistant'}, 'assistant', []],
  [
    'an answer in parts of every kind, in their order',
    {
      role: 'assistant',
      content: [
        {type: 'thinking', thinking: 'Think.'},
        {type: 'text', text: 'Reading.'},
        {type: 'tool_use', id: 'c1', name: 'read_file', input: {path: 'a'}},
        {type: 'reasoning', text: 'More.'},
        {type: 'input_text', text: 'In.'},
        {type: 'output_text', text: 'Out.'},
        'bare',
        {type: 'something_new', text: 'New.'},
        {type: 'something_newer'},
        null,
        7,
      ],
    },
    'assistant',
    [
      thought('Think.'),
      text('Reading.'),
      call('c1', 'read_file', {path: 'a'}),
      thought('More.'),
      text('In.'),
      text('Out.'),
      text('bare'),
      text('New.'),
    ],
  ],
  ...['reasoning', '_reasoning', 'reasoning_content', 'thinking'].map((key): Shape => [
    `a thought under ${key}`,
    {role: 'assistant', content: 'A', [key]: 'T'},
    'assistant',
    [thought('T'), text('A')],
  ]),
  [
    'a thought said in the parts already',
    {role: 'assistant', content: [{type: 'thinking', thinking: 'T'}], reasoning: 'T'},
    'assistant',
    [thought('T')],
  ],
  [
    'calls with arguments as JSON text, as an object, broken, of another kind, and none',
    {
      role: 'assistant',
      content: 'Looking.',
      tool_calls: [
        declared('c1', 'read', '{"path": "a", "limit": 20}'),
        declared('c2', 'read', {path: 'b'}),
        declared('c3', 'read', '{"path": '),
        declared('c4', 'read', '[1]'),
        declared('c5', 'read', ''),
        {id: 'c6', name: 'flat', args: {x: 1}},
        declared('c7', 'read', '{"a":1,"__proto__":{"b":2}}'),
        'nonsense',
      ],
    },
    'assistant',
    [
      text('Looking.'),
      call('c1', 'read', {path: 'a', limit: 20}),
      call('c2', 'read', {path: 'b'}),
      call('c3', 'read', {_raw: '{"path": '}),
      call('c4', 'read', {_raw: '[1]'}),
      call('c5', 'read', null),
      call('c6', 'flat', {x: 1}),
      call('c7', 'read', {a: 1}),
    ],
  ],
  [
    'a call that stands in the parts and beside them',
    {
      role: 'assistant',
      content: [{type: 'tool_use', id: 'c1', name: 'r', input: {a: 1}}],
      tool_calls: [declared('c1', 'r', '{"a":1}')],
    },
    'assistant',
    [call('c1', 'r', {a: 1})],
  ],
  [
    'a cut message: finished calls before its text, open and sealed ones after it',
    {
      role: 'assistant',
      content: 'So far',
      _partial: true,
      reasoning: 'T',
      _partial_tool_calls: [
        {name: 'ls', args: {path: '.'}, done: true, tid: 'c1', duration: 0.5, snippet: 'a b'},
        {name: 'cat', args: {}, done: true, tid: 'c2', is_error: true},
        {name: 'sleep', args: {s: '30'}, done: false, tid: 'c3'},
        {name: 'sh', done: true, tid: 'c4', _sealed_by_terminal_error: true},
      ],
    },
    'assistant',
    [
      thought('T'),
      partial('c1', 'ls', 'completed', {args: {path: '.'}, output: 'a b', durationMs: 500}),
      partial('c2', 'cat', 'error', {}),
      text('So far'),
      partial('c3', 'sleep', null, {args: {s: '30'}}, {open: true}),
      partial('c4', 'sh', null, {}, {sealed: true}),
    ],
  ],
  [
    'a tool message',
    {role: 'tool', tool_call_id: 'c1', name: 'read', content: '{"output": "x"}'},
    'tool',
    [result('c1', 'x', {tool: 'read'})],
  ],
  [
    'a tool message under the other id',
    {role: 'tool', tool_use_id: 'c1', content: 'plain'},
    'tool',
    [result('c1', 'plain')],
  ],
  [
    'a tool message in parts',
    {role: 'tool', tool_call_id: 'c1', content: [{type: 'text', text: '{"result":"y"}'}]},
    'tool',
    [result('c1', 'y')],
  ],
  [
    'a tool message that was cut',
    {role: 'tool', tool_call_id: 'c1', content: '{"output": "xx', _content_truncated: true},
    'tool',
    [result('c1', '{"output": "xx')],
  ],
  ['a system message', {role: 'system', content: 'You are'}, 'hidden', [text('You are')]],
  ['a message of no role', {content: 'x'}, 'hidden', [text('x')]],
];

function partial(
  callId: string,
  tool: string,
  status: string | null,
  facts: object,
  more: object = {},
): SettledPart {
  const none = {args: null, output: null, diff: null, artifacts: [], durationMs: null};
  return {
    type: 'call',
    callId,
    tool,
    status,
    open: false,
    sealed: false,
    ...more,
    facts: {...none, ...facts},
  } as SettledPart;
}

for (const [what, message, role, parts] of shapes) {
  test(`${what} is read as ${role}`, () => {
    const read = readMessage(message);
    assert.equal(read.role, role);
    assert.deepEqual(read.parts, parts);
  });
}

const results: readonly (readonly [content: string, output: string | null, error: boolean])[] = [
  ['plain', 'plain', false],
  ['{"output": "out", "result": "r", "error": "exit code 2"}', 'out', true],
  ['{"output": "", "error": "BLOCKED"}', 'BLOCKED', true],
  ['{"output": "", "error": null}', '', false],
  ['{"output": "x", "error": ""}', 'x', false],
  ['{"output": "x", "error": false}', 'x', false],
  ['{"output": {"a": 1}}', '{"a":1}', false],
  ['{"todos": []}', '{"todos": []}', false],
  ['{"error": {"code": 7}}', '{"error": {"code": 7}}', true],
  ['{broken', '{broken', false],
  ['', '', false],
];
for (const [content, output, error] of results) {
  test(`the result ${content || '(empty)'} says ${JSON.stringify(output)}${error ? ' and is an error' : ''}`, () => {
    const [part] = readMessage({role: 'tool', tool_call_id: 'c1', content}).parts;
    assert.ok(part?.type === 'result');
    assert.deepEqual([part.output, part.error], [output, error]);
  });
}

test('a result with a diff names the files it changed', () => {
  const diff = '--- /dev/null\n+++ b/new.md\n@@ -0,0 +1 @@\n+x\n';
  const [part] = readMessage({
    role: 'tool',
    tool_call_id: 'c1',
    content: JSON.stringify({success: true, diff}),
  }).parts;
  assert.ok(part?.type === 'result');
  assert.deepEqual(
    [part.output, part.diff, part.artifacts],
    [null, diff, [{path: 'new.md', change: 'created'}]],
  );
});

/** What a notice's marks say. Its prose is the same each time. */
const notices: readonly (readonly [marks: JsonObject, terminal: string | null])[] = [
  [{}, null],
  [{provider_details: 'Too many requests'}, null],
  [{provider_details_label: 'Cancellation details'}, 'cancelled'],
  [{provider_details_label: 'cancellation details'}, null],
  [{provider_details_label: 'Error details'}, null],
  [{type: 'interrupted'}, 'interrupted'],
  [{type: 'rate_limit'}, 'error'],
  [{type: 'no_response'}, 'no_response'],
  [{type: 'something_new'}, 'error'],
  [{_terminal_state: 'tool_limit_reached'}, 'tool_limit_reached'],
  [{_terminal_state: 'compression_exhausted', type: 'error'}, 'compression_exhausted'],
];
for (const [marks, terminal] of notices) {
  test(`a notice marked ${JSON.stringify(marks)} says ${terminal}`, () => {
    const read = readMessage({role: 'assistant', content: '**Task cancelled:** no', _error: true, ...marks});
    assert.equal(read.notice?.terminal, terminal);
    assert.equal(read.notice?.error.message, marks['provider_details'] ?? '**Task cancelled:** no');
    assert.equal(read.role, 'assistant');
  });
}

test('a message without marks has none', () => {
  const {parts: _parts, ...rest} = readMessage({role: 'assistant', content: 'x'});
  assert.deepEqual(rest, {
    role: 'assistant',
    timestamp: null,
    partial: false,
    notice: null,
    terminal: null,
    recovered: false,
    runs: [],
    durationMs: null,
    activity: null,
  } satisfies Omit<SettledMessage, 'parts'>);
});

test('marks of a message are read', () => {
  const read = readMessage({
    role: 'assistant',
    content: 'x',
    timestamp: 1795979301.9734216,
    _turnDuration: 0.201,
    _terminal_state: 'tool_limit_reached',
    _anchor_stream_id: 'f00',
    _recovered_stream_id: 'f01',
    _anchor_activity_scene: {activity_rows: [{role: 'prose', text: 'Looking.'}]},
  });
  assert.equal(read.timestamp, 1795979301.9734216);
  assert.equal(read.durationMs, 201);
  assert.equal(read.terminal, 'tool_limit_reached');
  assert.deepEqual(read.runs, ['f00', 'f01']);
  assert.equal(read.recovered, true);
  assert.deepEqual(read.activity, [text('Looking.')]);
});

for (const key of ['_recovered', '_recovered_from_run_journal', '_recovered_something_new']) {
  test(`${key} marks a message as recovered, unless it is false`, () => {
    assert.equal(readMessage({role: 'user', content: 'x', [key]: true}).recovered, true);
    assert.equal(readMessage({role: 'user', content: 'x', [key]: false}).recovered, false);
  });
}

test('a session is an observation with a version', () => {
  const session = readSession({
    session_id: 'a9',
    parent_session_id: 'a1',
    continuation_session_id: 'a10',
    title: 'Rain',
    updated_at: 1790000030.5,
    message_count: 12,
    _messages_offset: 10,
    messages: [
      {role: 'user', content: 'x'},
      {role: 'assistant', content: 'y'},
    ],
    input_tokens: 1200,
    output_tokens: 15,
    estimated_cost: null,
    cache_read_tokens: 3,
    cache_hit_percent: 61,
    context_length: 128000,
    last_prompt_tokens: 1200,
    todo_state: {todos: [{id: '1', content: 'Read', status: 'completed'}]},
    tool_calls: [
      {name: 'read', snippet: '# A', tid: 'c1', assistant_msg_idx: 1, args: {path: 'a'}},
      {name: 'read', snippet: 'x', args: {}},
    ],
  });
  const {messages, ...rest} = session;
  assert.equal(messages.length, 2);
  assert.deepEqual(rest, {
    sessionId: 'a9',
    linkedIds: ['a1', 'a9', 'a10'],
    title: 'Rain',
    updatedAt: 1790000030.5,
    messageCount: 12,
    offset: 10,
    window: true,
    pending: null,
    activeRun: null,
    journal: null,
    usage: {
      inputTokens: 1200,
      outputTokens: 15,
      cacheHitTokens: 3,
      cacheHitRate: 0.61,
      cost: null,
      used: 1200,
      size: 128000,
    },
    context: null,
    plan: [{content: 'Read', status: 'completed', priority: null}],
    tools: [
      {callId: 'c1', tool: 'read', facts: {args: {path: 'a'}, output: '# A', diff: null, artifacts: []}},
    ],
    live: null,
  });
});

test('a session without messages says how many there are', () => {
  const session = readSession({session_id: 'a1', message_count: 4});
  assert.deepEqual([session.messages.length, session.messageCount, session.window], [0, 4, false]);
});

test('a truncated session is a window also at its beginning', () => {
  assert.equal(readSession({_messages_truncated: true, messages: []}).window, true);
});

test('a running turn is pending, with the exact second of its start', () => {
  const pending = {
    pending_user_message: 'Go',
    pending_started_at: 1795979274.5241473,
    active_stream_id: 'f00',
  };
  assert.deepEqual(readSession(pending).pending, {prompt: 'Go', startedAt: 1795979274.5241473});
  assert.equal(readSession(pending).activeRun, 'f00');
  assert.deepEqual(readSession({has_pending_user_message: true}).pending, {prompt: null, startedAt: null});
  assert.equal(readSession({pending_user_message: null, has_pending_user_message: false}).pending, null);
});

const journals: readonly (readonly [state: string, terminal: string | null, inferred: boolean])[] = [
  ['running', null, false],
  ['completed', 'completed', false],
  ['interrupted-by-user', 'cancelled', false],
  ['interrupted-by-crash', 'interrupted', false],
  ['errored', 'error', false],
  ['lost-worker-bookkeeping', 'connection_lost', true],
];
for (const [state, terminal, inferred] of journals) {
  test(`the journal's ${state} is ${terminal}${inferred ? ', a guess' : ''}`, () => {
    const journal = {run_id: 'f00', last_seq: 4, terminal_state: state};
    for (const block of [journal, {active: false, stream_id: 'f00', replay_available: true, journal}]) {
      assert.deepEqual(readSession({runtime_journal: block}).journal, {run: 'f00', terminal, inferred});
    }
  });
}

test('the snapshot of a live run is its scene, filled up with what the scene leaves out', () => {
  const snapshot = {
    stream_id: 'f00',
    last_seq: 9,
    last_assistant_text: 'So far',
    last_reasoning_text: 'Thinking',
    tool_calls: [
      {name: 'ls', tid: 'c1', done: true},
      {name: 'sh', tid: 'c2', done: false},
    ],
  };
  const kinds = (more: object) =>
    readSession({runtime_journal_snapshot: {...snapshot, ...more}}).live?.parts.map(({type}) => type);
  assert.deepEqual(kinds({}), ['thought', 'call', 'text', 'call']);
  const scene = {
    activity_rows: [
      {role: 'thinking', text: 'T'},
      {role: 'tool', tool: {name: 'ls', done: true}, tool_call_id: 'c1'},
    ],
  };
  assert.deepEqual(kinds({anchor_activity_scene: scene}), ['thought', 'call', 'text']);
  const live = readSession({runtime_journal_snapshot: {...snapshot, run_id: 'r1'}}).live;
  assert.deepEqual([live?.run, live?.lastSeq], ['r1', 9]);
});

test('a payload is a session, holds one, or is none', () => {
  const session = {session_id: 'a1', messages: []};
  assert.equal(readWebuiSettled({session})?.sessionId, 'a1');
  assert.equal(readWebuiSettled(session)?.sessionId, 'a1');
  for (const payload of [null, 'x', [], {error: 'not found'}, {session: null}]) {
    assert.equal(readWebuiSettled(payload), null);
  }
});
