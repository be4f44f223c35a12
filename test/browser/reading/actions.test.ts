import 'axe-core/axe.min.js';
import type {HermesQuoteRequestEvent, HermesTranscript, HermesTurn} from '../../../src/index.js';
import {expectedRows, project, reconcile} from '../../../src/scene/index.js';
import type {GrowingText} from '../../../src/anchor/text.js';
import {turn, withAnswer} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, keys, place, read, root, row, turnsOf, until} from './page.js';

declare const axe: {
  run(root: Element, options?: object): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>;
};

const answered = (id: string) =>
  turn(id)
    .prompt(`Question ${id}`)
    .prose('I look.')
    .tool('read_file', {path: 'a'}, {output: 'text'})
    .answer('It is **so**.\n\n- one\n- two\n\n```js\nlet a;\n```');

/** What was put into the clipboard, by type. */
let clipboard: Record<string, string> = {};

function takeClipboard(of: object | undefined) {
  Object.defineProperty(navigator, 'clipboard', {configurable: true, value: of});
}

beforeEach(() => {
  clipboard = {};
  takeClipboard({
    async write([item]: ClipboardItem[]) {
      for (const type of item!.types) clipboard[type] = await (await item!.getType(type)).text();
    },
    writeText(text: string) {
      clipboard = {'text/plain': text};
      return Promise.resolve();
    },
  });
});
afterEach(() => {
  delete (navigator as {clipboard?: unknown}).clipboard;
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
});

const bar = (element: Element, at = 0) => turnsOf(element)[at]!.querySelector<HTMLElement>('[role=toolbar]')!;
const button = (element: Element, name: string, at = 0) =>
  [...bar(element, at).querySelectorAll('button')].find((one) => one.textContent.trim() === name)!;
const names = (element: Element, at = 0) =>
  [...bar(element, at).querySelectorAll(':scope > button')].map((one) => one.textContent.trim());
const menu = (element: Element) => root(element).querySelector<HTMLElement>('[role=menu]');
const entries = (element: Element) =>
  [...(menu(element)?.querySelectorAll('[role=menuitem]') ?? [])].map((one) => one.textContent.trim());
const active = (element: Element) => root(element).activeElement as HTMLElement | null;
const focused = (element: Element) => active(element)?.textContent?.trim();
const heard = (element: Element) => root(element).querySelector('.unseen[role=status]')?.textContent;

async function mount(
  turns = [answered('a').build()],
  options: Parameters<typeof read>[1] = {height: '500px'},
) {
  const page = await read(turns, options);
  Object.assign(page.story, {source: {}});
  await until(() => root(page.element).querySelector('[role=toolbar]'));
  return page;
}

function select(from: Node, start: number, to: Node, end: number) {
  getSelection()!.setBaseAndExtent(from, start, to, end);
}

/** The text node in an element that holds these words. */
function textNode(element: Element, words: string): Text {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node.nodeValue!.includes(words)) return node as Text;
  throw new Error(`no text ${words}`);
}

async function openMenu(element: HermesTranscript) {
  button(element, 'More').focus();
  await keys('Enter');
  await until(() => active(element)?.matches('[role=menuitem]'));
}

async function choose(element: HermesTranscript, words: string) {
  await openMenu(element);
  [...menu(element)!.querySelectorAll<HTMLElement>('[role=menuitem]')]
    .find((one) => one.textContent.trim() === words)!
    .focus();
  await keys('Enter');
}

it('a settled turn has a line of actions, which is no row', async () => {
  const {element} = await mount();
  assert.deepEqual(names(element), ['Copy answer', 'More']);
  const one = turnsOf(element)[0] as HermesTurn;
  const expected = expectedRows(project(one.anchor!, 'compact-worklog'), {open: one.openRows});
  assert.deepEqual(reconcile(expected, element.renderedRows()).mismatches, []);
});

it('a running turn has a line too, which copies what is there by now; the same line stays when it settles', async () => {
  const running = answered('a').running().build();
  const {story, element} = await read([answered('0').build(), running], {height: '500px'});
  await until(() => bar(element, 1));
  assert.deepEqual(names(element, 1), ['Copy so far', 'More']);
  assert.equal(turnsOf(element)[1]!.querySelector('[part=usage]'), null);
  const line = bar(element, 1);
  button(element, 'More', 1).focus();
  button(element, 'Copy so far', 1).click();
  await until(() => names(element, 1).includes('Copied'));
  const turnElement = turnsOf(element)[1] as HermesTurn;
  assert.equal(clipboard['text/plain'], turnElement.toMarkdown());
  assert.ok(clipboard['text/plain'].includes('It is **so**.'));
  assert.ok(clipboard['text/html']!.includes('It is <strong>so</strong>.'));
  assert.equal(focused(element), 'More');
  story.show(answered('0').build(), answered('a').build());
  await until(() => turnsOf(element)[1]!.matches(':state(settled)') && !names(element, 1).includes('Copied'));
  assert.equal(bar(element, 1), line);
  assert.deepEqual(names(element, 1), ['Copy answer', 'More']);
  assert.equal(focused(element), 'More');
});

it('what has come since the line of a running turn was drawn is copied too', async () => {
  const built = answered('a').running().build();
  const {story, element} = await mount([built]);
  const {items} = built;
  const at = items.length - 1;
  const item = items.get(at) as Extract<ReturnType<typeof items.get>, {text: GrowingText}>;
  const grown = {...item, text: item.text.append('\n\nAnd more.')};
  story.show(withAnswer({...built, items: items.set(at, grown)}));
  await drawn();
  button(element, 'Copy so far').click();
  await until(() => clipboard['text/plain']);
  assert.ok(clipboard['text/plain']!.includes('And more.'), clipboard['text/plain']);
});

it('what is selected in a running turn is quoted', async () => {
  const {element} = await mount([answered('a').running().build()]);
  const node = textNode(turnsOf(element)[0]!, 'It is');
  select(node, 0, node, 5);
  await until(() => names(element).includes('Quote selection'));
  button(element, 'Quote selection').click();
  await until(() => clipboard['text/plain']);
  assert.equal(clipboard['text/plain'], '> It is\n');
});

it('the room of the line is there before its buttons are', async () => {
  const {element} = await mount();
  const line = root(element).querySelector('[part=actions]')!;
  const {height} = line.getBoundingClientRect();
  bar(element).remove();
  assert.ok(Math.abs(line.getBoundingClientRect().height - height) < 1, `${height} px`);
});

it('the answer is copied as Markdown and formatted; the button says so, and the region', async () => {
  const {element} = await mount();
  button(element, 'Copy answer').focus();
  await keys('Enter');
  await until(() => names(element).includes('Copied'));
  assert.equal(clipboard['text/plain'], 'It is **so**.\n\n- one\n- two\n\n```js\nlet a;\n```\n');
  assert.equal(
    clipboard['text/html'],
    '<p dir="auto">It is <strong>so</strong>.</p>\n<ul dir="auto">\n<li>one</li>\n<li>two</li>\n</ul>\n<pre dir="ltr"><code>let a;\n</code></pre>\n',
  );
  assert.ok(heard(element)!.includes('Copied'));
});

it('without a clipboard the copy command does it', async () => {
  takeClipboard(undefined);
  const set: [string, string][] = [];
  const before = DataTransfer.prototype.setData;
  DataTransfer.prototype.setData = function (type, data) {
    set.push([type, data]);
    before.call(this, type, data);
  };
  const {element} = await mount();
  button(element, 'Copy answer').focus();
  await keys('Enter');
  await until(() => names(element).some((name) => name === 'Copied' || name === 'Could not copy'));
  DataTransfer.prototype.setData = before;
  assert.ok(names(element).includes('Copied'));
  assert.deepEqual(
    set.map(([type]) => type),
    ['text/plain', 'text/html'],
  );
});

it('a refusal is said', async () => {
  takeClipboard({
    writeText: () => Promise.reject(new Error('no')),
    write: () => Promise.reject(new Error('no')),
  });
  const before = document.execCommand.bind(document);
  document.execCommand = () => false;
  const {element} = await mount();
  button(element, 'Copy answer').click();
  await until(() => names(element).includes('Could not copy'));
  document.execCommand = before;
});

it('by keys: one stop for the line, arrows in it, the menu by Enter or arrow, Escape back', async () => {
  const {element} = await mount([
    turn('a').prompt('Go.').prose('I look.').tool('read_file').answer('Gone.').build(),
  ]);
  row(element, 'worklog').querySelector('button')!.focus();
  await keys('Tab');
  assert.equal(focused(element), 'Copy answer');
  await keys('ArrowRight');
  assert.equal(focused(element), 'More');
  await keys('ArrowDown');
  await until(() => focused(element) === 'Copy turn as Markdown');
  assert.equal(button(element, 'More').getAttribute('aria-expanded'), 'true');
  const path = [];
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'End', 'Home', 'd']) {
    await keys(key);
    path.push(focused(element));
  }
  assert.deepEqual(path, [
    'Copy turn as text',
    'Copy turn as Markdown',
    'Download conversation',
    'Copy turn as Markdown',
    'Download conversation',
    'Copy turn as Markdown',
    'Download conversation',
  ]);
  await keys('Escape');
  assert.equal(focused(element), 'More');
  await until(() => !menu(element));
  await keys('ArrowLeft');
  assert.equal(focused(element), 'Copy answer');
});

it('the button of the menu points down to it, whichever way the page reads', async () => {
  for (const dir of ['ltr', 'rtl']) {
    const {element} = await mount();
    element.dir = dir;
    await drawn();
    const chevrons = [...bar(element).querySelectorAll('.chevron')];
    assert.deepEqual(
      chevrons.map((one) => one.closest('button')),
      [button(element, 'More')],
    );
    const {rotate, borderTopStyle, borderRightStyle} = getComputedStyle(chevrons[0]!);
    assert.deepEqual([rotate, borderTopStyle, borderRightStyle], ['135deg', 'solid', 'solid']);
  }
});

it('the menu closes when the focus goes elsewhere, and goes along when its button scrolls', async () => {
  const other = place(document.createElement('button'));
  const {element} = await mount([answered('a').build(), answered('b').build()], {height: '200px'});
  await openMenu(element);
  other.focus();
  await until(() => !menu(element));
  await openMenu(element);
  const before =
    menu(element)!.getBoundingClientRect().top - button(element, 'More').getBoundingClientRect().top;
  element.scrollTop -= 20;
  await drawn();
  const after =
    menu(element)!.getBoundingClientRect().top - button(element, 'More').getBoundingClientRect().top;
  assert.equal(Math.round(after), Math.round(before));
});

it('the menu stands above all else, inside the window, and lengthens nothing', async () => {
  const {element} = await mount(undefined, {height: '180px'});
  const before = element.scrollHeight;
  await openMenu(element);
  const {left, right, top, bottom} = menu(element)!.getBoundingClientRect();
  assert.ok(left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight, `${top}–${bottom}`);
  assert.equal(element.scrollHeight, before);
  const seen = root(element).elementFromPoint((left + right) / 2, (top + bottom) / 2);
  assert.ok(menu(element)!.contains(seen));
});

it('a turn is copied as Markdown, as text, and formatted', async () => {
  const {element} = await mount();
  await choose(element, 'Copy turn as Markdown');
  await until(() => names(element).includes('Copied'));
  assert.equal(clipboard['text/plain'], element.toMarkdown());
});

it('a turn is copied as text without marks', async () => {
  const {element} = await mount();
  await choose(element, 'Copy turn as text');
  await until(() => names(element).includes('Copied'));
  assert.equal(clipboard['text/plain'], await element.toText());
  assert.ok(clipboard['text/plain'].includes('It is so.\n\n- one\n- two\n\nlet a;'));
});

it('a turn is copied formatted, with its text beside', async () => {
  const {element} = await mount();
  await choose(element, 'Copy turn as HTML');
  await until(() => names(element).includes('Copied'));
  assert.equal(clipboard['text/html'], await element.toHtml());
  assert.equal(clipboard['text/plain'], await element.toText());
});

it('a turn is copied as the transcript’s JSON, without the other turns', async () => {
  const {story, element} = await mount([answered('a').build(), answered('b').build()]);
  const session = {id: 's1'};
  Object.assign(story, {
    snapshot: {format: 'hermes.transcript.v1', session, turns: [{id: 'a'}, {id: 'b'}]},
  });
  await choose(element, 'Copy turn as JSON');
  await until(() => names(element).includes('Copied'));
  assert.deepEqual(JSON.parse(clipboard['text/plain']!), {
    format: 'hermes.transcript.v1',
    session,
    turns: [{id: 'a'}],
  });
});

it('the line can be left out, and is no more than a copy where only answers are shown', async () => {
  const {element} = await mount();
  element.mode = 'answer-only';
  await drawn();
  assert.deepEqual(names(element), ['Copy answer']);
  element.actions = 'none';
  await drawn();
  assert.equal(root(element).querySelector('[part=actions]'), null);
});

it('words are the page’s own', async () => {
  const {element} = await mount();
  element.strings = {actions: {copyAnswer: 'Antwort kopieren'}};
  await drawn();
  assert.deepEqual(names(element), ['Antwort kopieren', 'More']);
});

it('what is selected in a turn is quoted with its exact range, and stays selected', async () => {
  const {element} = await mount([answered('a').build(), answered('b').build()]);
  const answer = turnsOf(element)[1]!.querySelector('.answer .text')!;
  const from = textNode(answer, 'It is');
  const to = textNode(answer, 'one');
  select(from, 3, to, 3);
  await until(() => names(element, 1).includes('Quote selection'));
  assert.deepEqual(names(element, 0), ['Copy answer', 'More']);
  let event: HermesQuoteRequestEvent | undefined;
  element.addEventListener('hermes-quote-request', (quote) => {
    event = quote;
    quote.preventDefault();
  });
  const quote = button(element, 'Quote selection', 1);
  assert.equal(quote.dispatchEvent(new MouseEvent('mousedown', {bubbles: true, cancelable: true})), false);
  quote.click();
  assert.equal(event!.turnId, 'b');
  assert.equal(event!.text, 'is so.\n\n- one');
  assert.deepEqual(
    event!.ranges.map(({itemId}) => itemId),
    [turnsOf(element)[1]!.querySelector<HTMLElement>('.answer')!.dataset['itemId']],
  );
  const [{start, end}] = event!.ranges as [HermesQuoteRequestEvent['ranges'][number]];
  assert.equal(start, 3);
  assert.equal(answer.textContent.slice(start, end).replace(/\s+/g, ' ').trim(), 'is so.one');
  assert.ok(names(element, 1).includes('Quote selection'), 'still selected');
  getSelection()!.removeAllRanges();
  await until(() => !names(element, 1).includes('Quote selection'));
});

it('a quote without a composer is copied', async () => {
  const {element} = await mount();
  const prompt = textNode(row(element, 'prompt'), 'Question');
  select(prompt, 0, prompt, 8);
  await until(() => names(element).includes('Quote selection'));
  button(element, 'Quote selection').click();
  await until(() => clipboard['text/plain']);
  assert.equal(clipboard['text/plain'], '> Question\n');
});

it('a quote goes into the composer of the conversation, and into no other', async () => {
  const box = place(document.createElement('div'));
  const other = document.createElement('hermes-composer');
  const composer = document.createElement('hermes-composer');
  const {element} = await mount(undefined, {parent: box, height: '300px'});
  composer.session = element.session;
  composer.value = 'First.';
  box.append(other, composer);
  await drawn();
  const answer = row(element, 'prompt');
  const prompt = textNode(answer, 'Question');
  select(prompt, 0, prompt, 8);
  await until(() => names(element).includes('Quote selection'));
  button(element, 'Quote selection').click();
  await until(() => composer.value !== 'First.');
  assert.equal(composer.value, 'First.\n\n> Question\n\n');
  assert.equal(other.value, '');
  await until(() => document.activeElement === composer);
});

it('what is taken along has raw HTML as text, also where the page lets it through', async () => {
  const raw =
    '<details open><summary>S</summary>\n\n**bold** <kbd>k</kbd> <img src=x onerror=alert(1)>\n\n</details>';
  const page = await read([turn('a').prompt('Q').answer(raw).build()], {height: '500px'});
  Object.assign(page.story, {source: {}});
  const {element} = page;
  element.html = 'sanitize';
  await until(() => names(element).includes('Copy answer'));
  button(element, 'Copy answer').click();
  await until(() => clipboard['text/html']);
  const pages = [await element.toHtml(), clipboard['text/html']!, await element.toArchive()];
  for (const html of pages) {
    const {body} = new DOMParser().parseFromString(html, 'text/html');
    assert.equal(body.querySelector('img, kbd, [onerror], details, summary'), null);
    assert.ok(body.querySelector('strong'), html);
    for (const tag of raw.match(/<[^>]+>/g)!) assert.ok(body.textContent.includes(tag), tag);
  }
  assert.ok((await element.toText()).includes('<kbd>'));
  assert.ok(element.toMarkdown().includes(raw));
});

it('reveal goes to an item, opens what hides it, and focuses it', async () => {
  const {element} = await mount([answered('a').build(), answered('b').build(), answered('c').build()], {
    height: '200px',
  });
  assert.equal(await element.reveal('b', 'tool:c1'), true);
  await drawn();
  const tool = row(element, 'tool:c1', 1);
  assert.equal(tool.hidden, false);
  assert.ok(tool.contains(active(element)));
  const {top} = tool.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  assert.ok(top >= box.top - 1 && top < box.bottom, `${top}`);
  assert.equal(await element.reveal('a'), true);
  assert.equal(active(element), turnsOf(element)[0]);
  assert.equal(await element.reveal('a', 'nothing'), false);
  assert.equal(await element.reveal('nothing'), false);
});

it('with links the address of a turn is offered and followed, also to what comes later', async () => {
  const {story, element} = await mount([answered('a').build(), answered('b').build()], {height: '200px'});
  await openMenu(element);
  assert.ok(!entries(element).includes('Copy link to this turn'));
  await keys('Escape');
  element.links = true;
  await choose(element, 'Copy link to this turn');
  await until(() => clipboard['text/plain']);
  assert.equal(clipboard['text/plain'], `${location.origin}${location.pathname}${location.search}#turn-a`);
  location.hash = '#turn-b';
  await until(() => active(element) === turnsOf(element)[1]);
  location.hash = '#turn-c/tool:c1';
  await drawn();
  story.show(answered('a').build(), answered('b').build(), answered('c').build());
  await until(() => turnsOf(element)[2]?.contains(active(element)));
  assert.equal(row(element, 'tool:c1', 2).hidden, false);
});

it('without links the page’s address is left alone', async () => {
  const {element} = await mount([answered('a').build(), answered('b').build()], {height: '200px'});
  location.hash = '#turn-b';
  await drawn(5);
  assert.ok(active(element) !== turnsOf(element)[1]);
});

it('an archive shows the turns as they are, and again in the element', async () => {
  const {element} = await mount();
  const session = element.session as unknown as {snapshot: unknown};
  const snapshot = {
    format: 'hermes.transcript.v1',
    session: {id: 's1', title: 'A </script> title'},
    turns: [
      {
        id: 'a',
        prompt: 'Question <b>',
        answer: 'It is **so**.',
        status: 'settled',
        terminal: 'completed',
        items: [],
      },
    ],
  };
  session.snapshot = snapshot;
  const page = await element.toArchive();
  const frame = place(document.createElement('iframe'));
  // No leave to run anything: what would, fails the test by being there.
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.srcdoc = page;
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  const inside = frame.contentDocument!;
  assert.equal(inside.title, 'A </script> title');
  assert.equal(inside.querySelector('.answer strong')!.textContent, 'so');
  assert.equal(inside.querySelectorAll('script').length, 1);
  const {violations} = await axe.run(place(document.importNode(inside.querySelector('main')!, true)), {
    rules: {region: {enabled: false}},
  });
  assert.deepEqual(
    violations.map(({id, nodes}) => [id, nodes[0]?.html]),
    [],
  );
  const again = place(document.importNode(inside.querySelector('hermes-transcript')!, true));
  await until(() => root(again)?.querySelector('.answer strong'));
  assert.equal(row(again, 'prompt').querySelector('[data-text]')!.textContent, 'Question <b>');
});

it('a task in an archive has its box, and no other mark beside it', async () => {
  const {element} = await mount([
    turn('a').answer('- [x] a\n- [ ] b\n- c\n\ntext\n\n1. [ ] d\n\n2. e').build(),
  ]);
  const frame = place(document.createElement('iframe'));
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.srcdoc = await element.toArchive();
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  assert.deepEqual(
    [...frame.contentDocument!.querySelectorAll('.answer li')].map((item) => [
      item.textContent.trim(),
      item.querySelector('input') !== null,
      getComputedStyle(item).listStyleType,
    ]),
    [
      ['a', true, 'none'],
      ['b', true, 'none'],
      ['c', false, 'disc'],
      ['d', true, 'none'],
      ['e', false, 'decimal'],
    ],
  );
});

it('the line and its menu are accessible', async () => {
  const {element} = await mount();
  await openMenu(element);
  const {violations} = await axe.run(element, {rules: {region: {enabled: false}}});
  assert.deepEqual(
    violations.map(({id, nodes}) => [id, nodes[0]?.html]),
    [],
  );
});

it('a second transcript on the page has its styles too', async () => {
  await mount();
  const {element} = await mount();
  assert.equal(getComputedStyle(bar(element)).display, 'flex');
});
