/** A path that is wider than its line loses its beginning: what files are called is what differs. */
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, place, press, read, root, row} from './page.js';

const folder = 'packages/server-side-rendering/source/pages/';
const name = 'about-the-garden.md';

async function opened(path: string, args: object = {path}, dir = 'ltr') {
  const box = place(document.createElement('div'));
  box.style.inlineSize = '360px';
  box.dir = dir;
  const two = turn('t')
    .prompt('Go.')
    .tool('read_file', {...args})
    .tool('bash', {command: 'make'})
    .answer('Done.');
  const {element} = await read([two.build()], {height: '400px', parent: box});
  press(element, 'worklog');
  await drawn();
  const more = row(element, 'tool:c1').querySelector<HTMLElement>('.more')!;
  return {element, more, isSeen: (from: number, to: number) => isSeen(more, from, to)};
}

/** Whether these letters are in sight; a few pixels of the first may lie under the dots. */
function isSeen(box: HTMLElement, from: number, to: number): boolean {
  const {left, right} = box.getBoundingClientRect();
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const range = new Range();
  for (let at = 0, node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (from >= at && from <= at + node.length) range.setStart(node, from - at);
    if (to >= at && to <= at + node.length) range.setEnd(node, to - at);
    at += node.length;
  }
  const rects = [...range.getClientRects()];
  return rects.length > 0 && rects.every((rect) => rect.left >= left - 1 && rect.right <= right + 1);
}

for (const dir of ['ltr', 'rtl'])
  it(`its name is in sight and its folders are cut, in a page that runs ${dir}`, async () => {
    const {more, isSeen} = await opened(folder + name, undefined, dir);
    assert.ok(more.scrollWidth > more.clientWidth || !isSeen(0, 4), 'it is cut');
    assert.ok(isSeen(folder.length, folder.length + name.length), 'the name');
    assert.equal(isSeen(0, 4), false, 'the first folder');
  });

it('a short one stands at the start of its room, in full', async () => {
  for (const dir of ['ltr', 'rtl']) {
    const {more, isSeen} = await opened('pages/a.md', undefined, dir);
    assert.ok(isSeen(0, 10));
    const [box, text] = [more, more.querySelector('bdi')!].map((one) => one.getBoundingClientRect());
    assert.ok(Math.abs(dir === 'ltr' ? text!.left - box!.left : box!.right - text!.right) < 2, dir);
  }
});

it('folders and name of another script stand in their order, each read its own way', async () => {
  const hebrew = 'תיקייה/קובץ.md';
  const {more} = await opened(hebrew);
  const [first, last] = [...more.querySelectorAll('bdi bdi')].map((one) => one.getBoundingClientRect());
  assert.ok(first!.right <= last!.left + 1);
  const {isSeen} = await opened(`${'תיקייה ארוכה מאוד/'.repeat(6)}קובץ.md`);
  assert.ok(isSeen(6 * 18, 6 * 18 + 7), 'the name');
});

it('it is copied as one text, and read as one', async () => {
  const {element, more} = await opened(`${folder}a b.md`);
  getSelection()!.selectAllChildren(more);
  assert.equal(getSelection()!.toString() || more.innerText, `${folder}a b.md`);
  assert.equal(more.textContent, `${folder}a b.md`);
  assert.ok(root(element).contains(more));
});

it('what is no path keeps its beginning', async () => {
  const command = `cat ${folder}${name} | sort`;
  const {more, isSeen} = await opened('', {command});
  assert.equal(more.textContent, command);
  assert.ok(isSeen(0, 12));
});
