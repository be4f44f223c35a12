import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, read, row, turnsOf, until} from './page.js';

const intervals = new Set<number>();
const {setInterval: set, clearInterval: clear} = window;

before(() => {
  window.setInterval = ((...args: Parameters<typeof setInterval>) => {
    const id = set(...args);
    intervals.add(id);
    return id;
  }) as typeof setInterval;
  window.clearInterval = (id) => {
    intervals.delete(id as number);
    clear(id);
  };
});
after(() => Object.assign(window, {setInterval: set, clearInterval: clear}));

const running = (id: string, ago: number | null) =>
  turn(id)
    .prompt('Go.')
    .thought('Hm.')
    .running()
    .with({startedAt: ago === null ? null : Date.now() - ago});
const clock = (element: Element, index = 0) =>
  row(element, 'status', index).querySelector('.end')?.textContent;
/** The clock in seconds; that it has the form is asserted. */
function seconds(element: Element, index = 0): number {
  const [, minutes = 0, rest] = /^(?:(\d+) min )?(\d+) s$/.exec(clock(element, index) ?? '') ?? [];
  assert.ok(rest, `the clock says ${clock(element, index)}`);
  return Number(minutes) * 60 + Number(rest);
}

it('one timer serves all turns, and is gone with the last of them', async () => {
  const begun = Date.now();
  const {story, element} = await read([running('a', 5000).build(), running('b', 125_000).build()], {
    height: '400px',
  });
  assert.equal(intervals.size, 1);
  const [first, second] = [seconds(element, 0), seconds(element, 1)];
  const passed = (Date.now() - begun) / 1000;
  assert.ok(first >= 5 && first <= 5 + passed, `${first} s after ${passed}`);
  assert.ok(second >= 125 && second <= 125 + passed, `${second} s after ${passed}`);
  await until(() => seconds(element, 0) > first && seconds(element, 1) > second);
  story.show(turn('a').prompt('Go.').answer('Done.').build(), running('b', 126_000).build());
  await drawn();
  assert.equal(intervals.size, 1);
  element.remove();
  await drawn();
  assert.equal(intervals.size, 0);
  document.body.append(element);
  await drawn();
  assert.equal(intervals.size, 1);
  story.show(turn('a').prompt('Go.').answer('Done.').build());
  await drawn();
  assert.equal(intervals.size, 0);
});

it('a hidden page counts nothing', async () => {
  const {element} = await read([running('a', 5000).build()]);
  let hidden = true;
  Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event('visibilitychange'));
  assert.equal(intervals.size, 0);
  hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  assert.equal(intervals.size, 1);
  delete (document as {hidden?: boolean}).hidden;
  element.remove();
});

it('nothing is counted that nobody told the beginning of, or that lies ahead', async () => {
  const {element} = await read([running('a', null).build(), running('b', -60_000).build()]);
  assert.equal(row(element, 'status').querySelector('.end'), null);
  assert.equal(clock(element, 1), '');
});

it('a finished turn says what it took, as far as that was told', async () => {
  const usage = {
    inputTokens: 1200,
    outputTokens: 30,
    cacheHitTokens: null,
    cacheHitRate: 0.5,
    cost: null,
    used: null,
    size: null,
  };
  const told = turn('a').answer('Done.').with({startedAt: 1000, completedAt: 13_400, usage}).build();
  const {element} = await read([told, turn('b').answer('Done.').build()]);
  const [first, second] = turnsOf(element).map((one) => one.querySelector('[part~=usage]'));
  assert.equal(
    first!.textContent.replace(/\s+/g, ' ').trim(),
    `12 s ${(1200).toLocaleString()} tokens read 50% from the cache 30 written`,
  );
  assert.equal(second, null);
  assert.equal(getComputedStyle(first!).display, 'flex');
});
