import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {acpFamilies, acpFamilyTests} from './acp-families.js';
import {familyDocument, familyTests} from './document.js';
import {elsewhere} from './elsewhere.js';
import {FAMILIES} from './family.js';

const numbers = Array.from({length: FAMILIES}, (_, index) => index + 1);

test('every bug family has a test, or a reason why it has none', () => {
  const held = new Set([...familyTests(), ...elsewhere].map(({number}) => number));
  assert.deepEqual(
    numbers.filter((number) => !held.has(number)),
    [],
  );
  assert.deepEqual(
    [...held].filter((number) => !numbers.includes(number)),
    [],
  );
});

test('a family is tested here, unless it cannot occur or is held by a later issue as a whole', () => {
  const tested = new Set(familyTests().map(({number}) => number));
  assert.deepEqual(
    numbers.filter((number) => !tested.has(number)),
    [30],
  );
});

test('every test of a family is listed: number and fact are literals at the beginning of a line', () => {
  const listed = new Map<string, number>();
  for (const {file} of familyTests()) listed.set(file, (listed.get(file) ?? 0) + 1);
  for (const [file, count] of listed) {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    assert.equal(text.match(/\bfamily\(/g)?.length, count, file);
  }
});

test('a tag of the ACP families names one of them', () => {
  assert.deepEqual(
    acpFamilyTests().filter(({number}) => number < 1 || number > acpFamilies.length),
    [],
  );
});

test('docs/bug-families.md is up to date; `npm run families` writes it', () => {
  const written = readFileSync(new URL('../../../docs/bug-families.md', import.meta.url), 'utf8');
  assert.equal(written, familyDocument());
});
