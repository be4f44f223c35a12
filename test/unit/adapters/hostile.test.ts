import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  adapterFor,
  detectSettled,
  detectWire,
  readPending,
  readSettled,
  readStart,
} from '../../../src/adapters/index.js';
import {runsNames} from '../../../src/adapters/hermes-runs/frames.js';
import {webuiNames} from '../../../src/adapters/hermes-webui/frames.js';

/** Keys that are read somewhere, and some that must only ever be names. */
const keys = (
  'text name tid args preview session messages role content type id tool_calls function arguments usage todos pending ' +
  'choices_offered choices status duration error event delta message_id output update cost input locations path options ' +
  'runtime_journal runtime_journal_snapshot tool_call_id _partial_tool_calls attachments prefill image_url url ' +
  '_anchor_activity_scene activity_rows tool thinking payload event_id resource uri oldText newText entries ' +
  '__proto__ constructor prototype toString valueOf hasOwnProperty toJSON length'
).split(' ');

const word = fc.oneof(
  fc.string({unit: 'binary', maxLength: 8}),
  fc.constantFrom(
    '\ud800',
    '\udfff!',
    '\0',
    '{',
    '{"a":',
    '[1]',
    'diff',
    'text',
    'tool',
    'assistant',
    'user',
    'prose',
    '__proto__',
  ),
);
const {value} = fc.letrec<{value: unknown}>((tie) => ({
  value: fc.oneof(
    {maxDepth: 5, depthSize: 'small'},
    word,
    fc.double(),
    fc.constantFrom(null, true, false, 0, -1, 1e308),
    fc.array(tie('value'), {maxLength: 4}),
    // As JSON.parse makes them: `__proto__` becomes a key of its own.
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...keys), word), tie('value')), {maxLength: 6})
      .map(
        (entries) =>
          JSON.parse(
            `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${json(item)}`).join(',')}}`,
          ) as unknown,
      ),
  ),
}));

function json(item: unknown): string {
  return JSON.stringify(item) ?? 'null';
}

const names = [...webuiNames, ...runsNames, ...keys, 'message'];
const id = fc.oneof(fc.constantFrom(null, '', 'r:1', 'r:-1', ':1', '__proto__:3', 'a:b:9', 'r:1e9'), word);

for (const wire of ['hermes-webui', 'hermes-runs'] as const) {
  const {normalize} = adapterFor(wire);

  test(`${wire}: no frame throws, pollutes a prototype, or loses its position`, () => {
    fc.assert(
      fc.property(id, fc.constantFrom(null, ...names), fc.oneof(value, word), (frameId, name, content) => {
        const named =
          wire === 'hermes-runs' &&
          content !== null &&
          typeof content === 'object' &&
          !Array.isArray(content);
        const payload = named ? {...content, event: name} : content;
        for (const data of [json(payload), String(name), payload]) {
          if (typeof data !== 'string' && (typeof data !== 'object' || data === null)) continue;
          const event = normalize({id: frameId, name, data});
          assert.equal(typeof event.type, 'string');
          assert.equal(typeof event.name, 'string');
          if (frameId === 'a:b:9') assert.deepEqual([event.run, event.seq], ['a:b', 9]);
        }
      }),
      {numRuns: 1500},
    );
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  test(`${wire}: JSON nested deeper than the stack is read and never thrown over`, () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const objects = `${'{"content":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    for (const name of wire === 'hermes-webui' ? webuiNames : runsNames) {
      for (const inner of [deep, objects]) {
        const fields = keys.map((key) => `${JSON.stringify(key)}:${inner}`).join(',');
        const some = `{"event":${JSON.stringify(name)},"session":{"messages":[{"role":"tool","content":${inner}}]},"args":${inner},`;
        if (name === 'token' || name === 'tool') normalize({id: 'r:1', name, data: `{${fields}}`});
        normalize({
          id: 'r:1',
          name,
          data: `${some}"input":${inner},"prefill":{"a":${inner}},"choices_offered":[${inner}]}`,
        });
      }
    }
  });
}

test('no payload makes the other readers throw', () => {
  fc.assert(
    fc.property(value, (payload) => {
      detectSettled(payload);
      readSettled(payload);
      readSettled({session: payload});
      readSettled({messages: payload});
      readSettled({messages: [payload, payload]});
      readSettled({
        session: {
          messages: [],
          runtime_journal: payload,
          runtime_journal_snapshot: payload,
          todo_state: payload,
        },
      });
      readStart(payload);
      readPending({pending: payload});
      detectWire({id: null, name: null, data: json(payload)});
    }),
    {numRuns: 1500},
  );
  assert.deepEqual(Object.keys(Object.prototype), []);
});

test('lone surrogates pass through as they are', () => {
  const event = adapterFor('hermes-webui').normalize({id: 'r:1', name: 'token', data: '{"text":"a\\ud800"}'});
  assert.ok(event.type === 'text');
  assert.equal(event.text, 'a\ud800');
});
