import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {unifiedDiff} from '../../../src/adapters/unified-diff.js';
import {
  diffBlocks,
  textDiffBlocks,
  wordMarks,
  type DiffBlock,
  type DiffLine,
} from '../../../src/scene/diff-blocks.js';
import {matching} from '../../../src/scene/matching.js';

const numbered = (sign: string) => (line: DiffLine) =>
  `${line.before ?? ''}/${line.after ?? ''}${sign}${line.text}`;

function sketch(blocks: readonly DiffBlock[]): string {
  return blocks
    .flatMap((block) => {
      switch (block.type) {
        case 'file':
          return [`file ${block.before} → ${block.after}`];
        case 'same':
          return block.lines.map(numbered(' '));
        case 'change':
          return [...block.removed.map(numbered('-')), ...block.added.map(numbered('+'))];
        default:
          return [`${block.type} ${block.text}`];
      }
    })
    .join('\n');
}

test('a patch is read with its files, places and numbers', () => {
  const patch = `diff --git a/x.ts b/x.ts
--- a/x.ts
+++ b/x.ts
@@ -3,4 +3,4 @@ function x
 one
-two
--- three
+2
+++ 3
 four
\\ No newline at end of file
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;
  assert.equal(
    sketch(diffBlocks(patch)),
    `note diff --git a/x.ts b/x.ts
file x.ts → x.ts
hunk @@ -3,4 +3,4 @@ function x
3/3 one
4/-two
5/--- three
/4+2
/5+++ 3
6/6 four
note \\ No newline at end of file
file old.txt → null
hunk @@ -1 +0,0 @@
1/-gone`,
  );
});

test('a patch without numbers is still one', () => {
  assert.equal(sketch(diffBlocks('-a\n+b\n c')), '1/-a\n/1+b\nnote  c');
});

test('an empty line in a hunk may have lost its blank', () => {
  assert.equal(sketch(diffBlocks('@@ -1,2 +1,2 @@\n\n-a\n+b')), 'hunk @@ -1,2 +1,2 @@\n1/1 \n2/-a\n/2+b');
});

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '--- x', '+++ y', '@@ -1 +1 @@'), {maxLength: 30})
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

test('both texts can be read from what stays and what changed', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = (side: 'removed' | 'added') =>
        textDiffBlocks(before, after).flatMap((block) =>
          block.type === 'same' ? block.lines : block.type === 'change' ? block[side] : [],
        );
      const text = (all: readonly DiffLine[]) => all.map((line) => `${line.text}\n`).join('');
      assert.equal(text(lines('removed')), before);
      assert.equal(text(lines('added')), after);
      assert.deepEqual(
        lines('removed').map((line) => line.before),
        lines('removed').map((_, index) => index + 1),
      );
      assert.deepEqual(
        lines('added').map((line) => line.after),
        lines('added').map((_, index) => index + 1),
      );
    }),
    {numRuns: 500},
  );
});

test('a patch made of two texts says where each line was', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const old = before.split('\n');
      const now = after.split('\n');
      for (const block of diffBlocks(unifiedDiff('a', before, after))) {
        if (block.type !== 'same' && block.type !== 'change') continue;
        const all = block.type === 'same' ? block.lines : [...block.removed, ...block.added];
        for (const line of all) {
          if (line.before !== null) assert.equal(old[line.before - 1], line.text);
          if (line.after !== null) assert.equal(now[line.after - 1], line.text);
        }
      }
    }),
    {numRuns: 500},
  );
});

test('nothing that is read as a patch throws, or loses a line', () => {
  const bits = fc.constantFrom(
    '+',
    '-',
    ' ',
    '@@ -1,2 +1,2 @@',
    '--- a',
    '+++ b',
    '\\ No',
    'x',
    '',
    '--- /dev/null',
  );
  fc.assert(
    fc.property(fc.array(bits, {maxLength: 30}), (lines) => {
      const count = diffBlocks(lines.map((line) => `${line}\n`).join('')).reduce((sum, block) => {
        if (block.type === 'same') return sum + block.lines.length;
        if (block.type === 'change') return sum + block.removed.length + block.added.length;
        return sum + (block.type === 'file' ? 2 : 1);
      }, 0);
      assert.equal(count, lines.length);
    }),
    {numRuns: 1000},
  );
});

test('what stays, stays in order', () => {
  const lists = fc.array(fc.constantFrom('a', 'b', 'c'), {maxLength: 20});
  fc.assert(
    fc.property(lists, lists, fc.nat(12), (a, b, most) => {
      let [x, y] = [-1, -1];
      for (const [left, right] of matching(a, b, most)) {
        assert.ok(left > x && right > y);
        assert.equal(a[left], b[right]);
        [x, y] = [left, right];
      }
    }),
    {numRuns: 1000},
  );
});

test('as much stays as can', () => {
  const lists = fc.array(fc.constantFrom('a', 'b', 'c'), {maxLength: 9});
  const longest = (a: readonly string[], b: readonly string[]): number =>
    a.length === 0 || b.length === 0
      ? 0
      : a[0] === b[0]
        ? 1 + longest(a.slice(1), b.slice(1))
        : Math.max(longest(a.slice(1), b), longest(a, b.slice(1)));
  fc.assert(fc.property(lists, lists, (a, b) => assert.equal(matching(a, b, 100).length, longest(a, b))));
});

const marked = (spans: readonly {text: string; changed: boolean}[]) =>
  spans.map(({text, changed}) => (changed ? `[${text}]` : text)).join('');

test('words that changed are marked', () => {
  const [before, after] = wordMarks('Ship on Friday.', 'Ship it on Thursday.')!;
  assert.equal(marked(before), 'Ship on [Friday].');
  assert.equal(marked(after), 'Ship [it ]on [Thursday].');
});

test('another line has no marks, nor has a very long one', () => {
  assert.equal(wordMarks('const a = 1;', 'Nothing of it was left here, really'), null);
  assert.equal(wordMarks('a '.repeat(2000), 'a '.repeat(2000)), null);
});

test('words give back the lines', () => {
  const line = fc.string({unit: 'binary', maxLength: 30});
  fc.assert(
    fc.property(line, line, (a, b) => {
      const marks = wordMarks(a, `${a}${b}`);
      if (!marks) return;
      assert.equal(marks[0].map(({text}) => text).join(''), a);
      assert.equal(marks[1].map(({text}) => text).join(''), `${a}${b}`);
    }),
  );
});

test('a megabyte of changes is read', () => {
  const other = (n: number) => Array.from({length: 50_000}, (_, line) => `line ${line * n}`).join('\n');
  const start = performance.now();
  const blocks = textDiffBlocks(other(1), other(3));
  assert.ok(blocks.every((block) => block.type !== 'change' || block.added.length <= 100));
  diffBlocks(unifiedDiff('a', other(1), other(3)));
  assert.ok(performance.now() - start < 3000);
});
