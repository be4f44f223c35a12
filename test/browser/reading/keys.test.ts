import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, keys, place, press, read, root, row, turnsOf} from './page.js';

const work = (id: string) =>
  turn(id)
    .prompt(`Question ${id}`)
    .thought('Hm.')
    .prose('I look.')
    .tool('read_file', {path: 'a'}, {output: 'text'})
    .tool('read_file', {path: 'b'}, {output: 'text'})
    .prose('Now the build.')
    .tool('terminal', {command: 'make'}, {status: 'error', output: 'no rule'})
    .answer('There is no makefile.')
    .build();

/** What has the focus: the row it is in, else the turn, else the tag. */
function focus(element: Element): string {
  const active = root(element).activeElement as HTMLElement | null;
  if (!active)
    return document.activeElement === element ? 'transcript' : (document.activeElement?.localName ?? '');
  return (
    active.closest<HTMLElement>('[data-item-id]')?.dataset['itemId'] ??
    active.dataset['turnId'] ??
    active.localName
  );
}

it('tab comes to the transcript, then to one button a turn and to its actions; arrows, Home and End go on from there', async () => {
  const before = place(document.createElement('button'));
  const {element} = await read([work('a'), work('b')], {height: '500px'});
  press(element, 'worklog');
  await drawn();
  before.focus();
  await keys('Tab');
  assert.equal(focus(element), 'transcript');
  await keys('Tab');
  assert.equal(focus(element), 'worklog');
  const path = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'ArrowDown', 'Home', 'ArrowUp']) {
    await keys(key);
    path.push(focus(element));
  }
  const last = 'error';
  assert.deepEqual(path, [
    'reasoning:0:0',
    'group:tool:c1',
    'reasoning:0:0',
    last,
    last,
    'worklog',
    'worklog',
  ]);
  await keys('End');
  await keys('Tab');
  assert.ok(
    root(element).activeElement!.closest('[part=actions]'),
    'then what the turn can be taken along by',
  );
  await keys('Tab');
  assert.ok(turnsOf(element)[1] === root(element).activeElement!.closest('[part=turn]'));
  await keys('Shift', 'Tab');
  await keys('Shift', 'Tab');
  assert.equal(focus(element), last, 'comes back to where it was');
});

it('Enter and Space open and close; what is hidden is not reached', async () => {
  const {element} = await read([work('a')], {height: '500px'});
  const summary = row(element, 'worklog').querySelector('button')!;
  summary.focus();
  await keys('ArrowDown');
  assert.equal(focus(element), 'error', 'nothing else is in sight');
  await keys('ArrowUp');
  await keys('Enter');
  await drawn();
  assert.equal(summary.getAttribute('aria-expanded'), 'true');
  await keys('ArrowDown');
  await keys('ArrowDown');
  await keys(' ');
  await drawn();
  await keys('ArrowDown');
  assert.equal(focus(element), 'tool:c1');
  await keys('Enter');
  await drawn();
  assert.ok(row(element, 'tool:c1').textContent.includes('text'));
  const reachable = [...root(element).querySelectorAll<HTMLElement>('button, a, [tabindex]')].filter(
    (one) => one.closest('[hidden]') && one.offsetParent !== null,
  );
  assert.deepEqual(reachable.length, 0);
});

it('Alt and arrows go from turn to turn, from the first in sight', async () => {
  const {element} = await read([work('a'), work('b'), work('c')], {height: '280px'});
  element.focus();
  await keys('Alt', 'ArrowUp');
  const path = [focus(element)];
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown']) {
    await keys('Alt', key);
    path.push(focus(element));
  }
  assert.deepEqual(path, ['b', 'a', 'a', 'a', 'b']);
  const {top} = turnsOf(element)[1]!.getBoundingClientRect();
  assert.ok(Math.abs(top - element.getBoundingClientRect().top) < 3);
  const name = turnsOf(element)[1]! as HTMLElement & {ariaLabel: string | null};
  assert.equal(name.tabIndex, -1);
});

it('the focus is not lost when a row is folded away by the page', async () => {
  const {element} = await read([work('a')], {mode: 'transparent-stream', height: '500px'});
  row(element, 'tool:c3').querySelector('button')!.focus();
  element.mode = 'compact-worklog';
  await drawn();
  assert.equal(focus(element), 'tool:c3', 'its worklog and its group stay open for it');
  element.mode = 'answer-only';
  await drawn();
  assert.equal(focus(element), 'a', 'the turn has it where the row is gone');
});
