import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  asObject,
  firstString,
  jsonText,
  ownList,
  ownNumber,
  ownObject,
  ownObjects,
  ownString,
  ownTrue,
  parseObject,
  type Json,
  type JsonObject,
} from '../../../src/anchor/json.js';
import {sanitize, sanitizePayload, stripPrototypeKeys} from '../../../src/anchor/sanitize.js';

const kept: readonly unknown[] = [null, '', 'text', 0, -1.5, true, false];
for (const value of kept) {
  test(`${JSON.stringify(value)} is kept`, () => assert.equal(sanitize(value), value));
}

test('a bigint becomes its decimal text', () => assert.equal(sanitize(12n), '12'));

for (const value of [undefined, () => 1, Symbol('s')]) {
  test(`${String(value)} is dropped, from objects and lists too`, () => {
    assert.equal(sanitize(value), undefined);
    assert.deepEqual(sanitize([1, value, 2]), [1, 2]);
    assert.deepEqual(plain(sanitize({a: value, b: 1})), {b: 1});
  });
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('objects lose their prototype and their keys are sorted', () => {
  const safe = sanitize({b: 1, a: {d: 1, c: 2}}) as JsonObject;
  assert.equal(Object.getPrototypeOf(safe), null);
  assert.equal(JSON.stringify(safe), '{"a":{"c":2,"d":1},"b":1}');
});

for (const value of [new Date(0), new Map(), new Set(), /x/, new Uint8Array(1)]) {
  test(`a ${value.constructor.name} is only named as an object`, () =>
    assert.equal(sanitize(value), '[Object]'));
}

test('the seventh level is cut', () => {
  const deep = {a: {a: {a: {a: {a: {a: {}}}}}}};
  assert.equal(JSON.stringify(sanitize(deep)), '{"a":{"a":{"a":{"a":{"a":{"a":"[MaxDepth]"}}}}}}');
  assert.equal(JSON.stringify(sanitize([[[[[[[]]]]]]])), '[[[[[["[MaxDepth]"]]]]]]');
});

const hostile =
  '{"a":1,"__proto__":{"polluted":true},"constructor":{"prototype":{}},"prototype":2,"b":[{"__proto__":3}]}';

test('prototype keys are removed', () => {
  assert.equal(JSON.stringify(sanitize(JSON.parse(hostile))), '{"a":1,"b":[{}]}');
});

test('inherited properties are not read', () => {
  assert.deepEqual(plain(sanitize(Object.create({inherited: 1}, {own: {value: 2, enumerable: true}}))), {
    own: 2,
  });
});

const payloads: readonly (readonly [string, unknown, unknown])[] = [
  ['nothing', null, {}],
  ['a blank text', '  ', {}],
  ['an object', {b: 1}, {b: 1}],
  ['the text of an object', '{"b":1}', {b: 1}],
  ['the text of a scalar', '7', {value: 7}],
  ['another text', 'not json', {text: 'not json'}],
  ['a list', [1, 2], {}],
  ['the text of a list', '[1]', {}],
  ['the text of null', 'null', {}],
  ['a number', 7, {}],
];
for (const [what, payload, expected] of payloads) {
  test(`as a payload, ${what} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(plain(sanitizePayload(payload)), expected);
  });
}

test('sanitising is idempotent and gives JSON', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const once = sanitize(value);
      if (once === undefined) return;
      assert.equal(JSON.stringify(sanitize(once)), JSON.stringify(once));
    }),
  );
});

test('stripping removes prototype keys at every depth and keeps all else in its order', () => {
  assert.equal(JSON.stringify(stripPrototypeKeys(JSON.parse(hostile) as Json)), '{"a":1,"b":[{}]}');
  assert.equal(({} as {polluted?: boolean}).polluted, undefined);
});

test('stripping returns the same value when nothing has to go', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = value as Json;
      const clean = stripPrototypeKeys(json);
      if (!/"(__proto__|constructor|prototype)":/.test(JSON.stringify(json))) assert.equal(clean, json);
    }),
  );
});

test('stripping never leaves a prototype key, wherever it stood', () => {
  const key = fc.constantFrom('a', '__proto__', 'constructor', 'prototype');
  const {tree} = fc.letrec<{tree: Json}>((tie) => ({
    tree: fc.oneof(
      {maxDepth: 4},
      fc.constantFrom<Json>(1, 'x', null),
      fc.array(tie('tree'), {maxLength: 3}),
      fc
        .array(fc.tuple(key, tie('tree')), {maxLength: 3})
        .map(
          (entries) =>
            JSON.parse(
              `{${entries.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(',')}}`,
            ) as Json,
        ),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) =>
      assert.doesNotMatch(JSON.stringify(stripPrototypeKeys(value)), /__proto__|constructor|prototype/),
    ),
  );
});

test('values are stripped at every depth, and end where nothing could print them any more', () => {
  const nested = (depth: number) =>
    JSON.parse(`${'['.repeat(depth)}{"__proto__":1,"a":2}${']'.repeat(depth)}`) as Json;
  const innermost = (value: Json): Json => {
    while (Array.isArray(value)) value = (value as readonly Json[])[0]!;
    return value;
  };
  assert.deepEqual(Object.keys(innermost(stripPrototypeKeys(nested(400))) as JsonObject), ['a']);
  const deep = nested(200_000);
  assert.equal(innermost(stripPrototypeKeys(deep)), '[MaxDepth]');
  assert.equal(jsonText(deep), null);
});

test('a value that holds itself is refused with a sentence, wherever it does', () => {
  const holds = (into: (cycle: Record<string, unknown>) => unknown) => {
    const cycle: Record<string, unknown> = {};
    cycle['a'] = into(cycle);
    cycle['b'] = into(cycle);
    return cycle as Json;
  };
  const values = [
    holds((cycle) => cycle),
    holds((cycle) => [[cycle]]),
    holds((cycle) => ({constructor: 1, c: cycle})),
    {args: {list: [1, holds((cycle) => [cycle])]}} as unknown as Json,
  ];
  for (const value of values)
    assert.throws(() => stripPrototypeKeys(value), {name: 'UnreadableError', message: /holds itself/});
});

test('what is held from many places is looked at once, and stripped once', () => {
  let value: Json = JSON.parse('{"__proto__":1,"a":2}') as Json;
  for (let depth = 0; depth < 60; depth++) value = {b: value, c: value};
  const stripped = stripPrototypeKeys(value) as JsonObject;
  assert.equal(stripped['b'], stripped['c']);
  let innermost: Json = stripped;
  while (Object.hasOwn(innermost as JsonObject, 'b')) innermost = (innermost as JsonObject)['b']!;
  assert.deepEqual(Object.keys(innermost as JsonObject), ['a']);
});

test('own readers read own properties of the right kind only', () => {
  const object = JSON.parse(
    '{"s":"","n":1,"t":true,"o":{"k":1},"l":[{"x":1},2,null],"__proto__":{"ghost":"boo"}}',
  ) as JsonObject;
  assert.equal(ownString(object, 's'), '');
  assert.equal(ownString(object, 'n'), null);
  assert.equal(ownString(object, 'toString'), null);
  assert.equal(ownString(object, 'ghost'), null);
  assert.equal(ownNumber(object, 'n'), 1);
  assert.equal(ownNumber(object, 's'), null);
  assert.equal(ownNumber({n: Infinity}, 'n'), null);
  assert.equal(ownTrue(object, 't'), true);
  assert.equal(ownTrue(object, 'n'), false);
  assert.deepEqual(ownObject(object, 'o'), {k: 1});
  assert.equal(ownObject(object, 'l'), null);
  assert.equal(ownList(object, 'l').length, 3);
  assert.deepEqual(ownList(object, 'o'), []);
  assert.deepEqual(ownObjects(object, 'l'), [{x: 1}]);
});

test('the first text that is not empty is taken', () => {
  assert.equal(firstString({a: '', b: 2, c: 'yes', d: 'no'}, 'x', 'a', 'b', 'c', 'd'), 'yes');
  assert.equal(firstString({a: ''}, 'a'), null);
});

test('only objects are objects', () => {
  for (const value of [null, undefined, 1, 'x', [], true]) assert.equal(asObject(value), null);
  assert.equal(parseObject('[1]'), null);
  assert.equal(parseObject('{'), null);
  assert.deepEqual(parseObject('{"a":1}'), {a: 1});
});
