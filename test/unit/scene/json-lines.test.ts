import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {jsonLines, jsonLineText} from '../../../src/scene/json-lines.js';

const text = (json: string) => jsonLines(json)?.map(jsonLineText).join('\n');

test('lines are those that JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      assert.equal(text(JSON.stringify(value)), JSON.stringify(value, null, 2));
      assert.equal(text(JSON.stringify(value, null, 3)), JSON.stringify(value, null, 2));
    }),
    {numRuns: 1000},
  );
});

test('numbers stay as they were written, names that are given twice stay both', () => {
  assert.equal(
    text('{"a":12345678901234567890,"a":1.0e2}'),
    '{\n  "a": 12345678901234567890,\n  "a": 1.0e2\n}',
  );
});

test('texts are written for people', () => {
  assert.equal(text('["\\u6f22\\u5b57 \\/ \\u200b"]'), '[\n  "漢字 / \u200b"\n]');
});

test('what opens knows where it closes and how much is in it', () => {
  const lines = jsonLines('{"a":[1,[2]],"b":{}}')!;
  assert.deepEqual(
    lines.map(({kind, parent, end, size}) => [kind, parent, end, size]),
    [
      ['open', -1, 8, 2],
      ['open', 0, 6, 2],
      ['number', 1, -1, 0],
      ['open', 1, 5, 1],
      ['number', 3, -1, 0],
      ['close', 3, -1, 0],
      ['close', 1, -1, 0],
      ['empty', 0, -1, 0],
      ['close', 0, -1, 0],
    ],
  );
});

test('what is no JSON is null, and nothing throws', () => {
  for (const bad of ['', '{', 'NaN', "{'a':1}", '[1,]', '\u0000']) assert.equal(jsonLines(bad), null);
  fc.assert(fc.property(fc.string({unit: 'binary'}), (any) => void jsonLines(any)));
});

test('a megabyte is read, flat or deep', () => {
  for (const json of [
    `[${'1,'.repeat(500_000)}1]`,
    '['.repeat(5000) + ']'.repeat(5000),
    JSON.stringify('x'.repeat(1e6)),
  ]) {
    const start = performance.now();
    assert.ok(jsonLines(json));
    assert.ok(performance.now() - start < 3000);
  }
});
