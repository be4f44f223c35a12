/** What is asked of the reader comes in full with a chunk of its own; nothing before this file's test has loaded that. */
import '../../../src/define.js';
import {loadControlRow} from '../../../src/elements/lazy-control-row.js';
import {loadModel, type HermesTranscript} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {allByRole, createDesk, mount, until} from './stage.js';

before(() => loadModel());

it('an approval says what it asks at once, and is drawn in full when its chunk is here', async () => {
  const desk = createDesk();
  const element = mount<HermesTranscript>('<hermes-transcript></hermes-transcript>', {session: desk.session});
  const root = element.shadowRoot!;
  // Each text that stood there before another took its place.
  const seen: string[] = [];
  const watcher = new MutationObserver(() => seen.push(root.querySelector('.ask')?.textContent ?? ''));
  watcher.observe(root, {childList: true, subtree: true});
  const asks = {approval_id: 'a1', command: 'rm -r build', description: 'deletes files'};
  await desk.feed.send(['approval', asks]);
  await desk.waitFor('a1');
  await loadControlRow();
  const row = root.querySelector<HTMLElement>('[data-type=control]')!;
  await until(() => allByRole(row, 'button').length === 4);
  watcher.disconnect();
  assert.ok(seen.some((text) => text.includes('rm -r build') && !text.includes('deletes files')));
  assert.ok(row.textContent.includes('deletes files'));
  assert.equal(row.querySelector('[data-text]')!.textContent, 'rm -r build');
  // Its look comes with it.
  assert.equal(getComputedStyle(row.querySelector('.choices')!).display, 'flex');
});
