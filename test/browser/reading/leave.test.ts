/** Who leaves the end while more is written gets away, in whichever way, and nothing moves them from there. */
import type {HermesTranscript} from '../../../src/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {back, drawn, isNear, keys, place, press, read, row, top, turnsOf} from './page.js';
import type {Story} from './story.js';

const lines = (count: number) => Array.from({length: count}, (_, n) => `Line ${n}.`).join('\n\n');
const old = turn('a').prompt('Go on.').thought(lines(3)).tool('read_file').answer(lines(12)).build();
const live = (count: number) =>
  turn('live').prompt('And now?').thought('Hm.').tool('read_file').prose(lines(count)).running().build();
const page = document.documentElement;

afterEach(() => (page.style.zoom = ''));

/** A reader at the end, in a page that scrolls or in a pane that does; and more, a line in every third frame. */
async function written(height: string) {
  const {story, element} = await read([old, live(60)], {height});
  const scroller = height === 'auto' ? page : element;
  scroller.scrollTop = scroller.scrollHeight;
  await drawn();
  let count = 60;
  const more = async (isEnough: () => boolean) => {
    for (let n = 0; n < 60 && !isEnough(); n++) {
      story.show(old, live(++count));
      await drawn(3);
    }
  };
  const rest = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  await more(() => count === 64);
  assert.ok(rest() < 20, `${rest()} px below`);
  return {element, scroller, more, rest};
}

/** A line in every third frame, for a reader at the end: they are still there. */
async function followed(story: Story, scroller: Element) {
  scroller.scrollTop = scroller.scrollHeight;
  await drawn();
  for (let count = 2; count < 60; count += 3) {
    story.show(old, live(count));
    await drawn(3);
  }
  const rest = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  assert.ok(rest < 20, `${rest} px below`);
}

/** Something in the turn above, which may become higher. */
function pictureAbove(element: HermesTranscript): HTMLElement {
  const picture = document.createElement('div');
  turnsOf(element)[0]!.querySelector('.text')!.prepend(picture);
  return picture;
}

/** A line that is read in the turn below. */
const lineOf = (element: HermesTranscript, at: number) =>
  row(element, 'prose:1:0', 1).querySelectorAll('p')[at]!;

for (const [where, height] of [
  ['a pane', '200px'],
  ['a page', 'auto'],
] as const) {
  for (const [what, glide] of Object.entries({
    scrollTo: (_: Element, scroller: Element) => scroller.scrollTo({top: 0, behavior: 'smooth'}),
    scrollIntoView: (element: Element) => turnsOf(element)[0]!.scrollIntoView({behavior: 'smooth'}),
  }))
    it(`${where} glides to its head by ${what}, whenever that begins`, async () => {
      for (const frames of [1, 2, 3, 4]) {
        const {element, scroller, more} = await written(height);
        await drawn(frames);
        glide(element, scroller);
        await more(() => scroller.scrollTop < 20);
        assert.ok(scroller.scrollTop < 20, `at ${scroller.scrollTop} px, begun after ${frames} frames`);
        element.remove();
      }
    });

  it(`${where} is followed to its end, also where all is smaller`, async () => {
    for (const zoom of ['0.67', '0.9']) {
      page.style.zoom = zoom;
      const {element} = await written(height);
      assert.ok(back(element).hidden, zoom);
      element.remove();
    }
  });

  it(`who scrolls ${where} while something above gets higher is not thrown by it`, async () => {
    const {element, scroller} = await written(height);
    const picture = pictureAbove(element);
    scroller.scrollTop -= 400;
    await drawn();
    const line = lineOf(element, 46);
    let before = top(line);
    for (let n = 0; n < 8; n++) {
      scroller.scrollTop -= 5;
      if (n === 4) picture.style.height = '300px';
      await drawn(1);
      assert.ok(Math.abs(top(line) - before - 5) <= 1, `moved by ${top(line) - before} px`);
      before = top(line);
    }
  });

  it(`who has left ${where} stays where they are when the end above is cut off`, async () => {
    const {element, scroller} = await written(height);
    const picture = pictureAbove(element);
    picture.style.height = '500px';
    await drawn();
    scroller.scrollTop -= 40;
    await drawn();
    const line = lineOf(element, 60);
    const before = top(line);
    picture.style.height = '0';
    await drawn();
    assert.ok(isNear(top(line), before), `moved by ${top(line) - before} px`);
  });
}

for (const style of ['zoom: 0.7', 'zoom: 1.5', 'transform: scale(0.5)', 'transform: scale(1.5)'])
  for (const where of ['a pane', 'a box around it'])
    it(`${where} within ${style} is followed, and held for who has left`, async () => {
      const around = place(document.createElement('div'));
      around.style.cssText = `${style}; transform-origin: 0 0`;
      const box = around.appendChild(document.createElement('div'));
      const isOwn = where === 'a pane';
      if (!isOwn) box.style.cssText = 'height: 200px; overflow: auto';
      const {story, element} = await read([old, live(1)], {height: isOwn ? '200px' : 'auto', parent: box});
      const scroller = isOwn ? element : box;
      await followed(story, scroller);
      const picture = pictureAbove(element);
      scroller.scrollTop -= 400;
      await drawn();
      const line = lineOf(element, 46);
      const before = line.getBoundingClientRect().top;
      for (const height of ['40px', '300px', '10px']) {
        picture.style.height = height;
        await drawn();
        const moved = line.getBoundingClientRect().top - before;
        assert.ok(Math.abs(moved) < 2, `moved by ${moved} px with ${height} above`);
      }
    });

for (const [name, html, body] of [
  ['whose body alone has a way to scroll', 'height: 100%', 'height: 100%; overflow-x: hidden'],
  ['that is its body', 'height: 100%; overflow: hidden', 'height: 100%; margin: 0; overflow: auto'],
] as const)
  it(`a page ${name} is followed, and held`, async () => {
    const {body: around} = document;
    page.style.cssText = html;
    around.style.cssText = body;
    try {
      const {story, element} = await read([old, live(1)], {height: 'auto'});
      const scroller = name.startsWith('that') ? around : page;
      await followed(story, scroller);
      const picture = pictureAbove(element);
      scroller.scrollTop -= 400;
      await drawn();
      const line = lineOf(element, 46);
      const before = top(line);
      picture.style.height = '300px';
      await drawn();
      assert.ok(Math.abs(top(line) - before) <= 1, `moved by ${top(line) - before} px`);
    } finally {
      page.style.cssText = around.style.cssText = '';
    }
  });

it('who has left stays where they are when the page shrinks what it holds', async () => {
  for (const scale of ['0.5', '0.8', '1.5']) {
    const box = place(document.createElement('div'));
    box.style.transformOrigin = '0 0';
    const {story, element} = await read([old, live(60)], {height: '200px', parent: box});
    element.scrollTop = element.scrollHeight;
    await drawn();
    element.scrollTop -= 600;
    await drawn();
    const {scrollTop} = element;
    box.style.transform = `scale(${scale})`;
    story.show(old, live(61));
    await drawn();
    assert.ok(
      Math.abs(element.scrollTop - scrollTop) <= 2,
      `${scrollTop} to ${element.scrollTop} at ${scale}`,
    );
    box.remove();
  }
});

it('keys in a field of the page leave nothing', async () => {
  const {element, more, rest} = await written('auto');
  const field = place(document.createElement('textarea'));
  field.style.cssText = 'position: fixed; inset: 0 auto auto 0';
  field.focus({preventScroll: true});
  await keys('ArrowUp');
  let times = 0;
  await more(() => times++ === 3);
  assert.ok(rest() < 20 && back(element).hidden, `${rest()} px below`);
});

it('there is no button where nothing is below, though nothing is followed', async () => {
  const {element, more, rest} = await written('200px');
  press(element, 'reasoning:0:0', 1);
  await drawn();
  element.scrollTop = 0;
  await drawn();
  assert.ok(back(element).getClientRects().length > 0);
  element.scrollTop = element.scrollHeight;
  await drawn();
  element.dispatchEvent(new Event('touchmove', {bubbles: true, composed: true}));
  await drawn();
  assert.equal(rest(), 0);
  assert.equal(back(element).getClientRects().length, 0);
  let times = 0;
  await more(() => times++ === 2);
  assert.ok(rest() > 20 && back(element).getClientRects().length > 0);
});

it('what gets the focus by keys in a narrow pane is not under the button', async () => {
  const thoughts = turn('live').prompt('And now?');
  for (let n = 0; n < 30; n++) thoughts.tool('read_file').thought(`Thought ${n}.`);
  const {element} = await read([thoughts.running().build()], {height: '240px'});
  element.style.inlineSize = '320px';
  element.dispatchEvent(new Event('touchmove', {bubbles: true, composed: true}));
  element.scrollTop = 0;
  await drawn();
  element.focus();
  await keys('Tab');
  for (let n = 0; n < 24; n++) {
    await keys('ArrowDown');
    await drawn();
    const focus = element.shadowRoot!.activeElement!.getBoundingClientRect();
    const button = back(element).getBoundingClientRect();
    const isUnder = focus.bottom > button.top + 1 && focus.top < button.bottom && button.width > 0;
    assert.ok(!isUnder, `${focus.bottom} is under ${button.top}, after ${n} rows`);
  }
});

for (const key of ['PageUp', 'Home'])
  it(`a page is left by ${key}, also where nothing has the focus`, async () => {
    const {more, rest} = await written('auto');
    (document.activeElement as HTMLElement | null)?.blur();
    await keys(key);
    await more(() => rest() > 600);
    assert.ok(rest() > 600, `${rest()} px below`);
  });

it('a wheel that goes sideways with a touch upwards does not leave the end', async () => {
  const {element, more, rest} = await written('200px');
  // Some engines scroll for events that are made, too.
  element.addEventListener('wheel', (event) => event.preventDefault(), {passive: false});
  element.dispatchEvent(new WheelEvent('wheel', {deltaX: 40, deltaY: -3, cancelable: true}));
  await more(() => false);
  assert.ok(rest() < 20, `${rest()} px below`);
  element.dispatchEvent(new WheelEvent('wheel', {deltaX: -3, deltaY: -40, cancelable: true}));
  const before = element.scrollTop;
  await more(() => false);
  assert.equal(element.scrollTop, before);
});

it('a wheel that zooms does not leave the end', async () => {
  const {element, more, rest} = await written('300px');
  // WebKit scrolls by events that a page makes, too.
  element.addEventListener('wheel', (event) => event.preventDefault(), {passive: false});
  const zoom = {deltaY: -4, ctrlKey: true, bubbles: true, cancelable: true};
  element.dispatchEvent(new WheelEvent('wheel', zoom));
  await more(() => false);
  await drawn(9);
  assert.ok(rest() < 20, `${rest()} px below`);
});
