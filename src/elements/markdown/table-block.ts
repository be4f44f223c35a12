/** A table, which scrolls in a box of its own and can be copied in three formats. */
import {textOf, type MarkdownElement} from '../../markdown/index.js';
import {copyButton} from './copy-button.js';
import {direct} from './direction.js';
import type {Drawing} from './draw.js';
import type {ProseHost} from './prose-host.js';
import {tableFormats} from './table-text.js';

/** What a table was drawn from; its cells are read when somebody copies them. */
const sources = new WeakMap<Element, MarkdownElement>();

export function tableBlock(node: MarkdownElement, host: ProseHost, drawing: Drawing): HTMLElement {
  const figure = document.createElement('figure');
  figure.className = 'table';
  figure.setAttribute('part', 'table');
  const box = document.createElement('div');
  box.className = 'scroll';
  box.tabIndex = 0;
  box.role = 'group';
  box.ariaLabel = host.words.table;
  const table = document.createElement('table');
  table.append(document.createElement('thead'), document.createElement('tbody'));
  box.append(table);
  const bar = document.createElement('figcaption');
  bar.setAttribute('part', 'caption');
  for (const [format, write] of Object.entries(tableFormats))
    bar.append(copyButton(host.words.copyAs(format), host.words, () => write(cellsOf(sources.get(figure)!))));
  figure.append(bar, box);
  patchTable(figure, null, node, drawing);
  return figure;
}

export function patchTable(
  figure: HTMLElement,
  old: MarkdownElement | null,
  next: MarkdownElement,
  drawing: Drawing,
): void {
  const table = figure.querySelector('table')!;
  const [head, body] = table.children as unknown as [HTMLTableSectionElement, HTMLTableSectionElement];
  const rows = (table: MarkdownElement | null) =>
    [table?.children.slice(0, 1) ?? [], table?.children.slice(1) ?? []] as const;
  const [oldHead, oldBody] = rows(old);
  const [nextHead, nextBody] = rows(next);
  drawing.patchChildren(head, oldHead, nextHead);
  drawing.patchChildren(body, oldBody, nextBody);
  // Of the rows that were there, only the last one may have grown.
  for (let row = Math.max(0, oldBody.length - 1); row < nextBody.length; row++)
    for (const cell of body.rows[row]?.cells ?? []) cell.dataset['length'] = lengthOf(cell);
  // Also what scrolls: it begins where one begins to read.
  direct(table.parentElement!, oldHead[0] !== nextHead[0]);
  sources.set(figure, next);
}

/**
 * How much room a cell is given: a table that is wider than its box has every column as narrow as its longest word. Words
 * and numbers stay in one line, sentences get one that can be read.
 */
function lengthOf({textContent}: Element): string {
  // Letters of East Asia are twice as wide, and may be parted anywhere.
  const {length} = textContent.replace(/[\u2E80-\uFFEF]/g, '$&$&');
  return length > 60 ? 'longer' : length > 30 ? 'long' : length > 12 ? 'middle' : 'short';
}

function cellsOf({children}: MarkdownElement): readonly (readonly string[])[] {
  return children.map((row) => (row as MarkdownElement).children.map((cell) => textOf([cell])));
}
