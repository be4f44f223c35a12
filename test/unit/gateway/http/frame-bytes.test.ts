/** Frame bytes: what all readers of a batch share. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {batchPieces, pieceOf} from '../../../../src/gateway/http/frame-bytes.js';

const frames = (count: number, text: string) =>
  Array.from({length: count}, (_, n) => ({
    ...{position: n + 1, run: 'r', seq: n + 1},
    data: JSON.stringify({event: 'message.delta', delta: text}),
  }));

test('a piece is its bytes, and the same as a chunk of HTTP/1.1', () => {
  const text = 'data: é 😀 \ud800\n\n';
  const {bytes, chunk} = pieceOf(text);
  assert.deepEqual(Buffer.from(bytes), Buffer.from(text));
  assert.deepEqual(chunk, Buffer.concat([Buffer.from('13\r\n'), bytes, Buffer.from('\r\n')]));
  assert.equal(bytes.buffer, chunk.buffer);
});

test('one batch is made into bytes once for all its readers, and a batch with names apart', () => {
  const batch = frames(3, 'Hi');
  const pieces = batchPieces(batch, false);
  assert.equal(batchPieces(batch, false), pieces);
  assert.equal(pieces.length, 1);
  assert.match(Buffer.from(batchPieces(batch, true)[0]!.bytes).toString(), /^event: message\.delta$/m);
});

test('a long batch comes in pieces of some 64 KiB', () => {
  const pieces = batchPieces(frames(50, 'x'.repeat(10_000)), false);
  assert.ok(pieces.length > 5 && pieces.every(({bytes}) => bytes.length < 80_000));
});
