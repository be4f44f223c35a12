/** Ends that a server makes up for a worker it misses, and the true one after them. */
import {loadModel} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {facts, rowsInAllModes} from '../journeys/stage.js';
import {Stage} from './stage.js';

before(() => loadModel());

const stages: Stage[] = [];
const staged = (fault: string, history = false) => {
  const stage = new Stage({fault, history});
  stages.push(stage);
  return stage;
};
afterEach(() => {
  for (const stage of stages.splice(0)) stage.remove();
});

it('the true end later in the same body: ends as if undisturbed, without a second request', async () => {
  const calm = staged('none');
  await calm.phase('ended');
  const stage = staged('synthetic-then-true');
  await stage.phase('ended');
  await stage.settled();
  assert.equal(stage.session.connection.error, null);
  assert.equal(stage.breaks, 0);
  assert.deepEqual(facts(stage.element), facts(calm.element));
  assert.deepEqual(await rowsInAllModes(stage.element), await rowsInAllModes(calm.element));
});

it('without one the turn says that it may be restored, and not that it failed', async () => {
  const stage = staged('synthetic-end');
  await stage.phase('ended');
  const turn = stage.session.transcript.turns.at(-1)!;
  assert.deepEqual([turn.status, turn.evidence], ['restoring', 'synthetic']);
  await rowsInAllModes(stage.element);
});

it('without one, but with a history: ends as the history has it', async () => {
  const stage = staged('synthetic-end', true);
  await stage.settled();
  assert.deepEqual(
    stage.session.transcript.turns.map(({terminal, answer}) => [terminal, String(answer)]),
    [['completed', 'The file has drei Überschriften 🌱.']],
  );
});
