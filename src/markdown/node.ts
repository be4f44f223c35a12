/** What Markdown becomes: a tree of plain values, which the elements draw and the exporters write. */

/** Names of elements as in HTML, and some that are none: raw HTML, footnotes and what refers to them, formulas. */
export type MarkdownTag =
  | 'p'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'pre'
  | 'hr'
  | 'table'
  | 'tr'
  | 'th'
  | 'td'
  | 'em'
  | 'strong'
  | 'del'
  | 'code'
  | 'a'
  | 'img'
  | 'br'
  | 'input'
  /** Raw HTML, as it was written, in one text child; or, where somebody reads it, a tag around what it holds. */
  | 'html'
  /** A reference to a footnote; `label` and `number`. */
  | 'note-reference'
  /** A formula, as it was written with the marks around it, in one text child. */
  | 'math'
  /** The footnotes of the text, in the order they are referred to. */
  | 'notes'
  /** One footnote. */
  | 'note';

/** What is said of an element beside its children. */
export interface MarkdownAttributes {
  readonly href?: string;
  readonly src?: string;
  readonly alt?: string;
  readonly title?: string;
  /** Where an ordered list begins, unless at 1. */
  readonly start?: number;
  readonly checked?: boolean;
  readonly align?: 'left' | 'right' | 'center';
  /** The words after the opening fence of code, the first of which names its language. */
  readonly info?: string;
  /** True while the end of a block of code, a link's address or a formula has not come. */
  readonly open?: boolean;
  /** Of a formula that stands by itself. */
  readonly display?: boolean;
  /** A list whose items are parted by blank lines. */
  readonly loose?: boolean;
  /** Of raw HTML that was read: the tag around the children; empty for a group without one. */
  readonly opening?: string;
  readonly label?: string;
  readonly number?: number;
  /** Which of several references to one footnote this is, from 1. */
  readonly use?: number;
}

export interface MarkdownElement {
  readonly tag: MarkdownTag;
  readonly attributes: MarkdownAttributes;
  /** The lines of a `pre` are its children, each with its line end. */
  readonly children: readonly MarkdownNode[];
  /** What the children were made from: text, where more knowledge may make others of it; the blocks of a tight item. */
  readonly raw?: string | readonly MarkdownNode[];
}

export type MarkdownNode = string | MarkdownElement;

const NONE: MarkdownAttributes = Object.freeze({});

export function element(
  tag: MarkdownTag,
  children: readonly MarkdownNode[] = [],
  attributes: MarkdownAttributes = NONE,
): MarkdownElement {
  return {tag, attributes, children};
}

/** Footnotes by label in ids and addresses: of letters of any case, and without halves of characters. */
export function noteId({label = ''}: MarkdownAttributes): string {
  return encodeURIComponent(label.toLowerCase().replace(/[\uD800-\uDFFF]/gu, '\uFFFD'));
}

/** The TeX of a formula, without the marks around it. */
export function texOf({children: [source]}: MarkdownElement): string {
  const mark = /^\$(?!\$)/.test(source as string) ? 1 : 2;
  return (source as string).slice(mark, -mark);
}

/** The text of a tree, without its marks. */
export function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node, index) =>
      typeof node === 'string'
        ? node
        : node.tag === 'img'
          ? (node.attributes.alt ?? '')
          : node.tag === 'br'
            ? isLineEnd(nodes[index + 1])
              ? ''
              : '\n'
            : textOf(node.children),
    )
    .join('');
}

/** A break that was written as a line end is followed by it. */
function isLineEnd(next: MarkdownNode | undefined): boolean {
  return typeof next === 'string' && next.startsWith('\n');
}
