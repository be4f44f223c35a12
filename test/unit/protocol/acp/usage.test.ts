import assert from 'node:assert/strict';
import {test} from 'node:test';
import {resultUsage} from '../../../../src/protocol/acp/usage.js';

const usage = {inputTokens: 176, outputTokens: 12, cachedReadTokens: 1024};

test('where input leaves out what was cached, the share is of both', () => {
  assert.equal(resultUsage({usage}, 'opencode').cacheHitRate, 1024 / 1200);
});

test('a part that is larger than its whole has no share', () => {
  const told = resultUsage({usage}, 'somebody else');
  assert.equal(told.cacheHitRate, undefined);
  assert.equal(told.cacheHitTokens, 1024);
});
