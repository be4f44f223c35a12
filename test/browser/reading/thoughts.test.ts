/** A thought is open while it streams. What the reader chose of it, or is at in it, wins. */
import type {TurnBuilder} from '../../unit/scene/turn-builder.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, press, read, root, row, until} from './page.js';

const thinking = () => turn('t').prompt('Go.').thought('I should look.');
const goesOn = () => thinking().tool('read_file', {path: 'a'}, {status: 'running'});
const live = (builder: TurnBuilder) => builder.running().build();
const id = 'reasoning:0:0';
const isOpen = (element: Element) =>
  row(element, id).querySelector('[aria-expanded]')?.getAttribute('aria-expanded') === 'true';

it('it opens by itself while it streams, and closes when something else begins', async () => {
  const {story, element} = await read([live(thinking())]);
  assert.ok(isOpen(element));
  assert.equal(row(element, id).querySelector<HTMLElement>('.body')!.hidden, false);
  story.show(live(goesOn()));
  await drawn();
  assert.equal(isOpen(element), false);
});

it('one that is over when it comes does not flash open', async () => {
  const {element} = await read([live(goesOn())]);
  assert.equal(isOpen(element), false);
  const {element: settled} = await read([goesOn().answer('Done.').build()]);
  press(settled, 'worklog');
  await drawn();
  assert.equal(row(settled, id).hidden, false);
  assert.equal(isOpen(settled), false);
});

it('the only one of a worklog opens and closes with it, and has no heading of its own', async () => {
  const {element} = await read([thinking().answer('Done.').build()]);
  press(element, 'worklog');
  await drawn();
  assert.equal(row(element, id).querySelector('[aria-expanded]'), null);
  assert.equal(row(element, id).querySelector<HTMLElement>('.body')!.hidden, false);
  press(element, 'worklog');
  await drawn();
  assert.ok(row(element, id).hidden);
});

it('so does the only group of tools, down to a tool that is alone in it', async () => {
  const work = () => turn('t').prompt('Go.').tool('read_file', {path: 'a'}, {output: 'text of a'});
  const expanded = (element: Element) =>
    [...root(element).querySelectorAll('.row > [aria-expanded=true]')].map(
      (button) => button.closest<HTMLElement>('[data-item-id]')!.dataset['itemId'],
    );
  const {element: one} = await read([work().answer('Done.').build()]);
  press(one, 'worklog');
  await until(() => row(one, 'tool:c1').querySelector('pre'));
  // What the group would say, the worklog says.
  assert.deepEqual(expanded(one), ['worklog', 'tool:c1']);
  const {element: two} = await read([work().tool('read_file', {path: 'b'}).answer('Done.').build()]);
  press(two, 'worklog');
  await drawn();
  assert.deepEqual(expanded(two), ['worklog']);
  assert.equal(row(two, 'tool:c2').hidden, false);
});

it('a group among others says what its only tool is about until that stands under it', async () => {
  const work = turn('t').prompt('Go.').prose('I look.').tool('read_file', {path: 'a.md'}, {output: 'a'});
  const {element} = await read([work.answer('Done.').build()]);
  const said = () => row(element, 'group:tool:c1').textContent.trim().replace(/\s+/g, ' ');
  press(element, 'worklog');
  await drawn();
  assert.equal(said(), 'Read 1 filea.md');
  press(element, 'group:tool:c1');
  await drawn();
  assert.equal(said(), 'Read 1 file');
});

it('the heading of what the reader is at stays when the turn is over', async () => {
  const {story, element} = await read([live(goesOn())]);
  const work = () => turn('t').prompt('Go.').tool('read_file', {path: 'a'}, {output: 'a'});
  story.show(live(work()));
  await drawn();
  press(element, 'group:tool:c1');
  await drawn();
  const button = row(element, 'group:tool:c1').querySelector<HTMLElement>('[aria-expanded]')!;
  button.focus();
  story.show(work().answer('Done.').build());
  await drawn();
  assert.equal(root(element).activeElement, button);
});

it('one that the reader closed stays closed while it grows', async () => {
  const {story, element} = await read([live(thinking())]);
  press(element, id);
  await drawn();
  assert.equal(isOpen(element), false);
  story.show(live(turn('t').prompt('Go.').thought('I should look. And then')));
  await drawn();
  assert.equal(isOpen(element), false);
});

it('one that the reader opened stays open, through the settlement and in every mode', async () => {
  const {story, element} = await read([live(goesOn())]);
  press(element, id);
  story.show(goesOn().answer('Done.').build());
  await drawn();
  assert.ok(isOpen(element));
  element.mode = 'transparent-stream';
  await drawn();
  element.mode = 'compact-worklog';
  await drawn();
  assert.ok(isOpen(element));
});

it('one in which the reader has selected something does not close', async () => {
  const {story, element} = await read([live(thinking())]);
  const text = document
    .createTreeWalker(row(element, id).querySelector('.body')!, NodeFilter.SHOW_TEXT)
    .nextNode()!;
  getSelection()!.setBaseAndExtent(text, 0, text, 4);
  story.show(live(goesOn()));
  await drawn();
  assert.ok(isOpen(element));
  assert.ok(text.isConnected && root(element).contains(text));
});
