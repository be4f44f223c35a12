/** The blocks of a text with the raw HTML in them read: blocks from an opening tag to its end are one. */
import type {MarkdownElement, MarkdownNode} from '../../../markdown/index.js';
import type {BlockReader, Mending} from '../block-reader.js';
import {unfinishedAt} from './html-tokens.js';
import {group, readNode, TagReader, type Reading} from './tag-reader.js';

/** Blocks that belong together, and where the first of them stands. */
interface Span {
  readonly from: number;
  readonly blocks: MarkdownNode[];
}

export class HtmlBlocks implements BlockReader {
  readonly #reading: Reading;
  #reader: TagReader;
  /** The blocks it has read of what is not whole yet. */
  #blocks: MarkdownNode[] = [];
  /** Where each block is drawn. */
  readonly #places: number[] = [];
  /** What is drawn of several blocks, by its place. */
  readonly #spans = new Map<number, Span>();
  #count = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#reader = new TagReader(reading);
  }

  take(blocks: readonly MarkdownNode[]): readonly MarkdownNode[] {
    return blocks.flatMap((block) => {
      this.#places.push(this.#count);
      this.#blocks.push(block);
      this.#reader.add(block);
      this.#reader.endBlock();
      return this.#reader.isOpen ? [] : this.end();
    });
  }

  end(): readonly MarkdownNode[] {
    const blocks = this.#blocks;
    if (blocks.length === 0) return [];
    if (blocks.length > 1) this.#spans.set(this.#count, {from: this.#places.length - blocks.length, blocks});
    this.#count++;
    this.#blocks = [];
    return [drawnAs(blocks, this.#reader.endAll())];
  }

  draft(tail: readonly MarkdownNode[]): readonly MarkdownNode[] {
    const nodes: MarkdownNode[] = [];
    let reader = this.#reader.copy();
    let blocks = [...this.#blocks];
    for (const [index, block] of tail.entries()) {
      const isWhole = index < tail.length - 1;
      const seen = isWhole ? block : withoutUnfinished(block);
      blocks.push(seen);
      reader.add(seen, isWhole);
      reader.endBlock();
      if (reader.isOpen) continue;
      nodes.push(drawnAs(blocks, reader.end()));
      reader = new TagReader(this.#reading);
      blocks = [];
    }
    return blocks.length > 0 ? [...nodes, drawnAs(blocks, reader.end())] : nodes;
  }

  mend(mendings: readonly Mending[]): readonly Mending[] {
    const byPlace = new Map<number, Mending[]>();
    for (const mending of mendings) {
      const drawn = this.#places[mending[0]]!;
      const all = byPlace.get(drawn);
      if (all) all.push(mending);
      else byPlace.set(drawn, [mending]);
    }
    return [...byPlace].map(([drawn, all]) => this.#mendOne(drawn, all));
  }

  /** What is drawn of several blocks is read once, however many of them were mended. */
  #mendOne(drawn: number, mendings: readonly Mending[]): Mending {
    const span = this.#spans.get(drawn);
    if (!span) {
      const [, before, after] = mendings.at(-1)!;
      return [drawn, this.#readAll([before]), this.#readAll([after])];
    }
    const old = this.#readAll(span.blocks);
    for (const [place, , after] of mendings) span.blocks[place - span.from] = after;
    return [drawn, old, this.#readAll(span.blocks)];
  }

  read(node: MarkdownElement): MarkdownElement {
    return readNode(node, this.#reading);
  }

  anew(): BlockReader {
    return new HtmlBlocks(this.#reading);
  }

  #readAll(blocks: readonly MarkdownNode[]): MarkdownNode {
    const reader = new TagReader(this.#reading);
    for (const block of blocks) {
      reader.add(block);
      reader.endBlock();
    }
    return drawnAs(blocks, reader.endAll());
  }
}

/** A block that is no HTML is drawn as it is. */
function drawnAs([first]: readonly MarkdownNode[], read: readonly MarkdownNode[]): MarkdownNode {
  return typeof first === 'object' && first.tag === 'html' ? group(read) : read[0]!;
}

/** How far back a tag that is not whole may have begun: what stands in its attributes may look like Markdown. */
const NEAR = 8;

/** The block without the beginning of a tag at its end, which would be seen as text until the rest has come. */
function withoutUnfinished(node: MarkdownNode): MarkdownNode {
  if (typeof node === 'string') {
    const at = unfinishedAt(node);
    return at < 0 ? node : node.slice(0, at);
  }
  const {tag, children} = node;
  if (tag === 'pre' || tag === 'code' || tag === 'math' || children.length === 0) return node;
  let behind = '';
  for (let index = children.length - 1; index >= Math.max(0, children.length - NEAR); index--) {
    const child = children[index]!;
    if (typeof child === 'string') {
      const at = unfinishedAt(child + behind);
      if (at >= 0 && at < child.length)
        return {...node, children: [...children.slice(0, index), child.slice(0, at)]};
    }
    behind = textIn(child) + behind;
  }
  const last = children.at(-1)!;
  const cut = withoutUnfinished(last);
  return cut === last ? node : {...node, children: [...children.slice(0, -1), cut]};
}

const textIn = (node: MarkdownNode): string =>
  typeof node === 'string' ? node : node.children.map(textIn).join('');
