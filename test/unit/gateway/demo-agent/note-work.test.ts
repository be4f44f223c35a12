import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  languageIn,
  summary,
  tasks,
  translateHeadings,
  withContents,
  withTodo,
} from '../../../../src/gateway/demo-agent/note-work.js';
import {tidy} from '../../../../src/gateway/demo-agent/tidy.js';

const rows: readonly (readonly [string, string, string])[] = [
  ['a misspelling keeps its case', 'Teh cat. TEH CAT. teh cat.\n', 'The cat. THE CAT. the cat.\n'],
  [
    'code and addresses are left alone',
    '`teh` https://x.test/teh\n\n```\nteh  x\n```\n',
    '`teh` https://x.test/teh\n\n```\nteh  x\n```\n',
  ],
  ['front matter is left alone', '---\ntitle: teh\n---\nteh\n', '---\ntitle: teh\n---\nthe\n'],
  ['list marks are one', '* a\n+ b\n  * c\n-[ ] d\n', '- a\n- b\n  - c\n- [ ] d\n'],
  ['bold at the start is no list', '**bold** text\n', '**bold** text\n'],
  ['a heading has a space', '#One\n##Two\n', '# One\n## Two\n'],
  ['a line break of two spaces stays', 'a  \nb   \nc \n', 'a  \nb\nc\n'],
  ['many empty lines become two', 'a\n\n\n\n\nb', 'a\n\n\nb\n'],
];
for (const [fact, before, after] of rows) {
  test(`tidying: ${fact}`, () => {
    assert.equal(tidy(before).markdown, after);
    assert.deepEqual(tidy(after), {markdown: after, fixes: []});
  });
}

test('tidying tells what it did', () => {
  assert.deepEqual(tidy('#Teh\n* recieve\n').fixes, [
    '2 spellings (“Teh”, “recieve”)',
    '1 heading',
    '1 list mark',
  ]);
});

test('a summary has the size and the first sentence of each part', () => {
  const note = '# Trip\n\nWe go to Rome. It is far.\n\n## Plan\n\n- [x] Book\n- [ ] Pack\n';
  assert.equal(
    summary('Trip', note),
    '**Trip** has 12 words, about 1 min to read.\n\n- We go to Rome.\n- **Plan**: Book.\n\n1 of 2 tasks are done.',
  );
  assert.equal(summary('Empty', ''), '**Empty** has 0 words, about 1 min to read. It has no sentences yet.');
});

test('what a note says is to be done becomes a list, once', () => {
  const note = '# A\n\nWe need to call Anna. TODO: buy milk; then rest. You should not say `must`.\n';
  const {markdown, added} = withTodo(note);
  assert.deepEqual(added.slice(0, 2), ['Call Anna', 'Buy milk']);
  assert.match(markdown, /\n\n## To do\n\n- \[ \] Call Anna\n- \[ \] Buy milk\n/);
  assert.deepEqual(withTodo(markdown), {markdown, added: []});
  const later = withTodo(markdown.replace('# A\n', '# A\n\nWe have to sing.\n').concat('\n## End\n\nx\n'));
  assert.deepEqual(later.added, ['Sing']);
  assert.match(later.markdown, /\n- \[ \] Sing\n\n## End\n/);
  assert.equal(tasks(later.markdown).open, added.length + 1);
});

test('contents are put below the title, and again in their place', () => {
  const note = '# A\n\n## B\n\nx\n\n### C, d!\n\ny\n';
  const once = withContents(note);
  assert.equal(once, '# A\n\n## Contents\n\n- [B](#b)\n  - [C, d!](#c-d)\n\n## B\n\nx\n\n### C, d!\n\ny\n');
  assert.equal(withContents(once ?? ''), once);
  assert.equal(withContents('# A\n'), null);
});

test('headings are translated where the dictionary has them, and the others are told', () => {
  assert.equal(languageIn('translate the headings to German'), 'german');
  assert.equal(languageIn('translate the headings'), null);
  const {markdown, done, unknown} = translateHeadings(
    '# Welcome\n\n## Goals\n\n## Zebra\n\nGoals\n',
    'german',
  );
  assert.equal(markdown, '# Willkommen\n\n## Ziele\n\n## Zebra\n\nGoals\n');
  assert.deepEqual({done, unknown}, {done: 2, unknown: ['Zebra']});
});
