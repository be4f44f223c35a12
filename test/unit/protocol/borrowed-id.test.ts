import assert from 'node:assert/strict';
import {test} from 'node:test';
import {borrowsId} from '../../../src/protocol/index.js';

const rows: readonly [name: string | null, data: string | object, borrows: boolean][] = [
  ['cancel', '{}', true],
  ['bg_task_complete', '{}', true],
  ['process_complete', '{}', true],
  ['apperror', '{"type":"interrupted","recovery_control":true}', true],
  ['apperror', '{"recovery_control": true}', true],
  ['apperror', {recovery_control: true}, true],
  ['apperror', '{"type":"rate_limit"}', false],
  ['apperror', '{"recovery_control":false}', false],
  ['apperror', {}, false],
  ['token', '{"text":"\\"recovery_control\\":true"}', false],
  [null, '{}', false],
];

for (const [name, data, borrows] of rows) {
  test(`${name} ${JSON.stringify(data)} ${borrows ? 'borrows' : 'owns'} its id`, () => {
    assert.equal(borrowsId({id: 'r:1', name, data}), borrows);
  });
}
