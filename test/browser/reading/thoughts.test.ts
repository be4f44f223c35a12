/** A thought is open while it streams. What the reader chose of it, or is at in it, wins. */
import type {TurnBuilder} from '../../unit/scene/turn-builder.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, press, read, root, row} from './page.js';

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
  const {element: settled} = await read([thinking().answer('Done.').build()]);
  press(settled, 'worklog');
  await drawn();
  assert.equal(isOpen(settled), false);
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
