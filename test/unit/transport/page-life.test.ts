import assert from 'node:assert/strict';
import {test} from 'node:test';
import {followPage, isAway, thisPage, type PagedStream} from '../../../src/transport/page-life.js';
import type {ConnectionPhase} from '../../../src/transport/index.js';
import {FakePage} from './fake-page.js';
import {ManualClock} from './manual-clock.js';

interface Following {
  readonly resumable?: boolean;
  readonly phase?: ConnectionPhase;
  readonly isIdle?: () => boolean;
  readonly page?: FakePage;
}

/** A followed page with one stream, and what was done to it. */
function followed({
  resumable = true,
  phase = 'open',
  isIdle = () => false,
  page = new FakePage(),
}: Following = {}) {
  const clock = new ManualClock();
  const done: string[] = [];
  const stream: PagedStream = {
    state: {phase, attempt: 1, error: null, retryAt: null},
    resumable,
    pause: () => done.push('pause'),
    resume: () => done.push('resume'),
    offline: () => done.push('offline'),
    reconnect: () => done.push('reconnect'),
  };
  const stop = followPage({
    streams: () => [stream],
    isIdle,
    onLeave: () => done.push('leave'),
    onReturn: () => done.push('return'),
    page,
    clock,
  });
  return {page, clock, done, stop};
}

const events = [
  ['document', 'freeze', ['leave', 'pause']],
  ['document', 'resume', ['resume', 'return']],
  ['window', 'pagehide', ['leave', 'pause']],
  ['window', 'pageshow', ['resume', 'return']],
  ['window', 'offline', ['offline']],
  ['window', 'online', ['reconnect', 'resume', 'return']],
] as const;

for (const [target, name, expected] of events) {
  test(`${name}: ${expected.join(', ')}`, () => {
    const {page, done} = followed();
    page[target].dispatchEvent(new Event(name));
    assert.deepEqual(done, expected);
  });
}

test('a hidden page keeps its connection for five minutes', async () => {
  const {page, clock, done} = followed();
  page.see('hidden');
  await clock.pass(299_999);
  assert.deepEqual(done, []);
  await clock.pass(1);
  assert.deepEqual(done, ['pause']);
  page.see('visible');
  assert.deepEqual(done, ['pause', 'resume', 'return']);
});

test('a hidden page that waits for nothing gives its connection back after three seconds', async () => {
  const {page, clock, done} = followed({isIdle: () => true});
  page.see('hidden');
  await clock.pass(2_999);
  assert.deepEqual(done, []);
  await clock.pass(1);
  assert.deepEqual(done, ['pause']);
  page.see('visible');
  assert.deepEqual(done, ['pause', 'resume', 'return']);
  await clock.pass(600_000);
  assert.deepEqual([done.length, clock.waiting], [3, 0]);
});

test('what a hidden page waited for ends, and the connection is given back soon', async () => {
  let isIdle = false;
  const {page, clock, done} = followed({isIdle: () => isIdle});
  page.see('hidden');
  await clock.pass(200_000);
  assert.deepEqual(done, []);
  isIdle = true;
  await clock.pass(3_000);
  assert.deepEqual(done, ['pause']);
});

test('what begins on a hidden page has five minutes of its own', async () => {
  let isIdle = true;
  const {page, clock, done} = followed({isIdle: () => isIdle});
  page.see('hidden');
  await clock.pass(400_000);
  done.length = 0;
  isIdle = false;
  await clock.pass(297_000);
  assert.deepEqual(done, []);
  await clock.pass(3_000);
  assert.deepEqual(done, ['pause']);
});

test('a page that was hidden from the first gives its connection back too', async () => {
  const page = new FakePage();
  page.document.visibilityState = 'hidden';
  const {clock, done} = followed({isIdle: () => true, page});
  await clock.pass(3_000);
  assert.deepEqual(done, ['pause']);
});

test('a hidden page that is loaded, thawed or online stays hidden, and lets go again', async () => {
  for (const [target, name] of [
    ['window', 'pageshow'],
    ['document', 'resume'],
    ['window', 'online'],
  ] as const) {
    const {page, clock, done} = followed({isIdle: () => true});
    page.see('hidden');
    page[target].dispatchEvent(new Event(name));
    done.length = 0;
    await clock.pass(3_000);
    assert.deepEqual(done, ['pause'], name);
    page.see('visible');
    assert.equal(clock.waiting, 0);
  }
});

test('a page seen again in time pauses nothing', async () => {
  const {page, clock, done} = followed();
  page.see('hidden');
  await clock.pass(200_000);
  page.see('visible');
  await clock.pass(600_000);
  assert.deepEqual(done, ['resume', 'return']);
});

test('a wire without a cursor is never paused', async () => {
  const {page, clock, done} = followed({resumable: false, isIdle: () => true});
  page.see('hidden');
  await clock.pass(600_000);
  page.window.dispatchEvent(new Event('pagehide'));
  page.document.dispatchEvent(new Event('freeze'));
  page.window.dispatchEvent(new Event('online'));
  assert.deepEqual(done, ['leave', 'leave', 'resume', 'return']);
});

test('going online leaves what is not open to resume', () => {
  const {page, done} = followed({phase: 'waiting'});
  page.window.dispatchEvent(new Event('online'));
  assert.deepEqual(done, ['resume', 'return']);
});

test('a page that nobody follows any more moves nothing', async () => {
  const {page, clock, done, stop} = followed();
  page.see('hidden');
  stop();
  await clock.pass(600_000);
  for (const [target, name] of events) page[target].dispatchEvent(new Event(name));
  assert.deepEqual([done, clock.waiting], [[], 0]);
});

test('away is hidden or offline, and never without a page', () => {
  const page = new FakePage();
  assert.equal(isAway(page), false);
  page.navigator.onLine = false;
  assert.equal(isAway(page), true);
  page.navigator.onLine = true;
  page.see('hidden');
  assert.equal(isAway(page), true);
  assert.deepEqual([thisPage(), isAway()], [null, false]);
  assert.doesNotThrow(followPage({streams: () => []}));
});
