import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {JsonObject} from '../../../src/anchor/json.js';
import {normalizeRunsFrame, runsNames} from '../../../src/adapters/hermes-runs/frames.js';

/** One or more examples of every name: the fields of the frame, and what the event must hold. */
const examples: Readonly<Record<string, readonly (readonly [fields: object, event: object])[]>> = {
  'run.started': [
    [
      {turn_id: 't1', prompt: 'Hi', profile: 'default'},
      {type: 'start', turnId: 't1', prompt: 'Hi'},
    ],
  ],
  'message.delta': [
    [
      {delta: 'Let me', message_id: 'm1'},
      {type: 'text', channel: 'prose', text: 'Let me', messageId: 'm1'},
    ],
    [{delta: ''}, {type: 'text', text: '', messageId: null}],
    [
      {delta: '', content: {type: 'text', text: 'as a block'}},
      {type: 'text', text: 'as a block'},
    ],
    [
      {delta: '', content: {type: 'resource_link', uri: 'file:///a.md', name: 'a.md'}},
      {type: 'artifact', artifact: {path: 'a.md', uri: 'file:///a.md', change: 'referenced'}},
    ],
    [
      {delta: '', content: {type: 'resource', resource: {uri: 'file:///b.md', text: 'x'}}},
      {type: 'artifact', artifact: {path: 'file:///b.md', uri: 'file:///b.md', change: 'referenced'}},
    ],
    [
      {delta: '', content: {type: 'image', mimeType: 'image/png', data: 'AAAA'}},
      {type: 'notice', text: '[image/png]', topic: 'image'},
    ],
    [
      {delta: '', content: {type: 'hologram'}},
      {type: 'notice', text: '[hologram]', topic: 'hologram'},
    ],
  ],
  'thought.delta': [
    [
      {delta: 'First ', message_id: 'm1'},
      {type: 'text', channel: 'thought', text: 'First ', messageId: 'm1'},
    ],
  ],
  'reasoning.delta': [
    [{delta: 'First '}, {type: 'text', channel: 'thought', text: 'First '}],
    [{text: 'First '}, {type: 'text', channel: 'thought', text: 'First '}],
  ],
  'reasoning.available': [
    [{text: 'First '}, {type: 'text', channel: 'thought', text: 'First ', claim: 'already-streamed'}],
  ],
  'tool.started': [
    [
      {tool: 'read_file', preview: 'notes/a.md'},
      {type: 'tool', phase: 'start', callId: null, tool: 'read_file', status: 'running'},
    ],
    [
      {
        tool: 'edit',
        tool_call_id: 'c1',
        title: 'Edit a.md',
        kind: 'edit',
        status: 'pending',
        input: {path: 'a.md'},
        locations: [{path: 'a.md', line: 3}, {line: 4}],
      },
      {
        type: 'tool',
        phase: 'start',
        callId: 'c1',
        status: 'pending',
        facts: {
          title: 'Edit a.md',
          kind: 'edit',
          args: {path: 'a.md'},
          output: null,
          diff: null,
          content: null,
          locations: [{path: 'a.md', line: 3}],
          durationMs: null,
          artifacts: [],
        },
      },
    ],
  ],
  'tool.updated': [
    [
      {
        tool: 'sh',
        tool_call_id: 'c1',
        status: 'in_progress',
        content: [{type: 'content', content: {type: 'text', text: 'half'}}],
      },
      {type: 'tool', phase: 'update', callId: 'c1', status: 'running'},
    ],
    [
      {tool: 'sh', tool_call_id: 'c1'},
      {type: 'tool', phase: 'update', status: null},
    ],
  ],
  'tool.completed': [
    [
      {tool: 'read_file', duration: 0.412, error: false},
      {type: 'tool', phase: 'end', callId: null, status: 'completed'},
    ],
    [{tool: 'read_file', error: true}, {status: 'error'}],
    [{tool: 'sh', status: 'failed'}, {status: 'error'}],
    [{tool: 'sh', status: 'completed', error: true}, {status: 'error'}],
    [{tool: 'sh', status: 'denied', error: true}, {status: 'denied'}],
  ],
  'permission.requested': [
    [
      {
        permission_id: 'p1',
        tool_call_id: 'c1',
        title: 'Run a command',
        kind: 'execute',
        input: {command: 'rm -r build'},
        options: [{id: 'a', name: 'Allow', kind: 'allow_once'}],
        expires_at: 1790000100,
      },
      {
        type: 'control',
        control: 'permission',
        controlId: 'p1',
        callId: 'c1',
        text: 'rm -r build',
        detail: 'Run a command',
        input: {command: 'rm -r build'},
        diff: null,
        options: [{id: 'a', label: 'Allow', kind: 'allow_once'}],
        expiresAt: 1790000100000,
        life: 'until-resolved',
      },
    ],
    [
      {permission_id: 'p2', title: 'Edit a.md', options: []},
      {text: 'Edit a.md', detail: null, expiresAt: null, input: null, diff: null},
    ],
    [
      {
        title: 'Edit a.md',
        input: {path: 'a.md', __proto__: {}},
        content: [
          {type: 'diff', path: 'a.md', oldText: 'old\n', newText: 'new\n'},
          {type: 'content', content: {type: 'text', text: 'Because it is old.'}},
        ],
      },
      {
        text: 'Edit a.md',
        detail: 'Because it is old.',
        input: {path: 'a.md'},
        diff: '--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-old\n+new\n',
      },
    ],
    [{title: 'Run', input: 'make'}, {input: {_raw: 'make'}}],
  ],
  'permission.resolved': [
    [
      {permission_id: 'p1', outcome: 'selected', option_id: 'a', option_kind: 'allow_once', by: 'reader'},
      {
        type: 'control-resolved',
        control: 'permission',
        controlId: 'p1',
        status: 'answered',
        choice: 'a',
        denied: false,
      },
    ],
    [
      {permission_id: 'p1', outcome: 'selected', option_id: 'n', option_kind: 'reject_once', by: 'reader'},
      {denied: true},
    ],
    [
      {permission_id: 'p1', outcome: 'denied', by: 'policy'},
      {status: 'answered', denied: true, choice: 'denied'},
    ],
    [
      {permission_id: 'p1', outcome: 'cancelled', by: 'cancel'},
      {status: 'stale', denied: false},
    ],
    [{permission_id: 'p1', outcome: 'cancelled', by: 'timeout'}, {status: 'expired'}],
  ],
  'approval.request': [
    [
      {command: 'rm -r build', description: 'recursive delete', choices: ['once', 'deny']},
      {
        type: 'control',
        control: 'permission',
        controlId: null,
        text: 'rm -r build',
        detail: 'recursive delete',
        life: 'until-resolved',
        options: [
          {id: 'once', label: 'Allow once', kind: 'allow_once'},
          {id: 'deny', label: 'Deny', kind: 'reject_once'},
        ],
      },
    ],
    [{request_id: 'q1', command: 'x'}, {controlId: 'q1'}],
  ],
  'approval.responded': [
    [
      {choice: 'once', resolved: 1},
      {type: 'control-resolved', controlId: null, status: 'answered', choice: 'once', denied: false},
    ],
    [{choice: 'deny'}, {denied: true}],
  ],
  'plan.updated': [
    [
      {entries: [{content: 'Read', status: 'pending', priority: 'high'}]},
      {type: 'meta', plan: [{content: 'Read', status: 'pending', priority: 'high'}]},
    ],
    [{plan: []}, {plan: []}],
  ],
  'usage.updated': [
    [
      {used: 5, size: 100, cost: {amount: 0.25, currency: 'USD'}},
      {type: 'meta', usage: usage({used: 5, size: 100, cost: 0.25})},
    ],
    [{used: 5, size: 100, cost: 0.5}, {usage: usage({used: 5, size: 100, cost: 0.5})}],
  ],
  'session.info': [[{title: 'Rain'}, {type: 'meta', title: 'Rain'}]],
  'commands.updated': [[{commands: []}, {type: 'meta'}]],
  'mode.updated': [[{mode: 'plan'}, {type: 'meta'}]],
  'config.updated': [[{options: []}, {type: 'meta'}]],
  notice: [
    [
      {text: 'Slow today', topic: 'load'},
      {type: 'notice', text: 'Slow today', topic: 'load'},
    ],
  ],
  compaction: [
    [{status: 'running'}, {type: 'lifecycle', topic: 'compression', status: 'running'}],
    [
      {status: 'completed', text: 'Done'},
      {status: 'completed', text: 'Done'},
    ],
    [{status: 'failed'}, {status: 'error'}],
  ],
  'agent.update': [
    [
      {update: {sessionUpdate: 'weather', content: {type: 'text', text: 'It rains'}}},
      {type: 'notice', text: 'It rains', topic: 'weather'},
    ],
    [{update: {sessionUpdate: 'weather', degrees: 7}}, {type: 'meta'}],
  ],
  'subagent.start': [
    [
      {delegation_id: 'd1', goal: 'Count'},
      {type: 'side-effect', kind: 'subagent', action: 'started', label: 'Count', ownId: 'started:d1'},
    ],
  ],
  'subagent.complete': [
    [
      {delegation_id: 'd1', status: 'failed', summary: '3 files'},
      {type: 'side-effect', kind: 'subagent', action: 'failed', label: '3 files', ownId: 'completed:d1'},
    ],
  ],
  'run.completed': [
    [
      {
        output: 'Done.',
        usage: {input_tokens: 900, output_tokens: 40, total_tokens: 940},
        cacheHitRate: 0.5,
        cacheHitTokens: 450,
      },
      {
        type: 'terminal',
        state: 'completed',
        strength: 'observed',
        output: 'Done.',
        truncated: false,
        usage: usage({inputTokens: 900, outputTokens: 40, cacheHitRate: 0.5, cacheHitTokens: 450}),
      },
    ],
    [
      {output: '', stop_reason: 'end_turn'},
      {state: 'completed', output: ''},
    ],
    [
      {output: 'x', stop_reason: 'max_turn_requests'},
      {state: 'tool_limit_reached', truncated: false},
    ],
    [
      {output: 'x', stop_reason: 'max_tokens'},
      {state: 'completed', truncated: true},
    ],
    [{output: 'x', stop_reason: 'refusal'}, {state: 'completed'}],
    [{output: 'x', stop_reason: 'cancelled'}, {state: 'cancelled'}],
  ],
  'run.failed': [
    [
      {error: 'model rejected the key', code: 'auth', hint: 'Sign in.'},
      {
        type: 'terminal',
        state: 'error',
        error: {type: 'auth', message: 'model rejected the key', hint: 'Sign in.'},
      },
    ],
    [
      {error: 'agent died', terminal_state: 'interrupted'},
      {state: 'interrupted', strength: 'observed'},
    ],
    [{error: 'x', terminal_state: 'connection_lost'}, {state: 'connection_lost'}],
    [{error: 'x', terminal_state: 'compression_exhausted'}, {state: 'compression_exhausted'}],
    [
      {error: {code: 'e1', message: 'nested'}},
      {state: 'error', error: {type: 'e1', message: 'nested', hint: null}},
    ],
  ],
  'run.cancelled': [[{}, {type: 'terminal', state: 'cancelled', strength: 'observed'}]],
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

const frame = (fields: object, id: string | null = 'run_1:3', name: string | null = null) =>
  normalizeRunsFrame({id, name, data: JSON.stringify(fields)});

for (const name of runsNames) {
  test(`${name} becomes what its row says`, () => {
    assert.ok(examples[name], `${name} needs an example here`);
    for (const [fields, expected] of examples[name]) {
      const event = frame({
        event: name,
        run_id: 'other',
        session_id: 's1',
        timestamp: 1790000001.25,
        ...fields,
      });
      const all = {run: 'run_1', seq: 3, name, sessionId: 's1', at: 1790000001250, ...expected};
      for (const [key, value] of Object.entries(all)) {
        assert.deepEqual((event as unknown as JsonObject)[key], value, `${key} of ${JSON.stringify(fields)}`);
      }
    }
  });

  test(`${name} without its fields still holds its position`, () => {
    const event = frame({event: name});
    assert.deepEqual([event.run, event.seq, event.at, event.sessionId], ['run_1', 3, null, null]);
    assert.notEqual(event.type, 'excluded');
  });
}

test('without an id the payload names the run, and the position where it has one', () => {
  const event = frame({event: 'message.delta', run_id: 'run_2', delta: 'x'}, null);
  assert.deepEqual([event.run, event.seq], ['run_2', null]);
  assert.equal(frame({event: 'message.delta', run_id: 'run_2', seq: 4, delta: 'x'}, null).seq, 4);
  for (const seq of [0, -1, 1.5, '4', 1e300]) {
    assert.equal(frame({event: 'message.delta', run_id: 'run_2', seq, delta: 'x'}, null).seq, null);
  }
});

test('without an id and a run id the event belongs to the run of its stream', () => {
  assert.equal(frame({event: 'message.delta', delta: 'x'}, null).run, null);
});

test('the JSON names the event; an event line does where the JSON has no name', () => {
  assert.equal(frame({event: 'thought.delta', delta: 'x'}, 'r:1', 'message.delta').name, 'thought.delta');
  assert.equal(frame({delta: 'x'}, 'r:1', 'message.delta').type, 'text');
});

for (const event of ['new.thing', '__proto__', 'constructor', 'toString']) {
  test(`the unknown name ${event} is excluded under its own name`, () => {
    assert.deepEqual(frame({event}), {type: 'excluded', run: 'run_1', seq: 3, name: event});
  });
}

for (const data of ['[DONE]', '{', '7', 'null']) {
  test(`${data} is malformed and holds its position`, () => {
    const event = normalizeRunsFrame({id: 'run_1:3', name: null, data});
    assert.deepEqual(event, {type: 'excluded', run: 'run_1', seq: 3, name: 'malformed:message'});
  });
}

const facts = (fields: object) => {
  const event = frame({event: 'tool.completed', tool: 'edit', ...fields});
  assert.ok(event.type === 'tool');
  return event.facts;
};

test('a diff block becomes a diff, and its file an artifact', () => {
  const {diff, artifacts} = facts({
    content: [
      {type: 'diff', path: 'a.md', oldText: 'one\ntwo\n', newText: 'one\nzwei\n'},
      {type: 'diff', path: 'b.md', newText: 'new\n'},
    ],
  });
  assert.equal(
    diff,
    '--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n--- /dev/null\n+++ b/b.md\n@@ -0,0 +1,1 @@\n+new\n',
  );
  assert.deepEqual(artifacts, [
    {path: 'a.md', change: 'modified'},
    {path: 'b.md', change: 'created'},
  ]);
});

test('an edit without a diff changed the places it names; a read changed nothing', () => {
  const locations = [{path: 'a.md'}];
  assert.deepEqual(facts({kind: 'edit', locations}).artifacts, [{path: 'a.md', change: 'modified'}]);
  assert.deepEqual(facts({kind: 'delete', locations}).artifacts, [{path: 'a.md', change: 'deleted'}]);
  assert.deepEqual(facts({kind: 'read', locations}).artifacts, []);
});

test('a call that failed changed nothing', () => {
  assert.deepEqual(facts({kind: 'edit', locations: [{path: 'a.md'}], error: true}).artifacts, []);
});

test('output is the text said, else the text of the blocks, else the JSON', () => {
  const content = [
    {type: 'content', content: {type: 'text', text: 'block'}},
    {type: 'terminal', terminalId: 't'},
  ];
  assert.equal(facts({output: 'said', content}).output, 'said');
  assert.equal(facts({content}).output, 'block');
  assert.equal(facts({output: {a: 1}}).output, '{"a":1}');
  assert.equal(facts({}).output, null);
});

test('blocks that are more than text are kept as they came, the texts between them, changes apart', () => {
  const texts = [
    {type: 'text', text: 'Before.'},
    {type: 'text', text: ''},
  ];
  const rest = [
    {type: 'image', mimeType: 'image/png', data: 'AAAA'},
    {type: 'audio', mimeType: 'audio/wav', data: 'AAAA'},
    {type: 'resource_link', uri: 'file:///a.md', name: 'a.md'},
    {type: 'resource', resource: {uri: 'file:///b.md', text: 'B'}},
    {type: 'hologram'},
  ];
  const wrapped = [...texts, ...rest].map((content) => ({type: 'content', content}));
  const diff = {type: 'diff', path: 'a.md', oldText: 'a', newText: 'b'};
  const read = facts({content: [...wrapped, diff, {type: 'terminal', terminalId: 't'}]});
  assert.deepEqual(read.content, [...texts, ...rest, {type: 'terminal', terminalId: 't'}]);
  assert.equal(read.output, 'Before.');
  assert.equal(facts({content: [{type: 'content', content: texts[0]!}, diff]}).content, null);
  assert.equal(facts({content: []}).content, null);
});

test('input that is no object is kept under a key of our own', () => {
  assert.deepEqual(facts({input: 'ls'}).args, {_raw: 'ls'});
  assert.deepEqual(facts({input: ['ls']}).args, {_raw: ['ls']});
  assert.equal(facts({input: null}).args, null);
});
