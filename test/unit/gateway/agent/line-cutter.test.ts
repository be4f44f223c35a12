import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LineCutter, LineTooLong} from '../../../../src/gateway/agent/line-cutter.js';

const wire = Buffer.from('\ufeff{"a":"é – 😀 – \u2028"}\r\n\n{"b":1}\nno end');
const lines = ['{"a":"é – 😀 – \u2028"}', '', '{"b":1}', 'no end'];

function cut(chunks: readonly Uint8Array[], limit = 1000): string[] {
  const cutter = new LineCutter(limit);
  const found = chunks.flatMap((chunk) => [...cutter.push(chunk)]);
  const rest = cutter.rest();
  return rest === null ? found : [...found, rest];
}

test('E21 cut at every byte, lines are whole and no character is split', () => {
  for (let at = 0; at <= wire.length; at++) {
    assert.deepEqual(cut([wire.subarray(0, at), wire.subarray(at)]), lines, `cut at ${at}`);
  }
  assert.deepEqual(cut([...wire].map((byte) => Buffer.of(byte))), lines);
});

test('a last line without its end is a line, and nothing after an end is none', () => {
  assert.deepEqual(cut([Buffer.from('one\ntwo')]), ['one', 'two']);
  assert.deepEqual(cut([Buffer.from('one\n')]), ['one']);
  assert.deepEqual(cut([]), []);
});

test('E22 a line over the limit is refused before its end has come, one at the limit is not', () => {
  assert.deepEqual(cut([Buffer.from('12345\n')], 5), ['12345']);
  assert.throws(() => cut([Buffer.from('123456')], 5), LineTooLong);
  const cutter = new LineCutter(5);
  assert.deepEqual([...cutter.push(Buffer.from('123'))], []);
  assert.throws(() => [...cutter.push(Buffer.from('456'))], /longer than 5 bytes/);
  for (const chunks of [['1\n123456\n'], ['123', '456\n7'], ['1\n123456'], ['é\nééé\n']]) {
    assert.throws(
      () =>
        cut(
          chunks.map((chunk) => Buffer.from(chunk)),
          5,
        ),
      LineTooLong,
      chunks.join('|'),
    );
  }
  assert.deepEqual(cut([Buffer.from('12345\n12345\n123'), Buffer.from('45\n')], 5), [
    '12345',
    '12345',
    '12345',
  ]);
});

test('E22 a line in 200,000 pieces costs its length, not its square', () => {
  const cutter = new LineCutter(1 << 24);
  const piece = Buffer.from('0123456789');
  const start = process.cpuUsage();
  for (let n = 0; n < 200_000; n++) cutter.push(piece);
  const [line] = [...cutter.push(Buffer.from('\n'))];
  assert.equal(line?.length, 2_000_000);
  const {user, system} = process.cpuUsage(start);
  // The square would be 200 GB of copying: minutes.
  assert.ok(user + system < 10_000_000, `${user + system} µs`);
});
