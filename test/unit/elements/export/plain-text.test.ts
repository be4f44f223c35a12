import assert from 'node:assert/strict';
import {before, test} from 'node:test';
import {plainText} from '../../../../src/elements/export/plain-text.js';
import {loadMarkdown} from '../../../../src/elements/load-markdown.js';

before(loadMarkdown);

const table = {
  'emphasis and code': ['It is **not** `a*b`, ~~no~~ *yes*.', 'It is not a*b, no yes.'],
  'blocks with an empty line between': ['# Plan\n\nGo.\n\n---\n\nCome.', 'Plan\n\nGo.\n\n* * *\n\nCome.'],
  'code as it is': ['```sh\nls  -l\n\n# x\n```\n\nDone.', 'ls  -l\n\n# x\n\nDone.'],
  lists: ['- a\n- b\n  1. c\n  2. d', '- a\n- b\n  1. c\n  2. d'],
  'a list that begins later': ['9. a\n10. b\n    more', '9. a\n10. b\n    more'],
  'a loose list': ['- a\n\n  b\n\n- c', '- a\n\n  b\n\n- c'],
  tasks: ['- [x] a\n- [ ] b', '- [x] a\n- [ ] b'],
  'a table by tabs': ['| a | b |\n| - | - |\n| 1 | **2** |', 'a\tb\n1\t2'],
  quotes: ['> a\n>\n> b', '> a\n> \n> b'],
  'a link with its address': ['See [the *docs*](https://e.org/a).', 'See the docs (https://e.org/a).'],
  'a link that says its address': ['<https://e.org> and me@e.org', 'https://e.org and me@e.org'],
  'an address that is none': ['[a](javascript:x)', 'a'],
  'an image by its words': ['![a chart](https://e.org/c.png)', 'a chart'],
  'raw HTML as written': ['<b>a</b>', '<b>a</b>'],
  'blocks of raw HTML apart': [
    '<div>\na\n</div>\n\n<div>b</div>\n\nc',
    '<div>\na\n</div>\n\n<div>b</div>\n\nc',
  ],
  'blocks of raw HTML in an item': [
    '- a <i>b</i>\n  <div>c</div>\n- d\n  <div>\n  e',
    '- a <i>b</i>\n  <div>c</div>\n- d\n  <div>\n  e',
  ],
  'hard breaks': ['a  \nb', 'a\nb'],
  footnotes: ['a[^x]\n\n[^x]: The note.', 'a[1]\n\n[1] The note.'],
  'right to left': ['## שלום\n\n* **עולם**', 'שלום\n\n- עולם'],
  nothing: ['', ''],
} as const;

test('a formula stands as it was written, where formulas are read', () => {
  const text = 'So \\(a_1 * b_2 * c\\):\n\n$$\n- d\n$$';
  assert.equal(plainText(text, true), text);
  assert.equal(plainText(text), 'So (a_1 * b_2 * c):\n\n$$\n\n- d\n  $$');
});

for (const [name, [markdown, expected]] of Object.entries(table)) {
  test(name, () => assert.equal(plainText(markdown), expected));
}
