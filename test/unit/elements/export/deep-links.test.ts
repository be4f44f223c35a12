import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fragmentOf, placeOf} from '../../../../src/elements/export/deep-links.js';
import {fileName} from '../../../../src/elements/export/save-file.js';

test('a place is read from the fragment it was written as', () => {
  for (const place of [
    {turnId: 'run_1', itemId: undefined},
    {turnId: 'run/1 #é', itemId: 'tool:call/1?a=b'},
    {turnId: '%', itemId: '"><b>'},
  ])
    assert.deepEqual(placeOf(fragmentOf(place)), place);
});

test('other fragments are another’s', () => {
  for (const fragment of ['', '#', '#turn', '#turn-', '#section-turn-1', '#turn-a/b/c', '#turn-%E0%A4%A'])
    assert.equal(placeOf(fragment), null, fragment);
});

test('the name of a file holds nothing a file system takes for something else', () => {
  assert.equal(fileName('../a/b\\c: "d"? <e>\0\u202Efdp.html'), 'a b c d e fdp.html');
  assert.equal(fileName('שלום עולם.html'), 'שלום עולם.html');
});
