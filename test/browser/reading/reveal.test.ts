/** Where a reader stands who was taken to a turn or an item. */
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, isNear, place, read, row, top} from './page.js';

const lines = (count: number) => Array.from({length: count}, (_, n) => `Line ${n}.`).join('\n\n');
const told = (answer = lines(40)) =>
  turn('a').prompt('Go.').prose(lines(20)).tool('read', {path: 'a.md'}, {output: 'A text.'}).answer(answer);

it('the ring around what was gone to stands in view', async () => {
  const {element} = await read([told().build()], {height: '300px'});
  assert.ok(await element.reveal('a', 'tool:c1'));
  await drawn();
  const button = row(element, 'tool:c1').querySelector('button')!;
  const ring = parseFloat(getComputedStyle(button).outlineOffset) + 2;
  assert.ok(top(button) - top(element) >= ring, `${top(button) - top(element)}`);
  assert.equal(row(element, 'tool:c1').style.scrollMarginBlockStart, '');
});

it('room that a page leaves at the head is left', async () => {
  const sheet = place(document.createElement('style'));
  sheet.textContent = 'hermes-transcript::part(row) { scroll-margin-block-start: 50px; }';
  const {element} = await read([told().build()], {height: '300px'});
  assert.ok(await element.reveal('a', 'tool:c1'));
  await drawn();
  assert.ok(isNear(top(row(element, 'tool:c1')) - top(element), 50));
});

it('who was taken near the end of what grows does not follow it', async () => {
  const grows = (count: number) => told(lines(count)).running().build();
  const {story, element} = await read([grows(3)], {height: '300px'});
  element.scrollTop = 0;
  await drawn();
  assert.ok(await element.reveal('a', 'prose:1:0'));
  await drawn();
  const before = top(row(element, 'prose:1:0'));
  story.show(grows(40));
  await drawn();
  assert.ok(isNear(top(row(element, 'prose:1:0')), before));
});
