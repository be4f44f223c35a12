import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {filesOfDiff, unifiedDiff} from '../../../src/adapters/unified-diff.js';

const headers: readonly (readonly [string, object])[] = [
  ['--- a/src/two.txt\n+++ b/src/two.txt\n@@ -1 +1 @@', {path: 'src/two.txt', change: 'modified'}],
  ['--- /dev/null\n+++ b/new.md\n@@ -0,0 +1 @@', {path: 'new.md', change: 'created'}],
  ['--- a/old.md\n+++ /dev/null\n@@ -1 +0,0 @@', {path: 'old.md', change: 'deleted'}],
  [
    '--- old name.md\t2026-01-01\n+++ old name.md\t2026-01-02\n@@ -1 +1 @@',
    {path: 'old name.md', change: 'modified'},
  ],
];
for (const [diff, file] of headers) {
  test(`${JSON.stringify(diff)} names its file`, () => assert.deepEqual(filesOfDiff(diff), [file]));
}

test('changed text that looks like a header is no file', () => {
  assert.deepEqual(
    filesOfDiff('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- not a file\n+++ not one either\n done\n'),
    [{path: 'x', change: 'modified'}],
  );
});

test('a change keeps three lines around it', () => {
  const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  const changed = lines.with(4, 'five');
  assert.equal(
    unifiedDiff('n', lines.join('\n'), changed.join('\n')),
    '--- a/n\n+++ b/n\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
  );
});

/** Applies one hunk, trusting its numbers, so wrong numbers give a wrong text. */
function patched(before: string, diff: string): string {
  const lines = before === '' ? [] : before.split('\n');
  const [, , range = '', ...hunk] = diff.replace(/\n$/, '').split('\n');
  const [, from, count] = /^@@ -(\d+),(\d+)/.exec(range)!.map(Number);
  const kept = hunk.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  const gone = hunk.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const start = Math.max(0, from! - 1);
  assert.deepEqual(lines.slice(start, start + count!), gone);
  return lines.toSpliced(start, count!, ...kept).join('\n');
}

test('a diff applied to the old text gives the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), {maxLength: 12}).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      if (before === after) return;
      assert.equal(patched(before, unifiedDiff('n', before, after)), after);
    }),
  );
});
