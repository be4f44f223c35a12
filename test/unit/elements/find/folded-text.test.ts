import assert from 'node:assert/strict';
import {test} from 'node:test';
import {countOf, foldText, occurrences} from '../../../../src/elements/find/folded-text.js';

const same: readonly [string, string][] = [
  ['Straße\u00a0Nr.', 'straße nr.'],
  ['CAFE\u0301', 'café'],
  ['İstanbul', 'istanbul'],
  ['co\u00adop\u200berate', 'cooperate'],
  ['한국어', '한국어'],
  ['שָׁלוֹם', 'שלום'],
  ['हिन्दी', 'हिन्दी'],
];

for (const [text, other] of same)
  test(`${text} is found by ${other}`, () => {
    assert.equal(foldText(text).text, foldText(other).text);
  });

test('letters of another word are no accents', () => {
  assert.notEqual(foldText('हिन्दी').text, foldText('हनद').text);
});

test('a place in the folded text is one in the text as it was', () => {
  for (const text of ['abc def', 'a\u0301é\u00adx 🙂 y', 'A😀B\u0301C'])
    for (const wanted of ['def', 'x', 'y', 'b', 'c', 'ae'].map((one) => foldText(one).text)) {
      const {text: folded, at} = foldText(text);
      for (const start of occurrences(folded, wanted)) {
        const found = text.slice(at(start), at(start + wanted.length));
        assert.equal(foldText(found).text, wanted, JSON.stringify([text, found]));
      }
    }
});

test('places do not overlap, and nothing is found by nothing', () => {
  assert.equal(countOf('aaaa', 'aa'), 2);
  assert.equal(countOf('aaaa', ''), 0);
});
