import {test} from 'node:test';
import assert from 'node:assert/strict';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {Written} from '../../../../src/elements/markdown/written.js';

test('what was written is one text, however many pieces it came in', () => {
  const written = new Written('Once');
  let text = 'Once';
  for (let piece = 0; piece < 1000; piece++) {
    written.add(` ${piece}`);
    text += ` ${piece}`;
    if (piece % 100 === 0) assert.equal(written.toString(), text);
  }
  assert.equal(written.toString(), text);
  assert.equal(new Written().toString(), '');
});

test('a text of many small pieces takes little more than its characters', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const written = new Written();
  const before = held();
  for (let piece = 0; piece < 250_000; piece++) written.add(String(1000 + (piece % 9000)));
  const perCharacter = (held() - before) / 1_000_000;
  assert.ok(perCharacter < 3, `${perCharacter} bytes`);
  assert.equal(written.toString().length, 1_000_000);
});
