import {quotedRanges} from '../../../src/elements/export/quote.js';
import {MarkdownView} from '../../../src/elements/markdown/markdown-view.js';
import {safeUrl} from '../../../src/elements/safe-url.js';
import * as assert from '../../support/assert.js';

const rows: HTMLElement[] = [];
afterEach(() => {
  for (const row of rows.splice(0)) row.remove();
});

/** What is quoted of a text from the first to the last of these words; of all of it without them. */
function quote(markdown: string, from?: string, to?: string): string | undefined {
  const row = document.createElement('div');
  const text = document.createElement('div');
  text.className = 'text';
  row.append(text);
  document.body.append(row);
  rows.push(row);
  const view = new MarkdownView(text, {address: safeUrl});
  view.write(markdown);
  view.end();
  const range = new Range();
  range.selectNodeContents(text);
  if (from !== undefined) range.setStart(...place(text, from, 0));
  if (to !== undefined) range.setEnd(...place(text, to, to.length));
  return quotedRanges(range, [row])[0]?.text;
}

function place(root: Element, words: string, more: number): [Text, number] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const at = node.data.indexOf(words);
    if (at >= 0) return [node, at + more];
  }
  throw new Error(`No text says ${words}.`);
}

const cases: Record<string, readonly [markdown: string, quoted: string, from?: string, to?: string]> = {
  'paragraphs stay apart': ['One **two**.\n\nThree\nfour.', 'One two.\n\nThree\nfour.'],
  'a part of each': ['One two.\n\nThree four.', 'two.\n\nThree', 'two', 'Three'],
  'one paragraph is one': ['One *two* three.', 'two three', 'two', 'three'],
  'a heading and its text': ['# Head\n\nText.', 'Head\n\nText.'],
  'items have their marks': ['A:\n\n- one\n- two\n\nB', 'A:\n\n- one\n- two\n\nB'],
  'numbers count on': ['3. one\n4. two\n5. three', '4. two\n5. three', 'two'],
  'loose items stay loose': ['- one\n\n- two', '- one\n\n- two'],
  'an item of several blocks': ['- one\n\n  more\n- two', '- one\n\n  more\n\n- two'],
  'within one item there is no mark': ['- one two\n- three', 'one two', 'one', 'one two'],
  'lists in lists': ['- a\n  - b\n  - c\n- d', '- a\n  - b\n  - c\n- d'],
  'a list in an item alone': ['- a\n  1. b\n  2. c\n- d', '1. b\n2. c', 'b', 'c'],
  tasks: ['- [x] a\n- [ ] b', '- [x] a\n- [ ] b'],
  'a quote beside a text': ['> one\n>\n> two\n\nthree', '> one\n>\n> two\n\nthree'],
  'a text beside a quote': ['three\n\n> one\n>\n> two', 'three\n\n> one\n>\n> two'],
  'a cell without a text': [
    '| a | b | c |\n|---|---|---|\n| 1 |  | 3 |\n|  | 2 |  |',
    'a\tb\tc\n1\t\t3\n\t2',
  ],
  'what code ends its lines with': ['A\n\n```\na  \n\nb\n```', 'A\n\na  \n\nb'],
  'within a quote': ['> one\n>\n> two', 'one\n\ntwo', 'one', 'two'],
  'code keeps its lines': [
    'A\n\n```js\nif (a) {\n\n\n  b();\n}\n```\n\nB',
    'A\n\nif (a) {\n\n\n  b();\n}\n\nB',
  ],
  'code in an item': ['- a\n\n  ```\n  b\n    c\n  ```\n- d', '- a\n\n  b\n    c\n\n- d'],
  'rows and cells': ['| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd', 'a\tb\n1\t2\n\nEnd'],
  'a line end': ['a  \nb', 'a\nb'],
  'a rule says nothing': ['a\n\n---\n\nb', 'a\n\nb'],
  'footnotes, without the way back': ['a[^1]\n\n[^1]: b', 'a1\n\n1. b'],
};

for (const [name, [markdown, quoted, from, to]] of Object.entries(cases))
  it(`a quote: ${name}`, () => assert.equal(quote(markdown, from, to), quoted));
