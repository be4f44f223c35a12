import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Session} from '../../../src/session/index.js';

// In a file of its own: here the folding part is not loaded yet when a session begins.
test('what is asked before the folding part is here is done in order once it is', async () => {
  const session = new Session();
  const changed = new Promise<void>((resolve) => {
    session.subscribe(() => session.transcript.turns.length === 2 && resolve());
  });
  session.snapshot = {
    format: 'hermes.transcript.v1',
    turns: [{id: 'r1', answer: 'Hello.', terminal: 'completed'}],
  };
  session.begin({runId: 'r2', prompt: 'And now?'});
  assert.deepEqual(session.transcript.turns, [], 'nothing is folded yet');
  assert.equal(session.snapshot.format, 'hermes.transcript.v1');
  await changed;
  assert.deepEqual(
    session.snapshot.turns.map(({id, answer, prompt}) => [id, answer, prompt]),
    [
      ['r1', 'Hello.', null],
      ['r2', '', 'And now?'],
    ],
  );
});
