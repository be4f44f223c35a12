import {test} from 'node:test';
import assert from 'node:assert/strict';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {GrowingText} from '../../../src/anchor/text.js';

const pieces = Array.from({length: 1500}, (_, n) => ` ${n % 7 === 0 ? '行' : n}`);

/** All versions of the text, and what each says. */
function versions(from = GrowingText.empty): (readonly [GrowingText, string])[] {
  const made: (readonly [GrowingText, string])[] = [[from, from.toString()]];
  for (const piece of pieces) {
    const [text, said] = made.at(-1)!;
    made.push([text.append(piece), said + piece]);
  }
  return made;
}

test('a text is its pieces, however many, and a version stays what it was', () => {
  for (const from of [GrowingText.empty, GrowingText.of('Once')]) {
    const made = versions(from);
    for (const [text, said] of made) {
      assert.equal(text.length, said.length);
      assert.equal(text.toString(), said);
    }
    for (const [text, said] of made.toReversed()) assert.equal(text.toString(), said);
  }
  assert.equal(GrowingText.empty.toString(), '');
});

test('a reader takes what came after the length it has seen, also where all was read meanwhile', () => {
  for (const isRead of [false, true]) {
    let text = GrowingText.of('Once');
    for (const piece of pieces) {
      if (isRead && piece.length === 4) text.toString();
      const seen = text;
      text = text.append(piece);
      assert.equal(text.since(seen.length), piece);
      assert.equal(text.since(text.length), '');
    }
    const said = `Once${pieces.join('')}`;
    for (let seen = 0; seen <= said.length; seen += 13) assert.equal(text.since(seen), said.slice(seen));
  }
});

test('a version knows those it goes on from, and no others', () => {
  const one = GrowingText.of('One');
  const two = one.append(' two');
  const three = two.append(' three');
  const other = one.append(' or two');
  assert.ok(three.extends(one) && three.extends(two) && three.extends(three));
  assert.ok(!one.extends(two) && !other.extends(two) && !other.extends(one));
  assert.ok(other.extends(GrowingText.empty) && GrowingText.empty.extends(GrowingText.empty));
  assert.deepEqual([one, two, three, other].map(String), ['One', 'One two', 'One two three', 'One or two']);
  assert.ok(three.extends(two), 'also when they were read whole');
  assert.equal(three.append('').append('.').since(two.length), ' three.');
  assert.equal(two.since(one.length), ' two', 'an old version does not see what came later');
  assert.equal(two.append('?').toString(), 'One two?');
});

test('a text of many small pieces takes little more than its characters, and no more once it was read whole', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  let text = GrowingText.empty;
  const before = held();
  for (let piece = 0; piece < 250_000; piece++) text = text.append(String(1000 + (piece % 9000)));
  const grown = (held() - before) / 1_000_000;
  assert.ok(grown < 3, `${grown} bytes a character`);
  assert.equal(text.toString().length, 1_000_000);
  const read = (held() - before) / 1_000_000;
  assert.ok(read < 1.5, `${read} bytes a character once it was read`);
  assert.equal(text.since(999_996).length, 4);
});
