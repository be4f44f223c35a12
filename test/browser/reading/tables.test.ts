import {executeServerCommand} from '@web/test-runner-commands';
import {turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {drawn, read, root} from './page.js';

const table = (rows: readonly string[][]) => {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [lines[0], `|${'---|'.repeat(rows[0]!.length)}`, ...lines.slice(1)].join('\n');
};

const ordinary: Record<string, string[][]> = {
  'words in four columns': [
    ['Area', 'Item', 'Note', 'Owner'],
    ['Transport and its reconnects', 'Cursor after a gap', 'Asks again from there', 'The session team'],
    ['Rendering of long turns', 'Groups of groups', 'Only the last one grows', 'The elements team'],
  ],
  'a sentence beside many numbers': [
    ['Store', 'Size (kB)', 'Cold start (ms)', 'Writes/s', 'Remarks'],
    ['Alder', '48', '3', '21,400', 'A writer blocks all readers for the length of a commit.'],
    ['Birch', '612', '41', '64,900', 'Needs 300 MB of memory and more before it is fast.'],
  ],
  'words that may be parted anywhere': [
    ['项目', '说明', '备注'],
    ['第一个', '这是一个相当长的说明文字，用来看看在很窄的屏幕上表格是怎么排列的。', '无'],
    ['第二个', '短', '这里也有不太短的备注'],
  ],
};

describe('on a phone', () => {
  before(async () => {
    await executeServerCommand('page:viewport', {width: 360, height: 700});
    await drawn();
  });
  after(() => executeServerCommand('page:viewport', {width: 800, height: 600}));

  for (const [what, rows] of Object.entries(ordinary))
    it(`a table is scrolled in its box before its rows stand high: ${what}`, async () => {
      const {element} = await read([turn('a').prompt('Show it.').answer(table(rows)).build()]);
      for (const cell of root(element).querySelectorAll('td'))
        assert.ok(linesOf(cell) <= 3, cell.textContent);
    });

  it('a table of two columns needs no scrolling: a name and a sentence', async () => {
    const rows = [
      ['Name', 'Description'],
      ['alpha', 'A long description of what alpha is, which goes on for more than a line of a phone.'],
    ];
    const {element} = await read([turn('a').prompt('Show it.').answer(table(rows)).build()]);
    const box = root(element).querySelector('.scroll')!;
    assert.equal(box.scrollWidth, box.clientWidth);
  });
});

function linesOf(cell: Element): number {
  const range = new Range();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size;
}
