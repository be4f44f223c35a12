import {inSight} from '../../../src/elements/in-sight.js';
import * as assert from '../../support/assert.js';

let box: HTMLElement;

beforeEach(() => {
  box = document.createElement('div');
  box.style.cssText = 'position: absolute; top: 0; inline-size: 200px';
  document.body.append(box);
});
afterEach(() => box.remove());

function add(id: string, height: number, within: Element = box): HTMLElement {
  const element = document.createElement('div');
  element.id = id;
  if (height) element.style.blockSize = `${height}px`;
  within.append(element);
  return element;
}
const seen = (top: number, bottom: number) => [...inSight(box, top, bottom)].map(({id}) => id);

it('finds what stands between two heights, what is inside before what it is in', () => {
  add('above', 100);
  const long = add('long', 0);
  for (const id of ['a', 'b', 'c']) add(id, 50, long);
  add('low', 20).append(document.createElement('b'));
  add('below', 100);
  assert.deepEqual(seen(120, 210), ['a', 'b', 'c', 'long']);
  assert.deepEqual(seen(160, 300), ['b', 'c', 'long', 'low', 'below']);
  assert.deepEqual(seen(0, 100), ['above']);
  assert.deepEqual(seen(400, 500), []);
});

it('is not led astray by what stands outside the flow', () => {
  for (const id of ['a', 'b']) add(id, 100);
  add('first', 10).style.cssText = 'position: fixed; top: 0';
  box.prepend(box.lastElementChild!);
  add('last', 10).style.cssText = 'position: absolute; top: 0';
  assert.deepEqual(seen(120, 160), ['b']);
});

it('passes over what has no box, wherever it stands', () => {
  for (let n = 0; n < 60; n++) {
    const one = add(`r${n}`, 50);
    if (n % 3 || n > 50) one.style.display = 'none';
  }
  assert.deepEqual(seen(60, 160), ['r3', 'r6', 'r9']);
  assert.deepEqual(seen(820, 900), ['r48']);
  for (const one of box.children as HTMLCollectionOf<HTMLElement>) one.style.display = 'none';
  assert.deepEqual(seen(0, 900), []);
});

it('asks few of many where they are', () => {
  for (let n = 0; n < 5000; n++) add(`r${n}`, 20);
  let asked = 0;
  const own = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function () {
    asked++;
    return own.call(this);
  };
  try {
    assert.deepEqual(seen(60_010, 60_050), ['r3000', 'r3001', 'r3002']);
  } finally {
    Element.prototype.getBoundingClientRect = own;
  }
  assert.ok(asked < 20, `${asked} times`);
});
