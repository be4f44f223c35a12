/** A tree as text without the marks of Markdown: what a person would write in a plain mail. */
import type {MarkdownElement, MarkdownNode} from './node.js';

/** Addresses that say something to a reader. */
const ADDRESS = /^(?:https?|mailto):/i;

export function toText(nodes: readonly MarkdownNode[]): string {
  return blocks(nodes, '\n\n');
}

const isElement = (node: MarkdownNode) => typeof node !== 'string';

function blocks(nodes: readonly MarkdownNode[], between: string): string {
  return nodes
    .filter(isElement)
    .map(block)
    .filter((text) => text !== '')
    .join(between);
}

function block({tag, attributes, children}: MarkdownElement): string {
  switch (tag) {
    case 'blockquote':
      return blocks(children, '\n\n').replace(/^/gm, '> ');
    case 'ul':
    case 'ol':
      return items(children, tag === 'ol' ? (attributes.start ?? 1) : null, attributes.loose ? '\n\n' : '\n');
    case 'pre':
      return inline(children).replace(/\n$/, '');
    case 'hr':
      return '* * *';
    case 'table':
      return children.map(rowText).join('\n');
    // In the order of their numbers.
    case 'notes':
      return children
        .filter(isElement)
        .map((note, index) => `[${index + 1}] ${blocks(note.children, '\n')}`)
        .join('\n');
    default:
      return inline(children).trim();
  }
}

function items(nodes: readonly MarkdownNode[], first: number | null, between: string): string {
  return nodes
    .filter(isElement)
    .map((item, index) => {
      const mark = first === null ? '- ' : `${first + index}. `;
      return mark + blocks(blocksOf(item), between).replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
    })
    .join(between);
}

/** Those of a tight item are told beside its text. */
function blocksOf({raw, children}: MarkdownElement): readonly MarkdownNode[] {
  return typeof raw === 'object' ? raw : children;
}

/** Cells parted by tabs, as a spreadsheet takes them. */
function rowText(row: MarkdownNode): string {
  if (typeof row === 'string') return row;
  return row.children.map((cell) => (typeof cell === 'string' ? cell : inline(cell.children))).join('\t');
}

function inline(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const {tag, attributes, children} = node;
      switch (tag) {
        case 'br':
          // The line end it was written as follows.
          return '';
        case 'img':
          return attributes.alt ?? '';
        case 'input':
          return attributes.checked ? '[x]' : '[ ]';
        case 'note-reference':
          return `[${attributes.number ?? attributes.label ?? ''}]`;
        case 'a':
          return linkText(inline(children), attributes.href);
        default:
          return inline(children);
      }
    })
    .join('');
}

/** The address stands behind the words, unless they say it already. */
function linkText(words: string, href = ''): string {
  const says = [href, href.replace(/^mailto:|^https?:\/\//, '')].includes(words);
  return says || !ADDRESS.test(href) ? words : `${words} (${href})`;
}
