/** Finding in a conversation, by the bar: what is drawn, folded, not drawn yet, and still being written. */
import 'axe-core/axe.min.js';
import type {HermesTranscript} from '../../../src/index.js';
import type {TurnAnchor} from '../../../src/anchor/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, keys, place, press, read, root, row, until} from '../reading/page.js';
import {type} from '../keys.js';
import {CURRENT, isInView, marksOf, rangeOf} from './marks.js';

declare const axe: {
  run(root: Element, options?: object): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>;
};

const names = ['hermes-find', CURRENT];
const bar = (element: Element) => root(element).querySelector<HTMLElement>('[part=find]');
const field = (element: Element) => bar(element)!.querySelector('input')!;
const said = (element: Element) => bar(element)!.querySelector('[role=status]')!.textContent.trim();
const active = (element: Element) => root(element).activeElement;
const button = (element: Element, name: string) =>
  [...bar(element)!.querySelectorAll('button')].find(({ariaLabel}) => ariaLabel === name)!;

/** The words under a mark, as the document has them. */
const marked = (name?: string) => marksOf(name).map((mark) => rangeOf(mark).toString());

const worked = (id: string, more = '') =>
  turn(id)
    .prompt(`Question ${id}?`)
    .thought('First the rows.')
    .prose('I look.')
    .tool('read_file', {path: `${id}.md`}, {output: `An umbrella in ${id}.${more}`})
    .answer(`Answer ${id}.`)
    .build();

const mount = (...turns: TurnAnchor[]) => read(turns, {height: '300px'});

async function go(element: HermesTranscript, at: string, ...pressed: string[]) {
  field(element).focus();
  await keys(...pressed);
  await until(() => said(element) === at);
}

it('what folded tools gave back is found, counted and opened', async () => {
  const {element} = await mount(worked('a'), worked('b'));
  assert.equal(await element.find('umbrella'), 2);
  assert.equal(said(element), '1 of 2');
  assert.deepEqual(marked(), ['umbrella']);
  assert.ok(row(element, 'tool:c1').querySelector('[data-section=output]'));
  await until(() => isInView(element));
  assert.equal(row(element, 'tool:c1', 1).hidden === false, false, 'the second stays folded');
  await go(element, '2 of 2', 'Enter');
  await until(() => !row(element, 'tool:c1', 1).hidden && isInView(element));
});

it('arguments that are folded away and lines that are not drawn are found', async () => {
  const deep = Array.from({length: 40}, (_, n) => ({n, [`key${n}`]: n === 33 ? 'needle' : 'hay'}));
  const long = Array.from({length: 2000}, (_, n) => `line ${n}${n === 1900 ? ' pin' : ''}`).join('\n');
  const {element} = await mount(
    turn('a').prompt('Go.').tool('save', {list: {deep}}, {output: long}).answer('Done.').build(),
  );
  assert.equal(await element.find('needle'), 1);
  await until(() => isInView(element));
  assert.deepEqual(marked(), ['needle']);
  assert.equal(await element.find('1900 pin'), 1);
  await until(() => isInView(element));
  assert.deepEqual(marked(), ['1900 pin']);
  assert.equal(active(element), field(element), 'the reader can go on to type');
});

it('each part of an opened tool stands where it is looked for', async () => {
  const cases: readonly [Parameters<ReturnType<typeof turn>['tool']>, number][] = [
    [['bash', {command: 'echo xyz\necho b', cwd: 'xyz'}, {output: '\u001b[1mx\u001b[0myz'}], 4],
    [['edit', {path: 'f', old_string: 'a\nxyz\nb', new_string: 'a\nxyz\nc'}, {}], 3],
    [['edit', {path: 'f'}, {diff: '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n xyz\n-one\n+two\n'}], 1],
    [['fetch', {url: 'u'}, {output: '{"xyz":[1,"xyz"]}'}], 2],
  ];
  for (const [tool, count] of cases) {
    const {element} = await mount(
      turn('a')
        .prompt('Go.')
        .tool(...tool)
        .answer('Done.')
        .build(),
    );
    assert.equal(await element.find('xyz'), count, tool[0]);
    const all = () => names.flatMap((name) => marked(name));
    for (let at = 1; at <= count; at++) {
      await until(() => said(element) === `${at} of ${count}` && marked().length === 1);
      await keys('Enter');
    }
    await until(() => all().length === count);
    assert.deepEqual(new Set(all()), new Set(['xyz']), tool[0]);
    element.remove();
  }
});

it('turns that are not drawn yet are found and drawn', async () => {
  const turns = Array.from({length: 300}, (_, n) => worked(`t${n}`, n === 7 ? ' A lighthouse.' : ''));
  const {element} = await mount(...turns);
  assert.equal(await element.find('lighthouse'), 1);
  await until(() => isInView(element));
  assert.deepEqual(marked(), ['lighthouse']);
  assert.equal(await element.find('umbrella'), 300);
});

it('a text is found across bold words, and not across blocks', async () => {
  const {element} = await mount(
    turn('a').prompt('Go.').answer('It is **very im**portant.\n\nNew block.').build(),
  );
  assert.equal(await element.find('is very important'), 1);
  assert.deepEqual(marked(), ['is very important']);
  assert.equal(await element.find('important. New'), 0);
  assert.equal(said(element), 'No matches');
});

it('case and accents make no difference', async () => {
  const {element} = await mount(
    turn('a').prompt('Go.').answer('Ein Café, ein CAFE\u0301, Ångström.').build(),
  );
  assert.equal(await element.find('cafe'), 2);
  assert.deepEqual(names.flatMap((name) => marked(name)).sort(), ['CAFE\u0301', 'Café']);
  assert.equal(await element.find('ÅNGSTROM'), 1);
});

it('Enter goes on, Shift and Enter go back, both past the ends', async () => {
  const {element} = await mount(turn('a').prompt('one one').answer('one').build());
  await element.find('one');
  assert.equal(said(element), '1 of 3');
  await go(element, '2 of 3', 'Enter');
  await go(element, '3 of 3', 'Enter');
  await go(element, '1 of 3', 'Enter');
  await go(element, '3 of 3', 'Shift', 'Enter');
  button(element, 'Previous match').click();
  await until(() => said(element) === '2 of 3');
  button(element, 'Next match').click();
  await until(() => said(element) === '3 of 3');
});

it('what is typed is found from where the reader is, and opens nothing by itself', async () => {
  const {element} = await mount(worked('a'), worked('b'));
  await element.find();
  assert.equal(active(element), field(element));
  assert.equal(said(element), '');
  await type('umb');
  await until(() => said(element) === '1 of 2');
  await drawn();
  assert.equal(row(element, 'tool:c1').querySelector('[data-section]'), null);
  await keys('Enter');
  await until(() => said(element) === '1 of 2' && marked()[0] === 'umb');
});

it('what stands in a closed row is opened by Enter, which goes no further', async () => {
  const work = turn('a').prompt('Go.').tool('save', {path: 'a', note: 'A zebra.'}).answer('Zebra.').build();
  const {element} = await read([work], {mode: 'transparent-stream', height: '300px'});
  await element.find();
  await type('zebra');
  await until(() => said(element) === '1 of 2');
  assert.deepEqual(marked(), []);
  await keys('Enter');
  await until(() => marked()[0] === 'zebra');
  assert.equal(said(element), '1 of 2');
});

it('a conversation that is closed and opened again is looked through again', async () => {
  const {element} = await mount(worked('a'));
  await element.find('answer');
  await keys('Escape');
  await element.find();
  await until(() => said(element) === '1 of 1' && marked()[0] === 'Answer');
});

it('counts follow a text that is being written, and the place stays', async () => {
  const growing = (text: string) => turn('a').prompt('tide').answer(text).running().build();
  const {story, element} = await mount(growing('The tide '));
  await element.find('tide');
  await go(element, '2 of 2', 'Enter');
  story.show(growing('The tide and the tide'));
  await until(() => said(element) === '2 of 3');
  await until(() => names.flatMap((name) => marked(name)).length === 3);
  assert.deepEqual(marked(), ['tide']);
});

it('what has come is counted before the reader goes on', async () => {
  const growing = (text: string) => turn('a').prompt('tide').answer(text).running().build();
  const {story, element} = await mount(growing('One tide.'), worked('b'));
  await element.find('tide');
  await go(element, '2 of 2', 'Enter');
  story.show(growing('One tide and a tide'), worked('b'));
  await keys('Enter');
  await until(() => said(element) === '3 of 3');
});

it('the place stays the same one where the text before it becomes another', async () => {
  const asked = (text: string) => turn('a').prompt('Go.').answer(text).build();
  const {story, element} = await mount(asked('A tide. Second tide. Third tide.'));
  await element.find('tide');
  await go(element, '2 of 3', 'Enter');
  story.show(asked('A new tide. A tide. Second tide. Third tide.'));
  await until(() => said(element) === '3 of 4');
});

it('the place stays where its row gets another id', async () => {
  const called = (callId: string, answer: string) =>
    turn('a').prompt('A tide.').tool('read', {}, {callId, output: 'tide'}).answer(answer).running();
  const {story, element} = await mount(called('c1', 'A tide.').build());
  await element.find('tide');
  await go(element, '2 of 3', 'Enter');
  await until(() => row(element, 'tool:c1').querySelector('[data-section=output]'));
  const renamed = new Map([['tool:c1', 'tool:x1']]);
  story.show(called('x1', 'A tide, another tide.').with({renamed}).build());
  await until(() => said(element).endsWith('of 4'));
  assert.equal(said(element), '2 of 4');
});

it('who is taken near the end of what grows does not follow it', async () => {
  const lines = (count: number) => Array.from({length: count}, (_, n) => `Line ${n}.`).join('\n\n');
  const growing = (count: number) =>
    turn('a')
      .prompt('A tide.')
      .answer(`${lines(40)}\n\nTide.\n\nEnd.${lines(count)}`)
      .running()
      .build();
  const {story, element} = await mount(growing(0));
  await element.find('tide');
  await until(() => isInView(element));
  await go(element, '2 of 2', 'Enter');
  await until(() => isInView(element));
  story.show(growing(40));
  await drawn();
  assert.ok(isInView(element));
});

it('the page goes as far as it is scrolled while something is looked for', async () => {
  const {element} = await mount(...Array.from({length: 6}, (_, n) => worked(`t${n}`)));
  await element.find('umbrella');
  await until(() => isInView(element));
  await drawn();
  const from = element.scrollTop;
  element.scrollTop = from + 40;
  await drawn();
  assert.equal(Math.round(element.scrollTop - from), 40);
});

it('what a reader opens is marked', async () => {
  const {element} = await mount(worked('a'));
  await element.find();
  await type('first the');
  await until(() => said(element) === '1 of 1');
  assert.deepEqual(marked(), []);
  press(element, 'worklog');
  await drawn();
  press(element, 'reasoning:0:0');
  await until(() => marked()[0] === 'First the');
});

it('Escape closes the bar, takes the marks away and gives the focus back', async () => {
  const {element} = await mount(worked('a'));
  const before = place(document.createElement('button'));
  before.focus();
  await element.find('answer');
  assert.equal(CSS.highlights.has('hermes-find-current'), true);
  await keys('Escape');
  assert.equal(bar(element), null);
  assert.equal(document.activeElement, before);
  for (const name of names) assert.equal(CSS.highlights.has(name), false, name);
});

it('nothing is left once the transcript has gone; another one keeps its marks', async () => {
  const {element} = await mount(worked('a'));
  const other = await mount(worked('b'));
  await element.find('answer');
  await other.element.find('question');
  element.remove();
  assert.deepEqual(marked(), ['Question']);
  other.element.remove();
  for (const name of names) assert.equal(CSS.highlights.has(name), false, name);
  place(element);
  await drawn();
  assert.equal(bar(element), null);
  assert.equal(await element.find('answer'), 1);
});

it('it is offered in the menu of a turn, and gives the focus back to it', async () => {
  const {element} = await mount(worked('a'));
  await until(() => root(element).querySelector('[data-action=more]'));
  const more = root(element).querySelector<HTMLElement>('[data-action=more]')!;
  more.focus();
  await keys('Enter');
  await until(() => active(element)?.matches('[role=menuitem]'));
  [...root(element).querySelectorAll<HTMLElement>('[role=menuitem]')]
    .find(({textContent}) => textContent.trim() === 'Find in this conversation')!
    .click();
  await until(() => bar(element) && active(element) === field(element));
  await keys('Escape');
  assert.equal(active(element), more);
});

it('it fits in 320 pixels, stays over its transcript and speaks the words of the page', async () => {
  const box = document.createElement('div');
  box.style.inlineSize = '320px';
  const {element} = await read([worked('a')], {height: '300px', parent: place(box)});
  element.strings = {
    actions: {
      find: {
        ...{label: 'Suchen', field: 'Suche', previous: 'Zurück', next: 'Weiter', close: 'Zu', none: 'Nichts'},
        count: (at, of) => `${at} von ${of}`,
      },
    },
  };
  await element.find('answer');
  assert.equal(said(element), '1 von 1');
  assert.equal(bar(element)!.ariaLabel, 'Suchen');
  const [inner, outer] = [bar(element)!, element].map((one) => one.getBoundingClientRect());
  assert.ok(inner!.left >= outer!.left && inner!.right <= outer!.right, `${inner!.left} to ${inner!.right}`);
  assert.ok(inner!.top >= outer!.top && inner!.bottom <= outer!.bottom, `${inner!.top}`);
});

it('it is accessible', async () => {
  const {element} = await mount(worked('a'));
  await element.find('answer');
  const {violations} = await axe.run(element, {resultTypes: ['violations']});
  assert.deepEqual(
    violations.map(({id, nodes}) => [id, nodes.map(({html}) => html)]),
    [],
  );
});

describe('in a browser without highlights', () => {
  const own = Object.getOwnPropertyDescriptor(CSS, 'highlights')!;
  before(() => Object.defineProperty(CSS, 'highlights', {configurable: true, value: undefined}));
  after(() => Object.defineProperty(CSS, 'highlights', own));

  it('the place is selected, and the field still takes what is typed', async () => {
    const {element} = await mount(worked('a'));
    await element.find('answer');
    const range =
      getSelection()!.getComposedRanges?.({shadowRoots: [root(element)]})[0] ?? getSelection()!.getRangeAt(0);
    assert.equal(range.startContainer.textContent!.slice(range.startOffset, range.endOffset), 'Answer');
    await type('qu');
    await until(() => field(element).value === 'qu');
  });
});
