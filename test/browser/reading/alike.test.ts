/** A turn that was watched looks as it does when it is loaded, but for what the reader chose or is at. */
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, press, read, root, row, selected} from './page.js';

const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
const asked = (more: object) =>
  turn('t')
    .prompt('Go.')
    .thought('I should look.')
    .tool('read_file', {path: 'a'}, {output: 'a'})
    .control('permission', 'Edit x', {id: 'p1', diff, ...more});
const pending = () => asked({status: 'pending'}).running().build();
const working = () => asked({choice: 'yes'}).tool('bash', {command: 'make'}).running().build();
const over = () => asked({choice: 'yes'}).tool('bash', {command: 'make'}).answer('Done.').build();

const control = (element: Element) =>
  root(element).querySelector<HTMLElement>('[data-type=control]:not([hidden])')!;
const details = (element: Element) => control(element).querySelector('details')!;

/** What is in sight of each row, and whether it is open. */
const looks = (element: Element) =>
  [...root(element).querySelectorAll<HTMLElement>('[data-item-id]')].map((one) =>
    [
      one.dataset['itemId'],
      one.hidden !== false,
      one.querySelector(':scope > [aria-expanded]')?.getAttribute('aria-expanded'),
      one.querySelector('details')?.open,
    ].join(' '),
  );

async function watched(act?: (element: Element) => void) {
  const {story, element} = await read([pending()], {height: '600px'});
  assert.ok(details(element).open);
  // Where the focus is put for whoever answers by pointer.
  const ask = control(element).querySelector<HTMLElement>('.ask')!;
  ask.addEventListener('click', () => ask.focus(), {once: true});
  ask.dispatchEvent(new MouseEvent('click', {detail: 1, bubbles: true, composed: true}));
  act?.(element);
  await drawn();
  story.show(working());
  await drawn();
  return {story, element};
}

it('what was asked and the worklog are folded when the turn is over, for who has answered too', async () => {
  const {story, element} = await watched();
  assert.equal(details(element).open, false);
  const {element: replayed} = await read([working()], {height: '600px'});
  assert.deepEqual(looks(element), looks(replayed));
  story.show(over());
  await drawn();
  const {element: loaded} = await read([over()], {height: '600px'});
  assert.deepEqual(looks(element), looks(loaded));
  assert.equal(row(loaded, 'worklog').querySelector('button')!.ariaExpanded, 'false');
});

it('what the reader has selected in it stays open, until the next visit', async () => {
  const {story, element} = await watched((element) => {
    const text = details(element).querySelector('.add')!.firstChild!;
    getSelection()!.setBaseAndExtent(text, 0, text, 2);
  });
  assert.ok(details(element).open);
  story.show(over());
  await drawn();
  assert.ok(details(element).open);
  assert.equal(selected(element)?.endOffset, 2);
});

it('where the focus is in it, it stays open', async () => {
  const {element} = await watched((element) => details(element).querySelector('summary')!.focus());
  assert.ok(details(element).open);
});

it('what the reader closed or opened stays so', async () => {
  const {story, element} = await watched((element) => (details(element).open = false));
  assert.equal(details(element).open, false);
  details(element).open = true;
  press(element, 'worklog');
  press(element, 'worklog');
  story.show(over());
  await drawn();
  assert.ok(details(element).open);
  assert.equal(row(element, 'worklog').querySelector('button')!.ariaExpanded, 'true');
});
