/** What answers look like that are hard to show: scripts from right to left, wide tables, lists, what a page draws itself. */
import type {HermesTranscript} from '../../../src/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, place, read, until} from './page.js';

/** An answer in a box of a width. */
async function answer(text: string, width = '282px', figure?: HermesTranscript['figure']) {
  const parent = place(document.createElement('div'));
  parent.style.inlineSize = width;
  parent.style.font = '16px/1.5 sans-serif';
  const {story, element} = await read([], {height: 'auto', parent});
  element.figure = figure;
  story.show(turn('t1').answer(text).build());
  await drawn();
  return element.shadowRoot!;
}

const sides = (element: Element, name: 'padding' | 'border') => {
  const style = getComputedStyle(element);
  const size = (side: 'left' | 'right') =>
    parseFloat(style.getPropertyValue(name === 'border' ? `border-${side}-width` : `padding-${side}`));
  return [size('left') > 0, size('right') > 0];
};

it('a list and a quotation stand on the side where their text begins', async () => {
  const root = await answer('1. قبل التعديل\n2. بعد التعديل\n\n> لا تعطّل\n\n- one\n- two\n\n> A quotation.');
  const [first, second] = ['ol, blockquote', 'ul, blockquote:last-of-type'].map((name) => [
    ...root.querySelectorAll(name),
  ]);
  assert.deepEqual(sides(first![0]!, 'padding'), [false, true]);
  assert.deepEqual(sides(first![1]!, 'border'), [false, true]);
  assert.deepEqual(sides(second![0]!, 'padding'), [true, false]);
  assert.deepEqual(sides(second![1]!, 'border'), [true, false]);
});

it('an item of the other direction keeps its mark inside, where it is not cut off', async () => {
  const root = await answer('- مرحبا\n- hello');
  assert.deepEqual(
    [...root.querySelectorAll('li')].map((item) => getComputedStyle(item).listStylePosition),
    ['outside', 'inside'],
  );
});

it('the columns of a table run as its text does, and each has one side', async () => {
  const root = await answer('| الخطوة | المدة |\n|:--|--:|\n| البناء | 31 s |\n| `tsc -b` | 8 s |', '400px');
  const cells = [...root.querySelectorAll('th, td')];
  const lefts = cells.slice(0, 2).map((cell) => cell.getBoundingClientRect().left);
  assert.ok(lefts[0]! > lefts[1]!, 'the first column stands at the right');
  const aligned = cells.map((cell) => getComputedStyle(cell).textAlign.replace('-webkit-', ''));
  assert.deepEqual(aligned, ['right', 'left', 'right', 'left', 'right', 'left']);
});

it('in a table too wide for its box sentences have room, and words and numbers one line', async () => {
  const head = Array.from({length: 8}, (_, n) => `Column ${n}`).join(' | ');
  const row = `BSD-3-Clause | ${'12,345 |'.repeat(6)} A writer blocks all readers for the length of a commit, so keep it short.`;
  const root = await answer(`| ${head} |\n|${'--|'.repeat(8)}\n| ${row} |`);
  const cells = [...root.querySelectorAll('td')];
  assert.ok(cells.at(-1)!.clientWidth > 130, `${cells.at(-1)!.clientWidth} px for a sentence`);
  const range = new Range();
  range.selectNodeContents(cells[0]!);
  assert.equal(range.getClientRects().length, 1);
});

it('in a small box every button of a table can be seen', async () => {
  const root = await answer('| a | b |\n|--|--|\n| 1 | 2 |', '220px');
  const {left, right} = root.querySelector('figure')!.getBoundingClientRect();
  for (const button of root.querySelectorAll('figcaption button')) {
    const at = button.getBoundingClientRect();
    assert.ok(at.left >= left && at.right <= right, button.textContent);
  }
});

it('the lines of a task stand below one another', async () => {
  const root = await answer('- [x] A task that is long enough to need a second line in this box');
  const range = new Range();
  const item = root.querySelector('li')!;
  range.selectNodeContents(item);
  range.setStartAfter(item.querySelector('input')!);
  // The first one is the space after the box.
  const [space, ...lines] = range.getClientRects();
  const lefts = [space!.right, ...lines.map(({left}) => left)];
  assert.ok(lines.length > 1);
  for (const left of lefts)
    assert.ok(Math.abs(left - item.getBoundingClientRect().left) < 2, lefts.join(' '));
});

it('what a page has drawn of code is not offered to be wrapped', async () => {
  const box = document.createElement('p');
  const root = await answer('```math\nx\n```\n\n```js\nx\n```', '282px', (language) =>
    language === 'math' ? Promise.resolve(box) : null,
  );
  await drawn();
  assert.ok(box.isConnected);
  assert.deepEqual(
    [...root.querySelectorAll('.wrap')].map((button) => button.checkVisibility()),
    [false, true],
  );
});

it('the arrow of a group of tools stands beside its words, also where these fill the line', async () => {
  const parent = place(document.createElement('div'));
  parent.style.cssText = 'inline-size: 282px; font: 16px/1.5 sans-serif';
  const work = turn('t1')
    .prose('I look.')
    .tool('grep', {pattern: 'a'})
    .tool('terminal', {command: 'a'})
    .tool('terminal', {command: 'b'});
  const {element} = await read([work.answer('Done.').build()], {height: 'auto', parent});
  element.shadowRoot!.querySelector<HTMLElement>('.worklog-summary [aria-expanded]')!.click();
  await drawn();
  const group = element.shadowRoot!.querySelector('.tool-group')!;
  const [words, arrow] = ['b', '.chevron'].map((name) => group.querySelector(name)!.getBoundingClientRect());
  assert.ok(words!.right < arrow!.left, `${words!.right} and ${arrow!.left}`);
  assert.ok(arrow!.right <= parent.getBoundingClientRect().right);
});

it('what copies a table stands in one line, also on a phone', async () => {
  const parent = place(document.createElement('div'));
  parent.style.cssText = 'inline-size: 320px; font: 16px/1.5 sans-serif';
  const table = '| a | b |\n| - | - |\n| 1 | 2 |';
  const {element} = await read([turn('t1').answer(table).build()], {height: 'auto', parent});
  await until(() => element.shadowRoot!.querySelector('figure.table'));
  const bar = element.shadowRoot!.querySelector('figure.table figcaption')!;
  const places = [...bar.querySelectorAll('button')].map((button) => button.getBoundingClientRect());
  assert.equal(places.length, 3);
  assert.equal(new Set(places.map(({top}) => top)).size, 1);
});

it('each failure is named, the newest first, and leads to where it stands', async () => {
  const work = turn('t1')
    .prompt('Build.')
    .tool('read_file', {path: 'a.md'}, {status: 'error', output: 'no'})
    .tool('read_file', {path: 'b.md'})
    .prose('I try the other.')
    .tool('terminal', {command: 'make'}, {status: 'error', output: 'no'})
    .lifecycle('error', 'Compression failed');
  const {element} = await read([work.answer('It does not build.').ended('error', 'No.').build()]);
  const buttons = () => [...element.shadowRoot!.querySelectorAll<HTMLElement>('[data-type=error] button')];
  assert.deepEqual(
    buttons().map(({textContent}) => textContent.trim().replace(/\s+/g, ' ')),
    ['3 errorsCompression failed', 'terminal make', 'read_file a.md'],
  );
  for (const [index, id] of [
    [2, 'tool:c1'],
    [1, 'tool:c3'],
  ] as const) {
    const row = element.shadowRoot!.querySelector<HTMLElement>(`[data-item-id="${id}"]`)!;
    assert.ok(row.hidden);
    buttons()[index]!.click();
    await drawn();
    assert.ok(!row.hidden);
    assert.equal(element.shadowRoot!.activeElement, row.querySelector('button'));
  }
});

it('an answer looks the same once a tool has been opened', async () => {
  const said = 'See the code.[^1]\n\n```js\nx\n```\n\n[^1]: A note.';
  const {element} = await read([
    turn('t1').tool('terminal', {command: 'a'}, {output: 'b'}).answer(said).build(),
  ]);
  const {shadowRoot} = element;
  const looks = () =>
    ['button.copy', 'a.note'].map((name) => {
      const found = shadowRoot!.querySelector(`.answer ${name}`)!;
      const {width, height} = found.getBoundingClientRect();
      // To the hundredth: WebKit has what is laid out again off by less.
      return [width.toFixed(2), height.toFixed(2), getComputedStyle(found).color];
    });
  const before = looks();
  for (const part of ['.worklog-summary', '.tool-group', '.tool']) {
    shadowRoot!.querySelector<HTMLElement>(`${part} > [aria-expanded=false]`)?.click();
    await drawn();
  }
  await until(() => shadowRoot!.querySelector('.tool-body .head'));
  await drawn();
  assert.deepEqual(looks(), before);
});
