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
export function blockOf(node: Node): Element | null {
  const {parentElement} = node;
  return parentElement?.closest('pre') ?? parentElement?.closest(BLOCK) ?? null;
}

/** `within` is the innermost element around all of it. */
export function quotedText(parts: readonly Selected[], within: Element): string {
  const begun = new Set<Element>();
  let text = '';
  let before: Element | null = null;
  for (const {block, text: selected} of parts) {
    const own = block?.matches('pre') ? selected.replace(/\n$/, '') : selected.trim();
    if (own.trim() === '') continue;
    const [first, others] = marks(block, within, begun);
    const between = before === null ? '' : separator(before, block);
    // Cells of a row stand in one line, whatever they stand in.
    text +=
      between === '\t'
        ? between + own
        : between.replace(/\n(?=\n)/, `\n${others.trimEnd()}`) + first + own.replace(/\n/g, `\n${others}`);
    before = block;
  }
  return text.replace(/[ \t]+$/gm, '').replace(/^\n+|\n+$/g, '');
}

function separator(before: Element, block: Element | null): string {
  const [one, other] = [before.closest('td, th'), block?.closest('td, th')];
  if (one && other && one !== other && one.closest('table') === other.closest('table'))
    return one.parentElement === other.parentElement ? '\t' : '\n';
  const inMarkdown = before.closest('.blocks') && block?.closest('.blocks');
  if (!inMarkdown) return '\n';
  const isTight = before.matches('li') && block?.matches('li') && listOf(before) === listOf(block);
  return isTight ? '\n' : '\n\n';
}

/** The outermost list around an item. */
function listOf(item: Element): Element | null {
  const outer = item.parentElement?.closest('li');
  return outer ? listOf(outer) : item.parentElement;
}

/** What stands before the first line of a block, and before the others. */
function marks(block: Element | null, within: Element, begun: Set<Element>): readonly [string, string] {
  let [first, others] = ['', ''];
  for (const around of containers(block, within)) {
    const mark = around.matches('li') ? itemMark(around) : '> ';
    const rest = around.matches('li') ? ' '.repeat(mark.length) : mark;
    first += begun.has(around) ? rest : mark;
    others += rest;
    begun.add(around);
  }
  return [first, others];
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
