import assert from 'node:assert/strict';
import {test} from 'node:test';
import {StreamError, type StreamErrorCode} from '../../../src/transport/index.js';

/** Every code, and whether the stream tries again by itself. */
const codes: Record<StreamErrorCode, boolean> = {
  unauthorized: false,
  forbidden: false,
  'not-found': false,
  conflict: false,
  refused: false,
  'server-error': true,
  'connection-failed': true,
  'cut-short': true,
  stalled: true,
  offline: true,
  buffered: false,
  'not-a-stream': false,
  'frame-too-large': false,
  'handler-failed': false,
  'not-resumable': false,
  'no-terminal': false,
  'gave-up': false,
};

for (const [code, transient] of Object.entries(codes) as [StreamErrorCode, boolean][]) {
  test(`${code} says what happened and what to do`, () => {
    const cause = new Error('cause');
    const error = new StreamError(code, {status: 418, cause});
    assert.match(error.message, /^[A-Z].+\. [A-Z].+\.$/);
    assert.deepEqual([error.transient, error.status, error.cause], [transient, 418, cause]);
  });
}
