/** Markdown that arrives in pieces: blocks that will not change any more, and what stands at the end as it is drawn now. */
import {BlockParser} from './block-parser.js';
import type {EntityTable} from './characters.js';
import type {InlineContext} from './inline.js';
import {isUnsure, mend} from './mend.js';
import {element, type MarkdownElement, type MarkdownNode} from './node.js';
import {References} from './references.js';

export interface MarkdownOptions {
  /** Entities by name, beside the most common ones; asked again at `mend`. */
  readonly entities?: EntityTable;
  /** Reads formulas: `$…$`, `\(…\)`, `$$…$$` and `\[…\]`; else those are text. */
  readonly math?: boolean;
}

/** What the whole text says of blocks that were drawn before it was known. */
export interface Mended {
  /** Blocks, counted from the first of the text, as they were taken and as they are now. */
  readonly blocks: ReadonlyMap<number, readonly [before: MarkdownNode, after: MarkdownNode]>;
  /** The footnotes that were used, to stand after all blocks. */
  readonly notes: MarkdownElement | null;
}

export class MarkdownStream {
  readonly #references = new References();
  readonly #context: InlineContext;
  readonly #parser: BlockParser;
  /** The line that has not ended. */
  #partial = '';
  /** The last character was a CR: an LF right after it belongs to the same line end. */
  #afterReturn = false;
  #count = 0;
  /** Blocks that more knowledge may change, by their place. */
  readonly #unsure = new Map<number, MarkdownNode>();

  constructor({entities, math = false}: MarkdownOptions = {}) {
    this.#context = {
      references: this.#references,
      entities: (name) => {
        const known = COMMON[name] ?? entities?.(name);
        if (known === undefined) this.#references.doubts.count++;
        return known;
      },
      math,
    };
    this.#parser = new BlockParser(this.#context);
  }

  write(piece: string): void {
    let from = this.#afterReturn && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') this.#afterReturn = piece.endsWith('\r');
    let feed = piece.indexOf('\n', from);
    let back = piece.indexOf('\r', from);
    while (feed >= 0 || back >= 0) {
      const end = feed < 0 || (back >= 0 && back < feed) ? back : feed;
      this.#parser.line(this.#partial + piece.slice(from, end));
      this.#partial = '';
      from = end + (piece.startsWith('\r\n', end) ? 2 : 1);
      // Not both each time: a search for what does not come reads to the end.
      if (feed >= 0 && feed < from) feed = piece.indexOf('\n', from);
      if (back >= 0 && back < from) back = piece.indexOf('\r', from);
    }
    this.#partial += piece.slice(from);
  }

  /** Blocks that were closed since they were last taken. They do not change, but for what `mend` tells at the end. */
  take(): readonly MarkdownNode[] {
    const blocks = this.#parser.take();
    for (const block of blocks) {
      if (isUnsure(block)) this.#unsure.set(this.#count, block);
      this.#count++;
    }
    return blocks;
  }

  /** What stands after the blocks that were closed, drawn as if it ended well. */
  tail(): readonly MarkdownNode[] {
    return this.#parser.draft(this.#partial);
  }

  /** No more comes; what was open is closed, and can be taken. */
  end(): void {
    if (this.#partial !== '') this.#parser.line(this.#partial);
    this.#partial = '';
    this.#parser.end();
  }

  /** What is another now that all is known; after `end` and `take`. */
  mend(): Mended {
    const context = {...this.#context, references: this.#references.settled()};
    const blocks = new Map<number, readonly [MarkdownNode, MarkdownNode]>();
    for (const [place, block] of this.#unsure) blocks.set(place, [block, mend(block, context)]);
    const notes: MarkdownElement[] = [];
    // A footnote may use another one, which then comes after it.
    for (const label of context.references.used) notes.push(mend(context.references.note(label)!, context));
    return {blocks, notes: notes.length > 0 ? element('notes', notes) : null};
  }
}

/** The nodes of a whole text. */
export function parseMarkdown(text: string, options?: MarkdownOptions): readonly MarkdownNode[] {
  const stream = new MarkdownStream(options);
  stream.write(text);
  stream.end();
  const blocks = [...stream.take()];
  const mended = stream.mend();
  for (const [place, [, block]] of mended.blocks) blocks[place] = block;
  return mended.notes ? [...blocks, mended.notes] : blocks;
}

/** The entities that people and models write; the others are looked up in the table given. */
const COMMON: Readonly<Record<string, string>> = Object.assign(Object.create(null) as object, {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\xA0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  divide: '÷',
  deg: '°',
  plusmn: '±',
  larr: '←',
  rarr: '→',
  uarr: '↑',
  darr: '↓',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  sect: '§',
  para: '¶',
  shy: '\xAD',
  zwj: '\u200D',
  zwnj: '\u200C',
  le: '≤',
  ge: '≥',
  ne: '≠',
});
