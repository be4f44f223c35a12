import type {TurnAnchor} from '../../../src/anchor/index.js';
import {Vector} from '../../../src/anchor/vector.js';
import type {HermesTranscript, HermesTurn} from '../../../src/index.js';
import {HermesSendRequestEvent} from '../../../src/elements/events.js';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {
  atEnd,
  back,
  drawn,
  isNear,
  place,
  press,
  read,
  root,
  row,
  selected,
  top,
  turnsOf,
  until,
} from './page.js';

const lines = (count: number) => Array.from({length: count}, (_, n) => `Line ${n}.`).join('\n\n');
const old = (id: string) =>
  turn(id)
    .prompt('Go on.')
    .thought(lines(3))
    .tool('read_file', {path: 'a'}, {output: 'a'})
    .answer(lines(12))
    .build();
const live = (count: number): TurnAnchor =>
  turn('live').prompt('And now?').thought('Hm.').tool('read_file').prose(lines(count)).running().build();

/** After all turns have been drawn, before the next frame. */
async function updated(element: HermesTranscript) {
  await element.updateComplete;
  for (const turn of turnsOf(element)) await (turn as HermesTurn).updateComplete;
}

describe('a transcript that scrolls itself', () => {
  it('begins at the end and follows it', async () => {
    const {story, element} = await read([old('a'), live(1)]);
    assert.ok(atEnd(element), 'begins there');
    for (let n = 2; n < 20; n++) story.show(old('a'), live(n));
    await drawn();
    assert.ok(atEnd(element), 'is still there');
    assert.ok(back(element).hidden);
  });

  it('takes who writes to the conversation to its end, from wherever they read', async () => {
    const {element} = await read([old('a'), live(9)]);
    element.dispatchEvent(new WheelEvent('wheel', {deltaY: -4}));
    element.scrollTop = 0;
    await drawn();
    const elsewhere = place(document.createElement('hermes-turn'));
    elsewhere.dispatchEvent(new HermesSendRequestEvent('To another conversation.'));
    await drawn();
    assert.equal(element.scrollTop, 0);
    elsewhere.session = element.session;
    elsewhere.addEventListener('hermes-send-request', (event) => event.preventDefault());
    await elsewhere.updateComplete;
    elsewhere.dispatchEvent(new HermesSendRequestEvent('And now?'));
    await until(() => atEnd(element) && back(element).hidden);
  });

  for (const [what, leave] of Object.entries({
    'a wheel upwards': (element: HTMLElement) => element.dispatchEvent(new WheelEvent('wheel', {deltaY: -4})),
    'a key upwards': (element: HTMLElement) =>
      element.dispatchEvent(new KeyboardEvent('keydown', {key: 'PageUp'})),
    'a finger': (element: HTMLElement) => element.dispatchEvent(new Event('touchmove')),
    scrolling: (element: HTMLElement) => (element.scrollTop -= 60),
    'a selection': (element: HTMLElement) => {
      const text =
        row(element, 'prose:0:0', 1)?.querySelector('p') ?? row(element, 'prose:1:0', 1).querySelector('p')!;
      getSelection()!.setBaseAndExtent(text.firstChild!, 0, text.firstChild!, 3);
    },
    'opening something': (element: HTMLElement) => press(element, 'reasoning:0:0', 1),
  })) {
    it(`${what} stops it: nothing is scrolled any more`, async () => {
      const {story, element} = await read([old('a'), live(4)]);
      leave(element);
      await drawn();
      const {scrollTop} = element;
      for (let n = 5; n < 30; n++) story.show(old('a'), live(n));
      await drawn();
      assert.equal(element.scrollTop, scrollTop);
      assert.equal(back(element).hidden, false);
    });
  }

  it('says how much is new, and returns by the button', async () => {
    const {story, element} = await read([old('a'), live(9)]);
    element.scrollTop = 0;
    await drawn();
    assert.equal(back(element).textContent.trim(), 'To the end');
    story.show(
      old('a'),
      turn('live')
        .prompt('And now?')
        .thought('Hm.')
        .tool('read_file')
        .prose(lines(9))
        .tool('bash')
        .tool('bash')
        .running()
        .build(),
    );
    await drawn();
    assert.equal(back(element).textContent.replace(/\s+/g, ' ').trim(), 'To the end · 2 new');
    back(element).click();
    await drawn();
    assert.ok(atEnd(element));
    assert.ok(back(element).hidden);
    story.show(old('a'), live(40));
    await drawn();
    assert.ok(atEnd(element));
  });

  it('follows the end though a turn was shorter for a moment', async () => {
    const {element} = await read([old('a'), live(20)]);
    const last = turnsOf(element)[1] as HermesTurn;
    last.mode = 'answer-only';
    await updated(element);
    assert.ok(atEnd(element), 'laid out before the next frame');
    last.mode = 'compact-worklog';
    await updated(element);
    await drawn();
    assert.ok(atEnd(element));
    assert.ok(back(element).hidden);
  });

  it('lets a page scroll up at once after something was drawn', async () => {
    const {story, element} = await read([old('a'), live(20)]);
    story.show(old('a'), live(21));
    await updated(element);
    element.scrollTop = 0;
    await drawn();
    assert.equal(element.scrollTop, 0);
    story.show(old('a'), live(30));
    await drawn();
    assert.equal(element.scrollTop, 0);
  });

  it('keeps up where the page has its scrolling glide', async () => {
    const {story, element} = await read([old('a'), live(20)]);
    element.style.scrollBehavior = 'smooth';
    for (let n = 21; n < 40; n++) {
      story.show(old('a'), live(n));
      await drawn(1);
    }
    await drawn();
    assert.ok(atEnd(element));
  });

  it('returns by reaching the end', async () => {
    const {story, element} = await read([old('a'), live(9)]);
    element.scrollTop = 0;
    await drawn();
    element.scrollTop = element.scrollHeight;
    await drawn();
    story.show(old('a'), live(30));
    await drawn();
    assert.ok(atEnd(element));
  });

  it('what is read stays where it is when rows above it change, at settlement and in another mode', async () => {
    const {story, element} = await read([old('a'), old('b'), live(3)]);
    const target = row(element, 'prose:1:0', 1).querySelectorAll('p')[4]!;
    element.scrollTop += top(target) - top(element) - 30;
    await drawn();
    const place = top(target);
    // An earlier turn gets more, as history that comes late brings it.
    const grown = turn('a')
      .prompt('Go on.')
      .thought(lines(3))
      .tool('read_file')
      .answer(lines(12))
      .notice(lines(9))
      .build();
    story.show(grown, old('b'), live(9));
    await drawn();
    assert.ok(isNear(top(target), place), 'rows above');
    for (const mode of ['transparent-stream', 'answer-only', 'compact-worklog']) {
      element.mode = mode;
      await drawn();
      assert.ok(isNear(top(target), place), mode);
    }
    story.show(
      grown,
      old('b'),
      turn('live').prompt('And now?').thought('Hm.').tool('read_file').answer(lines(9)).build(),
    );
    await drawn();
    assert.ok(isNear(top(target), place), 'settlement');
  });
});

describe('a page that scrolls', () => {
  const height = 'auto';

  it('is not scrolled by what is loaded into it, and has no button over what is over', async () => {
    const {element} = await read([old('a'), old('b'), old('c'), old('d')], {height});
    assert.equal(document.documentElement.scrollTop, 0);
    assert.ok(back(element).hidden);
  });

  it('is not scrolled by a run that had gone on before, of which first only the address is known', async () => {
    const begun = turn('live').running();
    const {story} = await read([begun.build()], {height});
    await drawn();
    story.show(live(80));
    await drawn();
    assert.equal(document.documentElement.scrollTop, 0);
  });

  it('follows the end while it is in sight, and not from elsewhere', async () => {
    const {story, element} = await read([live(1)], {height});
    story.show(live(80));
    await drawn();
    const end = () =>
      Math.abs(element.getBoundingClientRect().bottom - document.documentElement.clientHeight);
    assert.ok(end() < 2, `the end is ${end()} px away`);
    document.documentElement.scrollTop -= 300;
    await drawn();
    const {scrollTop} = document.documentElement;
    story.show(live(120));
    await drawn();
    assert.equal(document.documentElement.scrollTop, scrollTop);
    assert.equal(back(element).hidden, false);
    const {bottom} = back(element).getBoundingClientRect();
    assert.ok(bottom > 0 && bottom <= document.documentElement.clientHeight, 'the button is in sight');
    back(element).click();
    await drawn();
    assert.ok(end() < 2);
  });

  it('holds what is read below a turn that grows above it', async () => {
    const {story, element} = await read([live(10)], {height});
    const after = place(document.createElement('p'));
    after.style.height = '3000px';
    after.textContent = 'The page goes on.';
    document.documentElement.scrollTop = element.getBoundingClientRect().bottom + 40;
    await drawn();
    const before = top(after);
    story.show(live(60));
    await drawn();
    assert.ok(isNear(top(after), before), `${top(after)}, not ${before}`);
  });

  it('a box around it is followed as the page is', async () => {
    const box = place(document.createElement('div'));
    box.style.cssText = 'block-size: 220px; overflow: auto';
    const {story} = await read([live(1)], {height, parent: box});
    story.show(live(60));
    await drawn();
    assert.ok(atEnd(box), `at ${box.scrollTop} of ${box.scrollHeight}`);
    box.scrollTop = 50;
    await drawn();
    story.show(live(90));
    await drawn();
    assert.equal(box.scrollTop, 50);
  });
});

describe('a worklog', () => {
  const running = () =>
    turn('t')
      .prompt('Go.')
      .prose('I look.')
      .tool('read_file', {path: 'a'}, {output: 'a'})
      .prose('So')
      .running()
      .build();
  const over = () =>
    turn('t')
      .prompt('Go.')
      .prose('I look.')
      .tool('read_file', {path: 'a'}, {output: 'a'})
      .answer('So it is.')
      .build();
  const isOpen = (element: Element) =>
    row(element, 'worklog').querySelector('[aria-expanded]')!.getAttribute('aria-expanded') === 'true';

  it('folds at settlement for who follows the end', async () => {
    const {story, element} = await read([running()], {height: '400px'});
    assert.ok(isOpen(element));
    story.show(over());
    await drawn();
    assert.equal(isOpen(element), false);
  });

  it('stays open for who is elsewhere, until the next visit', async () => {
    const {story, element} = await read([old('a'), running()]);
    element.scrollTop = 0;
    await drawn();
    story.show(old('a'), over());
    await drawn();
    assert.equal(row(element, 'worklog', 1).querySelector('button')!.getAttribute('aria-expanded'), 'true');
    const {element: again} = await read([over()]);
    assert.equal(isOpen(again), false);
  });

  for (const [what, act] of Object.entries({
    'a selection in it': (element: Element) => {
      const text = row(element, 'prose:0:0').querySelector('p')!.firstChild!;
      getSelection()!.setBaseAndExtent(text, 2, text, 6);
    },
    'the focus in it': (element: Element) => row(element, 'group:tool:c1').querySelector('button')!.focus(),
    'something opened in it': (element: Element) => press(element, 'group:tool:c1'),
  })) {
    it(`stays open with ${what}`, async () => {
      const {story, element} = await read([running()], {height: '400px'});
      act(element);
      await drawn();
      story.show(over());
      await drawn();
      assert.ok(isOpen(element));
      if (what.startsWith('a selection')) assert.equal(selected(element)?.endOffset, 6);
    });
  }

  it('opens what the reader chose, through settlement, modes and new names', async () => {
    const {story, element} = await read([running()], {height: '400px'});
    press(element, 'worklog');
    await drawn();
    assert.equal(isOpen(element), false);
    press(element, 'worklog');
    await drawn();
    press(element, 'group:tool:c1');
    await drawn();
    const tool = row(element, 'tool:c1');
    const renamed = {...over(), renamed: new Map([['tool:c1', 'tool:x1']])};
    const items = renamed.items
      .slice()
      .map((item) => (item.id === 'tool:c1' ? {...item, id: 'tool:x1'} : item));
    story.show({...renamed, items: Vector.from(items)});
    await drawn();
    assert.ok(isOpen(element));
    assert.equal(row(element, 'tool:x1'), tool);
    assert.ok(row(element, 'tool:x1').querySelector('pre'));
    element.mode = 'transparent-stream';
    await drawn();
    assert.ok(row(element, 'tool:x1').querySelector('pre'));
    element.mode = 'answer-only';
    await drawn();
    element.mode = 'compact-worklog';
    await until(() => row(element, 'tool:x1'));
    await drawn();
    assert.ok(isOpen(element));
    assert.ok(row(element, 'tool:x1').querySelector('pre'));
  });

  it('is open where the turn failed', async () => {
    const failed = turn('t').prompt('Go.').prose('I look.').tool('bash').ended('error', 'No.').build();
    const {element} = await read([failed]);
    assert.ok(isOpen(element));
  });
});

for (const [how, hold] of Object.entries({
  'a wheel upwards': (element: HTMLElement) => element.dispatchEvent(new WheelEvent('wheel', {deltaY: -4})),
  'a selection': (element: HTMLElement) => {
    const text = row(element, 'prose:1:0').querySelectorAll('p')[36]!.firstChild!;
    getSelection()!.setBaseAndExtent(text, 0, text, 4);
  },
  'opening something': (element: HTMLElement) => press(element, 'reasoning:0:0'),
})) {
  it(`a page that shows what stands below a growing turn moves nothing after ${how}`, async () => {
    const {story, element} = await read([live(40)], {height: 'auto'});
    const footer = place(document.createElement('div'));
    footer.append(
      ...Array.from({length: 30}, () => Object.assign(document.createElement('p'), {textContent: 'Footer'})),
    );
    await drawn();
    const page = document.documentElement;
    page.scrollTop += element.getBoundingClientRect().bottom - page.clientHeight + 200;
    await drawn();
    hold(element);
    await drawn();
    const line = row(element, 'prose:1:0').querySelectorAll('p')[36]!;
    const before = top(line);
    for (let n = 41; n < 56; n++) {
      story.show(live(n));
      await drawn();
      assert.ok(isNear(top(line), before), `${top(line) - before} px after ${n} lines`);
    }
  });
}

it('a page is not scrolled to the end of what is over', async () => {
  const {element} = await read([old('a')], {height: 'auto'});
  const later = place(document.createElement('div'));
  later.style.blockSize = '300px';
  root(element).querySelector('[data-type=answer]')!.append(later);
  await drawn();
  assert.equal(document.documentElement.scrollTop, 0);
});

it('the button to the end of a page holds its words, in the middle of what it belongs to', async () => {
  const {element} = await read([live(60)], {height: 'auto'});
  document.documentElement.scrollTop = 200;
  element.dispatchEvent(new WheelEvent('wheel', {deltaY: -4}));
  await until(() => !back(element).hidden && back(element).offsetWidth > 0);
  await drawn();
  const button = back(element);
  assert.ok(button.scrollWidth <= button.clientWidth, `${button.scrollWidth} in ${button.clientWidth} px`);
  const middle = (one: Element) => {
    const {left, width} = one.getBoundingClientRect();
    return left + width / 2;
  };
  assert.ok(Math.abs(middle(button) - middle(element)) < 8, `${middle(button)} of ${middle(element)}`);
});
