import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, keys, place, press, read, root, row, turnsOf, until} from './page.js';

type Page = Awaited<ReturnType<typeof read>>;

async function show(answer: string, more: Parameters<typeof read>[0] = []): Promise<Page> {
  const page = await read([turn('a').prompt('Question').answer(answer).build(), ...more], {height: '500px'});
  Object.assign(page.story, {source: {}});
  await until(() => root(page.element).querySelector('[role=toolbar]'));
  await drawn();
  return page;
}

/** The place before a text, or after it. */
function spot(within: Element, words: string, after = false): readonly [Text, number] {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const at = node.data.indexOf(words);
    if (at >= 0) return [node, at + (after ? words.length : 0)];
  }
  throw new Error(`No text says ${words}.`);
}

/** What is in the clipboard after the reader has selected this and pressed the keys for it. */
async function copied({element}: Page, from: readonly [Node, number], to: readonly [Node, number]) {
  element.focus({preventScroll: true});
  getSelection()!.setBaseAndExtent(...from, ...to);
  const heard = new Promise<Event>((resolve) =>
    addEventListener('copy', (event) => setTimeout(() => resolve(event)), {once: true}),
  );
  await keys('Control', 'c');
  await heard;
  return pasted();
}

async function pasted(): Promise<{text: string; html: string}> {
  const field = place(document.createElement('textarea'));
  const heard = new Promise<{text: string; html: string}>((resolve) =>
    field.addEventListener('paste', ({clipboardData}) =>
      resolve({text: clipboardData!.getData('text/plain'), html: clipboardData!.getData('text/html')}),
    ),
  );
  field.focus();
  await keys('Control', 'v');
  const found = await heard;
  field.remove();
  return found;
}

const answerOf = ({element}: Page, at = 0) => turnsOf(element)[at]!.querySelector('.answer .text')!;
/** From one text to another of an answer. */
const within = (page: Page, from: string, to: string) =>
  copied(page, spot(answerOf(page), from), spot(answerOf(page), to, true));

const RICH =
  'It is **so**, [here](https://a.example/):\n\n1. one\n2. two\n\n```js\nlet a;\n  let b;  \n```\n\n' +
  '| a | b | c |\n|---|---|--:|\n| 1 |  | 3 |\n\n> Said\n> so.\n\nEnd.';

it('what is copied of an answer is what it says: no captions, no buttons, nothing of how it looks', async () => {
  const page = await show(RICH);
  const {text, html} = await within(page, 'It is', 'End.');
  assert.equal(
    text,
    'It is so, here:\n\n1. one\n2. two\n\nlet a;\n  let b;  \n\na\tb\tc\n1\t\t3\n\n> Said so.\n\nEnd.',
  );
  assert.equal(
    html.replace(/\n/g, ''),
    '<p>It is <strong>so</strong>, <a href="https://a.example/">here</a>:</p><ol><li>one</li><li>two</li></ol>' +
      '<pre><code>let a;  let b;  </code></pre><table><thead><tr><th>a</th><th>b</th><th align="right">c</th></tr></thead>' +
      '<tbody><tr><td>1</td><td></td><td align="right">3</td></tr></tbody></table><blockquote><p>Said so.</p></blockquote><p>End.</p>',
  );
});

it('from one turn to another it is what both say, without the lines under them', async () => {
  const page = await show('First.', [
    turn('b').prompt('And\nthen?').tool('bash').answer('Last *words*.').build(),
  ]);
  const {text, html} = await copied(
    page,
    spot(answerOf(page), 'First'),
    spot(answerOf(page, 1), 'words', true),
  );
  assert.equal(text, 'First.\n\nAnd\nthen?\n\nLast words');
  assert.equal(html.trim(), '<p>First.</p>\n<p>And<br>\nthen?</p>\n<p>Last <em>words</em></p>');
});

const parts: Record<string, readonly [answer: string, from: string, to: string, text: string, html: string]> =
  {
    'words of a line': ['One **two** three.', 'two', ' three', 'two three', '<strong>two</strong> three'],
    'words in a mark': ['One **two three**.', 'two', 'two', 'two', '<strong>two</strong>'],
    'lines that are one': ['One\ntwo  \nthree.', 'One', 'three', 'One two\nthree', 'One two<br>\nthree'],
    'a part of a line of code': ['```\nlet a = 1;\n```', ' a =', ' a =', ' a =', '<code> a =</code>'],
    'lines of code': [
      '```py\nif a:\n\n    b\n\nc\n```',
      'if',
      '    b',
      'if a:\n\n    b',
      '<pre><code>if a:\n\n    b</code></pre>\n',
    ],
    'some items': [
      '1. one\n2. two\n3. three',
      'two',
      'three',
      '2. two\n3. three',
      '<ol start="2"><li>two</li>\n<li>three</li></ol>\n',
    ],
    'a cell': ['| a |\n|---|\n| one two |', 'two', 'two', 'two', 'two'],
    'some cells': [
      '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |',
      '2',
      '3',
      '2\n3',
      '<table><tbody><tr><td>2</td></tr>\n<tr><td>3</td></tr></tbody></table>\n',
    ],
    'what looks like markup': ['a `<b>&` c', 'a', 'c', 'a <b>& c', 'a <code>&lt;b&gt;&amp;</code> c'],
    'a footnote': ['a[^1] b\n\n[^1]: c', 'a', 'b', 'a1 b', 'a<sup>1</sup> b'],
    tasks: [
      '- [x] a\n- [ ] b',
      'a',
      'b',
      '- [x] a\n- [ ] b',
      '<ul><li><input type="checkbox" disabled checked> a</li>\n<li><input type="checkbox" disabled> b</li></ul>\n',
    ],
    'tasks that are paragraphs': [
      '1. [x] **a**\n\n2. [ ] b',
      'a',
      'b',
      '1. [x] a\n\n2. [ ] b',
      '<ol><li><p><input type="checkbox" disabled checked> <strong>a</strong></p></li>\n' +
        '<li><p><input type="checkbox" disabled> b</p></li></ol>\n',
    ],
    'words of a task': ['- [x] a **b** c\n- [ ] d', 'a', 'c', 'a b c', 'a <strong>b</strong> c'],
  };

for (const [name, [answer, from, to, text, html]] of Object.entries(parts))
  it(`copied: ${name}`, async () => {
    const page = await show(answer);
    assert.deepEqual(await within(page, from, to), {text, html});
  });

it('of a task that is only touched, there is no box', async () => {
  const page = await show('- [x] a\n- [ ] b\n- [ ] c\n- [ ] d');
  const items = answerOf(page).querySelectorAll('li');
  const {html} = await copied(page, spot(items[0]!, 'a', true), [items[3]!, 0]);
  assert.equal(
    html,
    '<ul><li><input type="checkbox" disabled> b</li>\n<li><input type="checkbox" disabled> c</li></ul>\n',
  );
});

it('what a tool gave back is copied in its lines, without its captions', async () => {
  const page = await read(
    [turn('a').prompt('Go.').tool('bash', {command: 'ls'}, {output: 'one\n  two'}).answer('Done.').build()],
    {height: '500px', mode: 'transparent-stream'},
  );
  const {element} = page;
  press(element, 'tool:c1');
  await until(() => row(element, 'tool:c1').querySelector('.tool-body [data-section=output] pre'));
  await drawn();
  const tool = row(element, 'tool:c1');
  const {text, html} = await copied(page, spot(tool, 'ls'), spot(tool, '  two', true));
  assert.equal(text, 'ls\none\n  two');
  assert.equal(html, '<pre><code>ls</code></pre>\n<pre><code>one\n  two</code></pre>\n');
});

it('a formula is copied as it was written', async () => {
  const page = await show('Before $x$ after.');
  page.element.math = (tex) => Object.assign(document.createElement('b'), {textContent: `drawn ${tex}`});
  await until(() => root(page.element).querySelector('.math.is-drawn'));
  assert.deepEqual(await within(page, 'Before', 'after'), {
    text: 'Before $x$ after',
    html: 'Before $x$ after',
  });
});

it('without what writes it, the captions and buttons are not copied either', async () => {
  const page = await show(RICH);
  getSelection()!.setBaseAndExtent(
    ...spot(answerOf(page), 'It is'),
    ...spot(page.element.shadowRoot!.querySelector('.turns')!, 'End.', true),
  );
  const said = getSelection()!.toString();
  for (const word of ['js', 'Wrap', 'Copy']) assert.ok(!said.includes(word), said);
});

it('what the page copies in its own way is left to it', async () => {
  const page = await show('One two.');
  const own = (event: ClipboardEvent) => {
    event.clipboardData!.setData('text/plain', 'the page’s');
    event.preventDefault();
  };
  page.element.addEventListener('copy', own);
  assert.equal((await within(page, 'One', 'two')).text, 'the page’s');
});

it('what is selected in a field is copied from it', async () => {
  await show('One two.');
  const field = place(document.createElement('input'));
  field.value = 'in the field';
  field.select();
  await keys('Control', 'c');
  assert.equal((await pasted()).text, 'in the field');
});

it('a text that still grows is copied as far as it is there', async () => {
  const {story, element} = await show('First.');
  const running = turn('b').prompt('Next').prose('I look *around').running().build();
  story.show(turn('a').prompt('Question').answer('First.').build(), running);
  await until(() => turnsOf(element)[1]?.querySelector('[data-item-id^=prose] .text p'));
  const text = turnsOf(element)[1]!.querySelector('[data-item-id^=prose] .text')!;
  const {text: said} = await copied({story, element}, spot(text, 'I look'), spot(text, 'around', true));
  assert.equal(said, 'I look around');
});

describe('on a page without a clipboard, as one without https', () => {
  const exec = document.execCommand.bind(document);
  beforeEach(() => Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true}));
  afterEach(() => {
    document.execCommand = exec;
    delete (navigator as {clipboard?: unknown}).clipboard;
  });

  const buttonOf = ({element}: Page, name: string) =>
    [...root(element).querySelectorAll<HTMLElement>('button')].find((one) =>
      one.textContent.trim().startsWith(name),
    )!;

  for (const [name, text] of Object.entries({
    Copy: 'let a;\n  let b;  \n',
    'Copy as TSV': 'a\tb\tc\n1\t\t3',
  }))
    it(`the button that says ${name} copies`, async () => {
      const page = await show(RICH);
      const button = buttonOf(page, name);
      button.focus();
      await keys('Enter');
      await until(() => button.textContent === 'Copied');
      assert.equal((await pasted()).text, text);
      assert.equal(button.ariaLive, 'polite');
    });

  it('so does that of a tool', async () => {
    const page = await read(
      [turn('a').prompt('Go.').tool('bash', {command: 'ls'}, {output: 'one\n  two'}).answer('Done.').build()],
      {height: '500px', mode: 'transparent-stream'},
    );
    press(page.element, 'tool:c1');
    await until(() => buttonOf(page, 'Copy: Output'));
    buttonOf(page, 'Copy: Output').focus();
    await keys('Enter');
    await until(() => buttonOf(page, 'Copy: Output').textContent.includes('Copied'));
    assert.equal((await pasted()).text, 'one\n  two');
  });

  it('a button says when it could not, and the text is selected for the reader to copy', async () => {
    const page = await show(RICH);
    document.execCommand = () => false;
    const button = buttonOf(page, 'Copy');
    button.click();
    await until(() => button.textContent === 'Could not copy');
    assert.ok(getSelection()!.toString().includes('let b;'));
  });
});
