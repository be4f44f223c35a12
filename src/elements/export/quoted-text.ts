/**
 * What is selected in drawn Markdown, as a person would quote it: paragraphs with blank lines between them, items with
 * their marks, the lines of code as they are. What stands around all of the selection leaves no mark.
 */

/** What a selection touches of one block. */
export interface Selected {
  readonly block: Element | null;
  text: string;
}

const BLOCK =
  'pre, p, li, h1, h2, h3, h4, h5, h6, td, th, blockquote, div, dd, dt, summary, caption, center, details';

/** Lines of code are one block. */
function blockOf(node: Node): Element | null {
  const {parentElement} = node;
  return parentElement?.closest('pre') ?? parentElement?.closest(BLOCK) ?? null;
}

/** Adds a text to what is selected of its block. */
export function addText(parts: Selected[], node: Text, text: string): void {
  const block = blockOf(node);
  const last = parts.at(-1);
  if (last?.block !== block) return void parts.push({block, text});
  const isParted = node.previousSibling instanceof HTMLBRElement && !text.startsWith('\n');
  last.text += isParted ? `\n${text}` : text;
}

/** `within` is the innermost element around all of it. */
export function quotedText(parts: readonly Selected[], within: Element): string {
  const begun = new Set<Element>();
  let text = '';
  let before: Element | null = null;
  for (const {block, text: selected} of parts) {
    const isCode = block?.matches('pre, .diff-line');
    const own = isCode ? selected.replace(/\n$/, '') : selected.trim().replace(/[ \t]+$/gm, '');
    if (own.trim() === '') continue;
    const [first, others, blank] = marks(block, within, begun);
    const between = before === null ? '' : separator(before, block);
    // Cells of a row stand in one line, whatever they stand in.
    text += between.startsWith('\t')
      ? between + own
      : between.replace(/\n(?=\n)/, `\n${blank.trimEnd()}`) + marked(own, first, others);
    before = block;
  }
  return text.replace(/^\n+|\n+$/g, '');
}

/** The lines, each with its mark; an empty one ends with it. */
function marked(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : others) + line)
    .map((line, index) => (line.trim() === (index === 0 ? first : others).trim() ? line.trimEnd() : line))
    .join('\n');
}

function separator(before: Element, block: Element | null): string {
  const [one, other] = [before.closest<Cell>('td, th'), block?.closest<Cell>('td, th')];
  if (one && other && one !== other && one.closest('table') === other.closest('table'))
    return one.parentElement === other.parentElement
      ? '\t'.repeat(other.cellIndex - one.cellIndex)
      : `\n${'\t'.repeat(other.cellIndex)}`;
  const inMarkdown = before.closest('.blocks') && block?.closest('.blocks');
  if (!inMarkdown) return '\n';
  const isTight = before.matches('li') && block?.matches('li') && listOf(before) === listOf(block);
  return isTight ? '\n' : '\n\n';
}

type Cell = HTMLTableCellElement;

/** The outermost list around an item. */
function listOf(item: Element): Element | null {
  const outer = item.parentElement?.closest('li');
  return outer ? listOf(outer) : item.parentElement;
}

/** What stands before the first line of a block, before the others, and on the empty line above it. */
function marks(block: Element | null, within: Element, begun: Set<Element>) {
  let [first, others, blank] = ['', '', ''];
  for (const around of containers(block, within)) {
    const mark = around.matches('li') ? itemMark(around) : '> ';
    const rest = around.matches('li') ? ' '.repeat(mark.length) : mark;
    first += begun.has(around) ? rest : mark;
    others += rest;
    if (begun.has(around)) blank += rest;
    begun.add(around);
  }
  return [first, others, blank] as const;
}

/** Items and quotes around a block, the outermost first, that do not hold all that is selected. */
function containers(block: Element | null, within: Element): readonly Element[] {
  const found: Element[] = [];
  for (let at = block?.closest('li, blockquote'); at; at = at.parentElement?.closest('li, blockquote')) {
    if (at.contains(within)) break;
    found.unshift(at);
  }
  return found;
}

function itemMark(item: Element): string {
  const list = item.parentElement;
  const task = item.querySelector<HTMLInputElement>(':scope > input, :scope > p > input');
  const box = task ? (task.checked ? '[x] ' : '[ ] ') : '';
  if (!(list instanceof HTMLOListElement)) return `- ${box}`;
  return `${list.start + [...list.children].indexOf(item)}. ${box}`;
}
