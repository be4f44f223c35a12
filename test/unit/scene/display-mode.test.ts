import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseDisplayMode} from '../../../src/scene/display-mode.js';

const spellings = [
  ['compact-worklog', 'compact-worklog'],
  ['transparent-stream', 'transparent-stream'],
  ['answer-only', 'answer-only'],
  ['compact_worklog', 'compact-worklog'],
  ['transparent_stream', 'transparent-stream'],
  ['hide_all_activity', 'answer-only'],
  [' Transparent-Stream ', 'transparent-stream'],
  ['', 'compact-worklog'],
  ['constructor', 'compact-worklog'],
  [null, 'compact-worklog'],
  [undefined, 'compact-worklog'],
  [7, 'compact-worklog'],
] as const;

for (const [value, mode] of spellings) {
  test(`${JSON.stringify(value) ?? 'undefined'} means ${mode}`, () =>
    assert.equal(parseDisplayMode(value), mode));
}
