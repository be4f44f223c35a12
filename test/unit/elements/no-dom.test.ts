/** The package, as it is built, where there is no document: on a server that draws pages. */
import assert from 'node:assert/strict';
import {test} from 'node:test';

const names = [
  'HermesSession',
  'HermesTranscript',
  'HermesTurn',
  'HermesComposer',
  'HermesRuntimePicker',
] as const;

test('it is imported, and its elements are made, where there is no document', async () => {
  assert.equal(typeof document, 'undefined');
  const elements = await import('hermes-elements');
  for (const name of names) assert.ok(new elements[name](), name);
});

test('its elements are registered there', async () => {
  await assert.doesNotReject(import('hermes-elements/define'));
});

test('an element can be asked what it shows, which is nothing yet', async () => {
  const {HermesTranscript} = await import('hermes-elements');
  const element = new HermesTranscript();
  assert.deepEqual([element.shown, element.snapshot], [null, null]);
});
