import assert from 'node:assert/strict';
import {test} from 'node:test';
import {layerRank, STATE_LAYERS} from '../../../src/anchor/state-layers.js';

test('the seven layers stand in the order of their authority', () => {
  assert.deepEqual(
    STATE_LAYERS.map(({id}) => id),
    [
      'event_envelope',
      'run_journal',
      'settled_transcript',
      'S.messages',
      'INFLIGHT',
      'stream_closure',
      'live_dom',
    ],
  );
});

test('the rank of a layer is its place, counted from one', () => {
  STATE_LAYERS.forEach(({id, rank}, index) => {
    assert.equal(rank, index + 1);
    assert.equal(layerRank(id), rank);
  });
});
