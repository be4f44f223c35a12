/**
 * A text that grows, as blocks in an element; a chunk of its own, loaded beside the elements, of which it knows nothing. Blocks stand in groups that the browser paints and lays out by themselves,
 * and are drawn where they will stay; only what the parser says may still change is drawn again.
 */
import {MarkdownStream, type MarkdownNode} from '../../markdown/index.js';
import {asWritten, withoutHtml, type BlockReader} from './block-reader.js';
import {Drawing} from './draw.js';
import {findEntity, loadEntities} from './entities.js';
import type {ProseChoices, ProseHost} from './prose-host.js';
import {proseHost} from './prose-policy.js';
import {adoptProse} from './prose-styles.js';
import {HTML_TAG} from '../../markdown/html-tag.js';
import {loadedRawHtml, loadRawHtml, rawHtmlFailed} from './raw-html.js';
import {Written} from './written.js';

/** The parser, for what exports: this chunk, which stands alone, is where it is loaded. */
export {escapeHtml, parseMarkdown, textOf, toHtml} from '../../markdown/index.js';
export {findEntity} from './entities.js';
/** For buttons that copy elsewhere than in Markdown. */
export {copy} from './clipboard.js';
/** For pictures that stand elsewhere than in Markdown. */
export {proseHost} from './prose-policy.js';

/** Blocks in a group. Any number from 16 to 64 costs the same. */
const GROUP = 32;
/** What takes so long is followed by a rest of so many times as long. */
const SLOW_MS = 8;
const REST = 4;

export class MarkdownView {
  readonly #root: Element;
  readonly #drawing: Drawing;
  readonly #host: ProseHost;
  #stream: MarkdownStream;
  #reader: BlockReader;
  /** What was written to the stream, and drawn. */
  #source = new Written();
  /** Blocks that stand for good. */
  #count = 0;
  /** What is drawn behind them. */
  #tail: readonly MarkdownNode[] = [];
  /** Blocks that were mended, as they are drawn. */
  #mended = new Map<number, MarkdownNode>();
  #hasNotes = false;
  #ended = false;
  #isStale = false;
  /** Set while a drawing that took long is rested from. */
  #later: ReturnType<typeof setTimeout> | undefined;
  /** True when blocks stand as they were before the table of entities came. */
  #learnedLate = false;

  constructor(root: Element, choices: ProseChoices) {
    this.#root = root;
    this.#host = proseHost(choices, () => !this.#ended);
    this.#stream = this.#begin();
    this.#drawing = new Drawing(this.#host);
    this.#reader = this.#newReader();
    // It is drawn before it stands where it belongs, and others may set the styles of that root as well.
    queueMicrotask(() => adoptProse(root));
    requestAnimationFrame(() => adoptProse(root));
  }

  /** Adds a piece of text, and draws it; what is slow to draw, such as a paragraph of a million characters, less often. */
  write(piece: string): void {
    if (this.#ended) return this.replace(this.#source.toString() + piece);
    this.#source.add(piece);
    this.#stream.write(piece);
    this.#isStale = true;
    if (this.#later === undefined) this.flush();
  }

  /** Draws what was written and is not drawn. */
  flush(): void {
    if (!this.#isStale) return;
    const from = performance.now();
    this.#draw();
    const took = performance.now() - from;
    if (took < SLOW_MS || this.#later !== undefined) return;
    this.#later = setTimeout(() => {
      this.#later = undefined;
      this.flush();
    }, took * REST);
  }

  /** No more is expected: all is drawn as it is. Whoever holds what was written hands it over whole, so that it is kept once. */
  end(whole?: {toString(): string}): void {
    if (this.#ended) return;
    this.#ended = true;
    if (whole) this.#source = new Written(whole.toString());
    this.#stream.end();
    this.#draw();
    this.#mend();
  }

  /** Another text: what says the same up to the first difference stays the same nodes. */
  replace(text: string): void {
    // What waits is drawn first: what is drawn is what was written.
    this.flush();
    if (this.#learnedLate) return this.#anew(text);
    const before = this.#source.toString();
    let shared = 0;
    while (shared < before.length && before.charCodeAt(shared) === text.charCodeAt(shared)) shared++;
    this.#redraw(text, shared);
  }

  /** Keeps the blocks that are drawn of what is shared, and changes the others in place. */
  #redraw(text: string, shared: number) {
    const drawn = this.#drawnBlocks();
    this.#stream = this.#begin();
    this.#reader = this.#newReader();
    this.#stream.write(text.slice(0, shared));
    const kept = this.#reader.take(this.#stream.take()).length;
    for (const place of [...this.#mended.keys()]) if (place >= kept) this.#mended.delete(place);
    this.#count = kept;
    this.#tail = drawn.slice(kept);
    this.#hasNotes = false;
    this.#ended = false;
    this.#source = new Written(text);
    this.#stream.write(text.slice(shared));
    this.#drawing.isAnother = true;
    this.#draw();
    this.#drawing.isAnother = false;
  }

  #anew(text: string) {
    this.#root.replaceChildren();
    this.#stream = this.#begin();
    this.#reader = this.#newReader();
    this.#source = new Written();
    this.#count = 0;
    this.#tail = [];
    this.#mended.clear();
    this.#hasNotes = this.#ended = this.#learnedLate = false;
    this.write(text);
  }

  #begin(): MarkdownStream {
    return new MarkdownStream({
      entities: (name) => {
        const known = findEntity(name);
        if (known === undefined) loadEntities(this.#learned);
        return known;
      },
      math: this.#host.math !== undefined,
    });
  }

  #newReader(): BlockReader {
    const loaded = this.#host.html ? loadedRawHtml() : null;
    if (loaded) return loaded.htmlBlocks(HTML_TAG);
    if (!this.#host.html || rawHtmlFailed()) return asWritten;
    let isMet = false;
    return withoutHtml(() => {
      if (!isMet) void loadRawHtml().then(this.#readHtml);
      isMet = true;
    });
  }

  /** What reads raw HTML has come, or will not. */
  readonly #readHtml = () => {
    this.flush();
    const ended = this.#ended;
    const source = this.#source.toString();
    if (this.#learnedLate) this.#anew(source);
    else this.#redraw(source, 0);
    if (ended) this.end();
  };

  /** The table of entities has come. */
  readonly #learned = () => {
    if (this.#ended) return this.#mend();
    // What is closed is mended at the end, with all else, or drawn anew in another text.
    this.#learnedLate = true;
    this.#draw();
  };

  /** Nodes of all that is drawn. */
  #drawnBlocks(): readonly MarkdownNode[] {
    const stream = this.#begin();
    const reader = this.#reader.anew();
    stream.write(this.#source.toString());
    if (this.#ended) stream.end();
    const closed = reader.take(stream.take());
    const blocks = [...closed, ...(this.#ended ? reader.end() : reader.draft(stream.tail()))];
    for (const [place, node] of this.#mended) blocks[place] = node;
    if (!this.#hasNotes) return blocks;
    // Drawn, but not looked at: footnotes are made anew.
    return [...blocks, {tag: 'notes', attributes: {}, children: []}];
  }

  #draw() {
    this.#isStale = false;
    const settled = this.#reader.take(this.#stream.take());
    const closed = this.#ended ? [...settled, ...this.#reader.end()] : settled;
    const tail = this.#ended ? [] : this.#reader.draft(this.#stream.tail());
    const next = [...closed, ...tail];
    const old = this.#tail;
    for (const [index, node] of next.entries()) this.#put(this.#count + index, old[index], node);
    for (let index = old.length; index > next.length; index--) this.#remove();
    this.#count += closed.length;
    this.#tail = tail;
  }

  #mend() {
    const {blocks, notes} = this.#stream.mend();
    this.#learnedLate = false;
    const mendings = [...blocks].map(([place, [before, after]]) => [place, before, after] as const);
    for (const [place, before, after] of this.#reader.mend(mendings)) {
      const at = this.#blockAt(place);
      if (at) this.#drawing.patch(at, this.#mended.get(place) ?? before, after);
      this.#mended.set(place, after);
    }
    if (this.#hasNotes) this.#remove();
    this.#hasNotes = notes !== null;
    if (notes) this.#put(this.#count, undefined, this.#reader.read(notes));
  }

  /** Undefined where the page, or something in the browser, took it away. */
  #blockAt(place: number): ChildNode | undefined {
    return this.#root.children[Math.floor(place / GROUP)]?.childNodes[place % GROUP];
  }

  #put(place: number, old: MarkdownNode | undefined, node: MarkdownNode) {
    const at = old === undefined ? undefined : this.#blockAt(place);
    if (at && old !== undefined) return this.#drawing.patch(at, old, node);
    if (place % GROUP === 0 || !this.#root.lastElementChild) {
      const group = document.createElement('div');
      group.className = 'blocks';
      this.#root.append(group);
    }
    this.#root.lastElementChild!.append(this.#drawing.create(node));
  }

  #remove() {
    const group = this.#root.lastElementChild;
    group?.lastChild?.remove();
    if (group && !group.hasChildNodes()) group.remove();
  }
}
