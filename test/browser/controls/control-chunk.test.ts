/** What is asked of the reader comes in full with a chunk of its own; nothing before this file's test has loaded that. */
import '../../../src/define.js';
import {loadControlRow} from '../../../src/elements/lazy-control-row.js';
import type {HermesTranscript} from '../../../src/index.js';
import {loadModel} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {allByRole, createDesk, mount, until} from './stage.js';

before(() => loadModel());

it('an approval says what it asks at once, and is drawn in full when its chunk is here', async () => {
  const desk = createDesk();
  const element = mount<HermesTranscript>('<hermes-transcript></hermes-transcript>', {session: desk.session});
  await desk.feed.send([
    'approval',
    {approval_id: 'a1', command: 'rm -r build', description: 'deletes files'},
  ]);
  const rowOf = () => element.shadowRoot!.querySelector<HTMLElement>('[data-type=control]')!;
  assert.equal(rowOf().querySelector('[data-text]')!.textContent, 'rm -r build');
  assert.ok(!/deletes files/.test(rowOf().textContent));
  await desk.waitFor('a1');
  await loadControlRow();
  await until(() => allByRole(rowOf(), 'button').length === 4);
  assert.ok(/deletes files/.test(rowOf().textContent));
  assert.equal(rowOf().querySelector('[data-text]')!.textContent, 'rm -r build');
});
