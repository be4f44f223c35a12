/**
 * Tags of raw HTML and what stands between them, as a tree. Each tag is read by itself and its content is ours, Markdown too:
 * `<kbd>**x**</kbd>` in a line, `<details>` around blocks. So there is no markup in which a tag could mean something else,
 * a text grows in its place, and what it becomes does not depend on how it was cut.
 */
import type {MarkdownElement, MarkdownNode} from '../../../markdown/index.js';
import type {HtmlToken} from './html-tokens.js';
import {MOST_FILLED, placesOf} from './spans.js';
import {AROUND_BLOCKS, ENDED_BY, VOID} from './tag-names.js';

/** How raw HTML is read. */
export interface Reading {
  /** The text that a piece of HTML without tags says. */
  decode(text: string): string;
  /** Its tags, comments and texts. */
  tokens(html: string): Iterable<HtmlToken>;
}

interface Tag {
  readonly name: string;
  opening: string;
  readonly children: MarkdownNode[];
}

/** What is nested deeper stays text. */
const MOST_NESTED = 50;

const BLOCK = /^(?:p|h[1-6r]|[ou]l|pre|blockquote|table)$/;

const BRACKET = /^\s*[^\p{L}\p{N}]?\s*$/u;

const isBracket = ([first = '', ...others]: readonly MarkdownNode[]) =>
  others.length === 0 && typeof first === 'string' && BRACKET.test(first);

const html = (opening: string, children: readonly MarkdownNode[]): MarkdownElement => ({
  tag: 'html',
  attributes: {opening},
  children,
});

/** Nodes side by side, with the tags among them. What is open at their end, ends there. */
export class TagReader {
  readonly #reading: Reading;
  readonly #nodes: MarkdownNode[];
  /** From the outermost to the innermost that is open. */
  readonly #open: Tag[];
  /** The places that cells take beyond their own. */
  #filled = 0;

  constructor(reading: Reading, nodes: MarkdownNode[] = [], open: Tag[] = []) {
    this.#reading = reading;
    this.#nodes = nodes;
    this.#open = open;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  copy(): TagReader {
    const open = this.#open.map((tag) => ({...tag, children: [...tag.children]}));
    const reader = new TagReader(this.#reading, [...this.#nodes], open);
    reader.#filled = this.#filled;
    return reader;
  }

  /** `isWhole` where no more comes in the node itself. */
  add(node: MarkdownNode, isWhole = true): void {
    if (typeof node === 'string') return this.#push(node);
    if (node.tag !== 'html') {
      if (BLOCK.test(node.tag)) this.endBlock();
      return this.#push(readNode(node, this.#reading, isWhole));
    }
    // One text, as it was written.
    for (const token of this.#reading.tokens(node.children[0] as string)) this.#token(token);
  }

  /** Ends what may not go on in another block. */
  endBlock(): void {
    const level = this.#open.findIndex((tag) => !AROUND_BLOCKS.has(tag.name));
    if (level >= 0) this.#endFrom(level);
  }

  /** Ends what is open, and hands over all. */
  end(): MarkdownNode[] {
    this.#closeTo(0);
    return this.#nodes.splice(0);
  }

  /** The same where no more comes. */
  endAll(): MarkdownNode[] {
    this.#endFrom(0);
    return this.end();
  }

  #push(node: MarkdownNode) {
    const nodes = this.#open.at(-1)?.children ?? this.#nodes;
    const last = nodes.at(-1);
    // What only looks like tags is one text: drawn in thousands, it took seconds.
    if (typeof last === 'string' && typeof node === 'string') nodes[nodes.length - 1] = last + node;
    else nodes.push(node);
  }

  #token({kind, text, name}: HtmlToken) {
    switch (kind) {
      case 'comment':
        return;
      case 'text':
        return this.#push(this.#reading.decode(text));
      case 'literal':
        return this.#push({tag: 'html', attributes: {}, children: [text]});
      case 'closing':
        return this.#closing(name);
      case 'opening':
        return this.#opening(name, text);
    }
  }

  #opening(name: string, opening: string) {
    while (ENDED_BY[this.#open.at(-1)?.name ?? '']?.has(name)) this.#close();
    if (VOID.has(name)) return this.#push(html(opening, []));
    if (this.#open.length >= MOST_NESTED)
      return this.#push({tag: 'html', attributes: {}, children: [opening]});
    this.#open.push({name, opening: this.#bounded(name, opening), children: []});
  }

  #bounded(name: string, opening: string): string {
    if (name !== 'td' && name !== 'th') return opening;
    this.#filled += placesOf(opening) - 1;
    return this.#filled > MOST_FILLED ? `<${name}>` : opening;
  }

  /** Ends the nearest of that name, with what is open in it. One that ends nothing says nothing. */
  #closing(name: string) {
    const level = this.#open.findLastIndex((tag) => tag.name === name);
    if (level < 0) return;
    this.#endFrom(level + 1);
    this.#close();
  }

  /** Ends what nobody ended, and now never will: it hides nothing. */
  #endFrom(level: number) {
    for (const tag of this.#open.slice(level))
      if (tag.name === 'details') tag.opening = tag.opening.replace(/^<details/i, '$& open');
    this.#closeTo(level);
  }

  #closeTo(level: number) {
    while (this.#open.length > level) this.#close();
  }

  #close() {
    const {name, opening, children} = this.#open.pop()!;
    if (name !== 'rp') return this.#push(html(opening, children));
    // It is for browsers that know no ruby. What is more than a bracket was meant to be read.
    if (!isBracket(children)) for (const child of children) this.#push(child);
  }
}

/** What was read of a node, which is a value: it stays the same. */
const known = new WeakMap<MarkdownElement, MarkdownElement>();
/** The same of a node that may get more. */
const knownGrowing = new WeakMap<MarkdownElement, MarkdownElement>();

/** The node with the tags in it read; the same where there are none. What it left open may be ended by what comes, unless it is whole. */
export function readNode(node: MarkdownElement, reading: Reading, isWhole = true): MarkdownElement {
  if (node.tag === 'pre' || node.tag === 'code' || node.tag === 'math') return node;
  const seen = isWhole ? known : knownGrowing;
  const before = seen.get(node);
  if (before) return before;
  const children = readNodes(node.children, reading, isWhole);
  const read = children === node.children ? node : {...node, children};
  seen.set(node, read);
  return read;
}

function readNodes(
  nodes: readonly MarkdownNode[],
  reading: Reading,
  isWhole: boolean,
): readonly MarkdownNode[] {
  // Only the last may get more.
  const last = isWhole ? -1 : nodes.length - 1;
  if (nodes.some((node) => typeof node !== 'string' && node.tag === 'html')) {
    const reader = new TagReader(reading);
    for (const [index, node] of nodes.entries()) reader.add(node, index !== last);
    return isWhole ? reader.endAll() : reader.end();
  }
  const read = nodes.map((node, index) =>
    typeof node === 'string' ? node : readNode(node, reading, index !== last),
  );
  return read.some((node, index) => node !== nodes[index]) ? read : nodes;
}

/** Blocks that are drawn as one: a tag that one of them opens ends in another. */
export const group = (nodes: readonly MarkdownNode[]): MarkdownElement => html('', nodes);
