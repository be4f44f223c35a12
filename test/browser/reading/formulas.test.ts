/** Formulas that a page draws: in a line and by themselves, at once and later, while they are written, and what becomes of them elsewhere. */
import type {HermesTranscript} from '../../../src/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, place, read, root, selected, until} from './page.js';

type DrawMath = NonNullable<HermesTranscript['math']>;

/** What was told to the page. */
let told: unknown[] = [];
const {reportError: before} = window;
beforeEach(() => {
  told = [];
  window.reportError = (cause) => void told.push(cause);
});
afterEach(() => (window.reportError = before));

/** A formula as a page may draw it: bold, with its kind. */
function bold(tex: string, display: boolean): Node {
  const node = document.createElement('b');
  node.textContent = `${display ? 'D' : 'I'}(${tex.trim()})`;
  return node;
}

const settled = (text: string) => turn('t').prompt('Go.').answer(text).build();
const running = (text: string) => turn('t').prompt('Go.').answer(text).running().build();

async function show(text: string, math?: DrawMath, first = settled(text)) {
  const {story, element} = await read([], {height: '500px'});
  element.math = math;
  story.show(first);
  await drawn();
  return {story, element};
}

const textOf = (element: Element) =>
  root(element).querySelector<HTMLElement>('[data-type=answer] > .text, [data-type=prose] > .text')!;
/** What is seen, in one line. */
const seen = (element: Element) =>
  textOf(element)
    .innerText.replace(/\s+/g, ' ')
    .replace(/ (?=[,.])/g, '')
    .trim();
const boxes = (element: Element) => [...textOf(element).querySelectorAll<HTMLElement>('.math')];

/** A promise, and what fulfils it. */
function later() {
  let come!: (node: Node | null) => void;
  const promise = new Promise<Node | null>((resolve) => (come = resolve));
  return {promise, come};
}

it('formulas stand in their line and by themselves, and code stays code', async () => {
  const {element} = await show('So $x^2$, \\(y\\) and `$z$`:\n\n$$\na\n+ b\n$$\n\n\\[c\\]', bold);
  assert.equal(seen(element), 'So I(x^2), I(y) and $z$: D(a + b) D(c)');
  assert.deepEqual(
    boxes(element).map((box) => getComputedStyle(box).display),
    ['inline', 'inline', 'block', 'block'],
  );
});

it('without a hook dollars are dollars, and one that comes or goes later is heeded', async () => {
  const {element} = await show('So $x$.');
  assert.equal(seen(element), 'So $x$.');
  assert.equal(boxes(element).length, 0);
  element.math = bold;
  await drawn();
  assert.equal(seen(element), 'So I(x).');
  element.math = null;
  await drawn();
  assert.equal(seen(element), 'So $x$.');
});

it('the same hook draws nothing anew, another draws all', async () => {
  const {element} = await show('So $x$.', bold);
  const before = textOf(element).querySelector('b');
  element.math = bold;
  element.mode = 'transparent-stream';
  await drawn();
  assert.equal(textOf(element).querySelector('b'), before);
  element.math = (tex) => new Text(tex.toUpperCase());
  await drawn();
  assert.equal(seen(element), 'So X.');
});

it('what comes later stands there once it has come, and the source until then', async () => {
  const {promise, come} = later();
  const {element} = await show('So $x$.', () => promise);
  assert.equal(seen(element), 'So $x$.');
  come(new Text('ex'));
  await drawn();
  assert.equal(seen(element), 'So ex.');
});

it('what is not drawn, or fails at once or later, stays as it was written, and the page is told once', async () => {
  const wrong = new Error('no such formula');
  const fail: DrawMath = () => {
    throw wrong;
  };
  for (const math of [fail, () => Promise.reject(wrong)] as DrawMath[]) {
    told = [];
    const {element} = await show('So $x$ and $y$.\n\n\\[z\\]', math);
    assert.equal(seen(element), 'So $x$ and $y$. \\[z\\]');
    assert.equal(told.length, 1);
    assert.equal(told[0], wrong);
  }
  const {element} = await show('So $x$.', () => null);
  assert.equal(seen(element), 'So $x$.');
  assert.equal(told.length, 1);
});

it('a text that is written shows a formula once it is whole, and asks for each once', async () => {
  const asked: string[] = [];
  const math: DrawMath = (tex, display) => {
    asked.push(tex.trim());
    return bold(tex, display);
  };
  const {story, element} = await show('', math, running('So'));
  const steps: readonly (readonly [string, string])[] = [
    [' $x', 'So $x'],
    ['$ and $', 'So I(x) and $'],
    ['5.\n\n$$\na', 'So I(x) and $5. $$ a'],
    ['\n- *b*', 'So I(x) and $5. $$ a - *b*'],
    ['\n$$\n', 'So I(x) and $5. D(a - *b*)'],
    ['It is \\(c', 'So I(x) and $5. D(a - *b*) It is \\(c'],
    ['_d\\).', 'So I(x) and $5. D(a - *b*) It is I(c_d).'],
  ];
  let text = 'So';
  for (const [more, shown] of steps) {
    story.show(running((text += more)));
    await until(() => seen(element).length > 2);
    await drawn();
    assert.equal(seen(element), shown);
  }
  const first = textOf(element).querySelector('b');
  story.show(settled(text));
  await drawn();
  assert.equal(textOf(element).querySelector('b'), first);
  assert.deepEqual(asked, ['x', 'a\n- *b*', 'c_d']);
});

it('what comes for a formula that has become another is let go', async () => {
  const waits = new Map<string, ReturnType<typeof later>>();
  const math: DrawMath = (tex) => {
    const wait = later();
    waits.set(tex, wait);
    return wait.promise;
  };
  const {story, element} = await show('', math, running('So $x$ is'));
  story.show(settled('So $y$ is'));
  await drawn();
  waits.get('x')!.come(new Text('ex'));
  await drawn();
  assert.equal(seen(element), 'So $y$ is');
  waits.get('y')!.come(new Text('why'));
  await drawn();
  assert.equal(seen(element), 'So why is');
  story.show(settled('So $z$ is'));
  await drawn();
  assert.equal(seen(element), 'So $z$ is');
});

it('a selection stays where it is when a formula is drawn beside it, and in it', async () => {
  const {promise, come} = later();
  const {element} = await show('Before $x$ after.', () => promise);
  const words = boxes(element)[0]!.nextSibling as Text;
  const source = boxes(element)[0]!.querySelector('.tex')!.firstChild as Text;
  for (const [node, offset] of [
    [words, 1],
    [source, 1],
  ] as const) {
    getSelection()!.setBaseAndExtent(node, offset, words, 6);
    come(new Text('ex'));
    await drawn();
    const range = selected(element)!;
    assert.equal(range.endContainer, words);
    assert.equal(range.endOffset, 6);
    if (node === words) assert.equal(range.startContainer, words);
  }
});

/** What the browser would copy now. */
function copied(): string {
  document.dispatchEvent(new Event('copy'));
  return getSelection()!.toString().replace(/\s+/g, ' ').trim();
}

it('what is copied is the formula as it was written, also where the selection begins or ends in one', async () => {
  const {element} = await show('Before $x$ and $y$ after.\n\n$$\nz\n$$\n\nEnd.', bold);
  const [first, , last] = [...textOf(element).querySelectorAll('p')] as Element[];
  const [x, y] = [...textOf(element).querySelectorAll('b')].map(({firstChild}) => firstChild!);
  const selection = getSelection()!;
  const cases = [
    [first!.firstChild!, 0, last!.firstChild!, 4, 'Before $x$ and $y$ after. $$ z $$ End.'],
    [x!, 1, first!.lastChild!, 7, '$x$ and $y$ after.'],
    [first!.firstChild!, 0, y!, 2, 'Before $x$ and $y$'],
  ] as const;
  for (const [from, start, to, end, text] of cases) {
    selection.setBaseAndExtent(from, start, to, end);
    assert.equal(copied(), text);
    await drawn();
    assert.equal(seen(element), 'Before I(x) and I(y) after. D(z) End.');
  }
  selection.setBaseAndExtent(document.body, 0, document.body, document.body.childNodes.length);
  copied();
  assert.ok(seen(element).includes('Before $x$ and'), 'all of the page');
  await drawn();
  selection.setBaseAndExtent(last!.firstChild!, 0, last!.firstChild!, 3);
  copied();
  assert.ok(!seen(element).includes('$'), 'what is not selected stays as it is');
});

it('a quote holds it as it was written', async () => {
  const {element} = await show('Before $x$ after.\n\n\\[y\\]', bold);
  const [x, y] = [...textOf(element).querySelectorAll('b')].map(({firstChild}) => firstChild!);
  getSelection()!.setBaseAndExtent(x!, 1, y!, 1);
  const button = () =>
    [...root(element).querySelectorAll<HTMLElement>('[role=toolbar] button')].find(({textContent}) =>
      textContent.includes('Quote'),
    );
  await until(button);
  let quoted = '';
  element.addEventListener('hermes-quote-request', (event) => {
    event.preventDefault();
    quoted = event.text;
  });
  button()!.click();
  assert.equal(quoted, '$x$ after.\n\n\\[y\\]');
});

it('all exports hold it as it was written', async () => {
  const text = 'So $a_1 * b_2 * c<d$ and \\(e_f_g\\):\n\n$$\n- h\n$$';
  const {element} = await show(text, bold);
  assert.ok(element.toMarkdown().includes(text));
  assert.ok((await element.toText()).includes(text));
  const html = 'So $a_1 * b_2 * c&lt;d$ and \\(e_f_g\\):</p>\n<p dir="auto">$$\n- h\n$$</p>';
  assert.ok((await element.toHtml()).includes(html), await element.toHtml());
  assert.ok((await element.toArchive()).includes(html));
  element.math = undefined;
  assert.ok((await element.toHtml()).includes('and (e_f_g)'));
});

it('it is found as it was written, and marked as it is drawn', async () => {
  const {element} = await show('A frac, and $\\frac12$.\n\n$$x$$', (tex, display) =>
    display ? null : bold(tex, display),
  );
  assert.equal(await element.find('frac'), 2);
  assert.equal(await element.find('\\frac12'), 1);
  await drawn();
  const marks = () =>
    [...(CSS.highlights.get('hermes-find-current') ?? [])].map(({startContainer, endContainer}) => [
      (startContainer as Element).className,
      (endContainer as Element).className,
    ]);
  assert.deepEqual(marks(), [['formula', 'formula']]);
  assert.equal(await element.find('$$x'), 1);
  assert.equal(await element.find('I('), 0);
});

it('a wide one scrolls in its own box, by keys too, and one in a line stands on it', async () => {
  const wide = (_tex: string, display: boolean) => {
    const node = document.createElement('span');
    node.style.cssText = 'display: inline-block; inline-size: 900px; block-size: 20px';
    if (!display) node.style.inlineSize = '10px';
    return node;
  };
  const parent = place(document.createElement('div'));
  parent.style.cssText = 'inline-size: 300px; font: 16px/1.5 sans-serif';
  const {story, element} = await read([], {height: '400px', parent});
  element.math = wide;
  story.show(settled('Text $x$.\n\n$$y$$'));
  await drawn();
  const [line, own] = boxes(element).map((box) => box.querySelector<HTMLElement>('.formula')!);
  assert.ok(own!.scrollWidth > own!.clientWidth && own!.clientWidth <= 300);
  assert.equal(own!.tabIndex, 0);
  assert.equal(own!.ariaLabel, 'Formula');
  assert.equal(element.scrollWidth, element.clientWidth);
  // On the line of the text: what has no text of its own stands on it with its lower edge.
  const range = new Range();
  range.selectNodeContents(textOf(element).querySelector('p')!.firstChild!);
  const {bottom} = range.getBoundingClientRect();
  const foot = line!.firstElementChild!.getBoundingClientRect().bottom;
  assert.ok(foot < bottom && foot > bottom - 8, `${foot} and ${bottom}`);
});

it('a formula says nothing of the direction of the text around it', async () => {
  const {story, element} = await show('', bold, running('$x'));
  const direction = () => textOf(element).querySelector('p')!.dir;
  assert.equal(direction(), 'ltr');
  story.show(running('$x$ قبل'));
  await drawn();
  assert.equal(direction(), 'rtl');
  const {element: whole} = await show('$x$ قبل', bold);
  assert.equal(textOf(whole).querySelector('p')!.dir, 'rtl');
  assert.equal(getComputedStyle(boxes(whole)[0]!).direction, 'ltr');
});

it('another hook is heeded while a text is written, and what the one before promised is let go', async () => {
  const {promise, come} = later();
  const {story, element} = await show('', () => promise, running('So $x$ is'));
  element.math = bold;
  await drawn();
  come(new Text('ex'));
  story.show(running('So $x$ is $y$.'));
  await drawn();
  assert.equal(seen(element), 'So I(x) is I(y).');
});

it('in raw HTML that is read a formula is whole', async () => {
  const asked: string[] = [];
  const {story, element} = await read([], {height: '400px'});
  element.html = 'sanitize';
  element.math = (tex) => (asked.push(tex), new Text(`[${tex}]`));
  const text = '<kbd>$a$</kbd> and $b <c$';
  story.show(running(text));
  await until(() => textOf(element)?.querySelector('kbd'));
  story.show(settled(text));
  await drawn();
  assert.equal(seen(element), '[a] and [b <c]');
  assert.ok(
    asked.every((tex) => ['a', 'b <c'].includes(tex)),
    asked.join(),
  );
});
