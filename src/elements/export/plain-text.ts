/** Markdown as text without its marks: what a person would write in a plain mail. */
import type {MarkdownElement, MarkdownNode} from '../../markdown/index.js';
import {safeUrl} from '../safe-url.js';
import {markdown} from './markdown-here.js';

export function plainText(text: string, math = false): string {
  const {findEntity, parseMarkdown} = markdown();
  return blocks(parseMarkdown(text, {entities: findEntity, math}), '\n\n');
}

const BLOCK = /^(?:p|h\d|blockquote|ul|ol|li|pre|hr|table|notes?)$/;

const isBlock = (node: MarkdownNode): node is MarkdownElement =>
  typeof node !== 'string' && BLOCK.test(node.tag);

/** Blocks, and the inline text between them, such as that of an item before its inner list. */
function blocks(nodes: readonly MarkdownNode[], between: string): string {
  const texts: string[] = [];
  let line: MarkdownNode[] = [];
  const endLine = () => {
    const text = inline(line).trim();
    if (text) texts.push(text);
    line = [];
  };
  for (const node of nodes) {
    if (!isBlock(node)) {
      line.push(node);
      continue;
    }
    endLine();
    texts.push(block(node));
  }
  endLine();
  return texts.join(between);
}

function block({tag, attributes, children}: MarkdownElement): string {
  switch (tag) {
    case 'blockquote':
      return blocks(children, '\n\n').replace(/^/gm, '> ');
    case 'ul':
    case 'ol':
      return items(children, tag === 'ol' ? (attributes.start ?? 1) : null, attributes.loose ? '\n\n' : '\n');
    case 'pre':
      return markdown().textOf(children).replace(/\n$/, '');
    case 'hr':
      return '* * *';
    case 'table':
      return children.map(rowText).join('\n');
    // In the order of their numbers.
    case 'notes':
      return children
        .filter(isBlock)
        .map((note, index) => `[${index + 1}] ${blocks(note.children, '\n')}`)
        .join('\n');
    default:
      return inline(children);
  }
}

function items(nodes: readonly MarkdownNode[], first: number | null, between: string): string {
  return nodes
    .filter(isBlock)
    .map(({children}, index) => {
      const mark = first === null ? '- ' : `${first + index}. `;
      return mark + blocks(children, between).replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
    })
    .join(between);
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
  return says || safeUrl(href) === null ? words : `${words} (${href})`;
}
