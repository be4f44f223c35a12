/** A control between two parts of one message: rows change places, and the reader's focus and selection stay. */
import {sendKeys} from '@web/test-runner-commands';
import '../../../src/define.js';
import {loadControlRow} from '../../../src/elements/lazy-control-row.js';
import {loadModel, type HermesTranscript} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {settled, token, tool} from '../elements/feed.js';
import {byRole, createDesk, focused, mount, read} from './stage.js';

before(() => Promise.all([loadModel(), loadControlRow()]));

async function asked(mode: string) {
  const desk = createDesk();
  const element = mount<HermesTranscript>(`<hermes-transcript mode="${mode}"></hermes-transcript>`, {
    session: desk.session,
  });
  await desk.feed.send(token('The first part. '), [
    'approval',
    {approval_id: 'a1', command: 'make', description: 'builds'},
  ]);
  await desk.waitFor('a1');
  await read();
  const rows = () => [...element.shadowRoot!.querySelectorAll<HTMLElement>('[data-item-id]')];
  const order = () =>
    rows()
      .map(({dataset}) => dataset['type'])
      .filter((type) => type === 'answer' || type === 'control' || type === 'prose');
  const rowOf = (type: string) => rows().find(({dataset}) => dataset['type'] === type)!;
  return {...desk, element, order, rowOf};
}

for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only']) {
  describe(`a control in the middle of a message, ${mode}`, () => {
    it('keeps its row and the focus when the message goes on', async () => {
      const {feed, order, rowOf} = await asked(mode);
      assert.deepEqual(order(), ['answer', 'control']);
      const row = rowOf('control');
      byRole(row, 'button', /Allow once/).focus();
      await sendKeys({press: 'Enter'});
      await settled();
      assert.equal(focused(), byRole(row, 'group'));
      await feed.send(token('The second part.'));
      assert.deepEqual(order(), ['control', 'answer']);
      assert.equal(rowOf('control'), row);
      assert.equal(focused(), byRole(row, 'group'));
      await feed.send(tool('c1', 'terminal', {command: 'make'}), token('The end.'));
      assert.equal(rowOf('control'), row);
      assert.equal(focused(), byRole(row, 'group'));
    });

    it('leaves what is selected in the message where it is', async () => {
      const {feed, order, rowOf} = await asked(mode);
      const answer = rowOf('answer');
      const words = answer.querySelector('p')!.firstChild as Text;
      getSelection()!.setBaseAndExtent(words, 4, words, 9);
      await feed.send(token('The second part.'));
      assert.deepEqual(order(), ['control', 'answer']);
      assert.equal(rowOf('answer'), answer);
      assert.ok(words.isConnected);
      assert.equal(getSelection()!.toString(), 'first');
      getSelection()!.removeAllRanges();
    });
  });
}
