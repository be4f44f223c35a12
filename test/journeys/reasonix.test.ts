/** The same job with Reasonix: its real process on a mock model, the notes over MCP. */
import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {startMockModel, type MockModel} from '../support/mock-model/mock-model.js';
import {reasonixBinary, reasonixNote, reasonixToml} from '../support/real-agents/reasonix.js';
import {inEachEngine, type DeskOptions} from './desk.js';

const bin = reasonixBinary();
const skip = bin === null && 'Reasonix is not installed here.';

inEachEngine((open) => {
  const openWithReasonix = async (context: TestContext) => {
    const model = await startMockModel();
    const desk = await open(context, options(model));
    context.after(async () => {
      model.release();
      await model.stop();
    });
    const person = await desk.page();
    await person.choose('Agent', 'reasonix');
    return {desk, model, person};
  };

  test('Reasonix edits a note once that is approved', {skip}, async (context) => {
    const {desk, person} = await openWithReasonix(context);
    // It asks once the reader wants that; what a session has to set is known when there is one.
    await person.prompt('HELLO');
    await person.ended(1);
    await person.choose('Permissions', 'read-only');
    const edits = [{oldText: 'The old shed', newText: 'The new shed'}];
    await person.prompt(
      [
        reasonixNote('mnote_doc_fetch', {docId: 'garden-shed'}),
        reasonixNote('mnote_doc_markdown_edit', {docId: 'garden-shed', revision: '$revision', edits}),
      ].join(' '),
    );
    assert.ok((await person.allowAll(2)) > 0, 'it asks');
    const turn = await person.ended(2);
    assert.equal(turn.terminal, 'completed');
    assert.match(await desk.file(), /The new shed/);
    await person.until('the editor shows it', person.note, (text) => text.includes('The new shed'));
    await person.assertReconciled();
    desk.assertSilent();
  });

  test('Reasonix is stopped; and its run goes on in a page that is loaded anew', {skip}, async (context) => {
    const {desk, model, person} = await openWithReasonix(context);
    await person.prompt('SLOW please');
    await person.until('it writes', person.said, (said) => said.includes('Hello'));
    await person.click('button', 'Stop');
    assert.equal((await person.ended(1)).terminal, 'cancelled');
    await person.prompt('SLOW again');
    await person.turn('it writes', ({prompt, answer}) => prompt.includes('again') && answer !== null);
    const {id} = (await person.last())!;
    await person.reload();
    const again = await person.turn('the turn is there again', ({prompt}) => prompt.includes('again'));
    assert.ok([again.id, ...again.aliases].includes(id));
    assert.equal(again.terminal, null, 'it still runs');
    model.release();
    const turn = await person.ended(2);
    assert.deepEqual(
      [turn.terminal, turn.answer],
      ['completed', 'Hello — this is the **mock** model. 你好 🌍'],
    );
    await person.assertReconciled();
    desk.assertSilent();
  });
});

function options(model: MockModel): DeskOptions {
  return {
    profiles: [
      {name: 'demo'},
      {name: 'reasonix', bin, args: ['acp'], env: {MOCK_KEY: 'mock', HOME: '/nonexistent'}},
    ],
    files: {
      'work/reasonix.toml': reasonixToml(model.url),
    },
  };
}
