import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Lazy} from '../../../src/session/lazy.js';

test('a part that does not load says what to do, and may be loaded again', async () => {
  const reason = new TypeError('Failed to fetch');
  let isThere = false;
  const lazy = new Lazy(() => (isThere ? Promise.resolve('part') : Promise.reject(reason)));
  await assert.rejects(lazy.load(), (error: Error) => {
    assert.match(error.message, /Serve its chunks folder beside it\./);
    return error.cause === reason;
  });
  isThere = true;
  assert.equal(await lazy.load(), 'part');
  assert.equal(lazy.loaded, 'part');
});
