import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {formatEventId, parseEventId} from '../../../src/protocol/index.js';

const cases: readonly [id: string, meaning: string, expected: {run: string; seq: number} | null][] = [
  ['run_1:7', 'run and position', {run: 'run_1', seq: 7}],
  ['a:b:c:12', 'the last colon parts them', {run: 'a:b:c', seq: 12}],
  ['r:0', 'zero is a position', {run: 'r', seq: 0}],
  ['r:-4', 'a negative position counts as 0', {run: 'r', seq: 0}],
  ['r:007', 'leading zeros are a number', {run: 'r', seq: 7}],
  ['s.a1c0:3', 'runs of a session', {run: 's.a1c0', seq: 3}],
  ['läufe:5', 'any letters', {run: 'läufe', seq: 5}],
  ['r:', 'no position', null],
  ['r:-', 'a sign alone', null],
  ['r:x', 'no number', null],
  ['r:1x', 'a number and more', null],
  ['r: 1', 'a space', null],
  ['r:1.5', 'a fraction', null],
  ['r:99999999999999999999', 'more than a number can hold', null],
  [':5', 'no run', null],
  ['17', 'no colon', null],
  ['', 'nothing', null],
];

for (const [id, meaning, expected] of cases) {
  test(`${JSON.stringify(id)}: ${meaning}`, () => assert.deepEqual(parseEventId(id), expected));
}

test('a formatted id is read back, whatever was read before it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({minLength: 1, maxLength: 12}), fc.nat()), {minLength: 1, maxLength: 6}),
      (ids) => {
        for (const [run, seq] of ids) assert.deepEqual(parseEventId(formatEventId(run, seq)), {run, seq});
      },
    ),
  );
});
