/** A turn that stands alone follows its end and holds what is read, in the page or box that scrolls around it. */
import type {HermesTurn, Session} from '../../../src/index.js';
import type {TurnAnchor} from '../../../src/anchor/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {atEnd, drawn, isNear, place, root, top} from './page.js';
import {Story} from './story.js';

const lines = (count: number) => Array.from({length: count}, (_, n) => `Line ${n}.`).join('\n\n');
const live = (count: number): TurnAnchor =>
  turn('live').prompt('And now?').thought(lines(4)).tool('read_file').prose(lines(count)).running().build();
const over = (count: number): TurnAnchor =>
  turn('live').prompt('And now?').thought(lines(4)).tool('read_file').answer(lines(count)).build();

/** A turn in a box of 200 px that scrolls. */
async function alone(first: TurnAnchor) {
  const story = new Story({turns: [first]});
  const box = place(document.createElement('div'));
  box.style.cssText = 'block-size: 200px; overflow: auto';
  const element: HermesTurn = document.createElement('hermes-turn');
  element.session = story as unknown as Session;
  box.append(element);
  await drawn();
  return {story, box, element};
}

it('follows its end from where all of it was in sight, to the end of the turn', async () => {
  const {story, box} = await alone(turn('live').prompt('And now?').running().build());
  for (let n = 1; n < 20; n++) story.show(live(n));
  await drawn();
  assert.ok(box.scrollTop > 0 && atEnd(box));
  story.show(over(30));
  await drawn();
  assert.ok(atEnd(box));
});

it('is not scrolled to its end when it is long already', async () => {
  const {story, box} = await alone(live(30));
  story.show(live(40));
  await drawn();
  assert.equal(box.scrollTop, 0);
});

it('a reader who has scrolled up keeps the line in sight, also when the worklog above changes', async () => {
  const {story, box, element} = await alone(turn('live').prompt('And now?').running().build());
  story.show(live(20));
  await drawn();
  box.scrollTop -= 150;
  await drawn();
  const {scrollTop} = box;
  for (let n = 20; n < 40; n++) story.show(live(n));
  await drawn();
  assert.equal(box.scrollTop, scrollTop);
  const line = [...root(element).querySelectorAll('p')].find((one) => top(one) > top(box) + 20)!;
  const before = top(line);
  story.show(
    turn('live').prompt(lines(3)).thought(lines(4)).tool('read_file').prose(lines(40)).running().build(),
  );
  await drawn();
  assert.ok(line.isConnected && isNear(top(line), before), `${before} to ${top(line)}`);
  box.scrollTop = box.scrollHeight;
  await drawn();
  story.show(live(60));
  await drawn();
  assert.ok(atEnd(box), 'follows again');
});

it('opening something stops it', async () => {
  const {story, box, element} = await alone(turn('live').prompt('And now?').running().build());
  story.show(live(9));
  await drawn();
  root(element).querySelector<HTMLElement>('[data-item-id="reasoning:0:0"] [aria-expanded]')!.click();
  await drawn();
  const {scrollTop} = box;
  story.show(live(30));
  await drawn();
  assert.equal(box.scrollTop, scrollTop);
});

it('one in a transcript leaves that to the transcript', async () => {
  const element = place(document.createElement('hermes-turn'));
  const within = document.createElement('hermes-turn');
  within.setAttribute('within', '');
  place(within);
  await drawn();
  assert.ok(element.reader);
  assert.equal(within.reader, undefined);
});
