/**
 * Text with marks becomes nodes (CommonMark 0.31, section 6, and the inlines of GFM). One pass reads the text into a list
 * of pieces; marks of emphasis are matched in it as the specification's appendix describes, with bounds that keep any
 * text linear.
 */
import {addressAt, linked} from './autolinks.js';
import {isPunctuation, isWhite, trimmed, unescaped, type EntityTable} from './characters.js';
import {Formulas} from './formulas.js';
import {HTML_TAG} from './html-tag.js';
import {readDestination, readLabel, readTitle, skipGap} from './link-parts.js';
import {
  element,
  textOf,
  type MarkdownAttributes,
  type MarkdownElement,
  type MarkdownNode,
  type MarkdownTag,
} from './node.js';
import type {References} from './references.js';

export interface InlineContext {
  readonly references: References;
  readonly entities: EntityTable;
  /** Whether formulas are read. */
  readonly math: boolean;
}

/** A node in the list, which marks of emphasis and links are cut out of and put into. */
interface Piece {
  node: MarkdownNode;
  /** How deep the elements in it are nested. */
  readonly depth: number;
  before: Piece | null;
  after: Piece | null;
}

/** A run of `*`, `_` or `~` that may open or close. */
interface Mark {
  readonly piece: Piece;
  readonly character: string;
  /** Counts the marks. */
  readonly place: number;
  /** How many there were, and how many are left. */
  readonly length: number;
  left: number;
  readonly opens: boolean;
  readonly closes: boolean;
  before: Mark | null;
  after: Mark | null;
}

/** A `[` or `![` that may begin a link. */
interface Bracket {
  readonly piece: Piece;
  readonly isImage: boolean;
  /** Where its text begins. */
  readonly from: number;
  /** The last mark before it: those after it belong to the link. */
  readonly mark: Mark | null;
  readonly outer: Bracket | null;
  /** False in a link: links do not contain links. */
  active: boolean;
  /** True once another bracket stands in it: it is no label then. */
  nests: boolean;
}

const PLAIN = /[^\n`*_~[\]!<&\\]+/y;
const PLAIN_BESIDE_FORMULAS = /[^\n`*_~[\]!<&\\$]+/y;
const FORMULA = /\$+|\\[([]/y;
const ADDRESS = /https?:\/\/|ftp:\/\/|www\./gi;
const TICKS = /`+/y;
const RUN = /\*+|_+|~+/y;
const ENTITY = /&(?:#[xX][\da-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z\d]{1,31});/y;
const POINTED_ADDRESS = /<([A-Za-z][A-Za-z\d+.-]{1,31}:[^ <>\p{Cc}]*)>/uy;
const POINTED_MAIL =
  /<([\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?(?:\.[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?)*)>/y;
const TAG = new RegExp(HTML_TAG, 'y');
const NOTE = /\[\^([^\s[\]]{1,999})\]/y;
const MOST_BRACKETS = 1000;
const MOST_NESTED = 50;

/** After so many characters the parser looks whether what it has read can be let go. */
const STEP = 200;

/** A text that is read again whenever it has grown: as far as no more text changes how it reads, it is kept as nodes. */
export class Growing {
  text = '';
  nodes: MarkdownNode[] = [];
  /** Doubts about what is in it. */
  doubts = 0;
  /** How many links were defined when it was read. */
  #links = 0;

  /** How much of a text need not be read. */
  of(text: string, {links, doubts}: References): number {
    // Not `startsWith`, which engines do a character at a time.
    if (this.#links !== links || text.slice(0, this.text.length) !== this.text) {
      this.#links = links;
      this.text = '';
      this.nodes = [];
      this.doubts = 0;
    }
    doubts.count += this.doubts;
    return this.text.length;
  }
}

/** The nodes of a text. With `open` more of it may come: a mark that is not closed yet is drawn as if it were. */
export function parseInline(
  text: string,
  context: InlineContext,
  open = false,
  growing?: Growing,
): readonly MarkdownNode[] {
  // Nothing is kept of less.
  if (!growing || text.length < STEP) return new InlineParser(text, context, open).parse();
  const rest = text.slice(growing.of(text, context.references));
  const last = new InlineParser(rest, context, open, open ? growing : undefined).parse();
  return appended([...growing.nodes], last);
}

/** An element of a text. It keeps the text, if more knowledge may make other nodes of it. */
export function inlineElement(
  tag: MarkdownTag,
  text: string,
  context: InlineContext,
  {open, ...attributes}: MarkdownAttributes = {},
  growing?: Growing,
): MarkdownElement {
  const {doubts} = context.references;
  const before = doubts.count;
  const made = element(tag, parseInline(text, context, open, growing), attributes);
  return doubts.count === before ? made : {...made, raw: text};
}

class InlineParser {
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #open: boolean;
  /** Where what has been read for good is kept. */
  readonly #growing: Growing | undefined;
  #at = 0;
  /** Stands before the first piece. */
  readonly #head: Piece = {node: '', depth: 0, before: null, after: null};
  #last: Piece = this.#head;
  #mark: Mark | null = null;
  #bracket: Bracket | null = null;
  #brackets = 0;
  #marks = 0;
  /** The place of the last mark that opened something too deep. */
  #deepest = 0;
  /** Where the next run of so many backticks stands, as far as looked. */
  #ticks: Map<number, number[]> | null = null;
  #formulas: Formulas | null = null;
  /** How far the text is known to be plain. */
  #plainEnd = 0;
  /** Where addresses may begin, the next one last. */
  readonly #addresses: number[];
  /** Ends that do not come any more. */
  readonly #absent = new Set<string>();
  /** Where what was kept ends, the place to look again from, and the doubts till then. */
  #kept = 0;
  #due = STEP;
  #doubts: number;
  /** True behind what more text may make something else of. */
  #isPending = false;

  constructor(text: string, context: InlineContext, open: boolean, growing?: Growing) {
    this.#growing = growing;
    this.#doubts = context.references.doubts.count;
    this.#text = text;
    this.#context = context;
    this.#open = open;
    this.#addresses = [...text.matchAll(ADDRESS)].map(({index}) => index).reverse();
  }

  parse(): readonly MarkdownNode[] {
    while (this.#at < this.#text.length) {
      if (this.#growing && this.#at >= this.#due) this.#keep(this.#growing);
      this.#next();
    }
    if (this.#open) this.#closeAll();
    this.#emphasize(null);
    return withAddresses(nodesAfter(this.#head, null));
  }

  /**
   * Keeps what has been read as nodes, where no more text can reach it: at the beginning of a word, with no mark and no
   * bracket open, and nothing before it that is still waiting for its end.
   */
  #keep(growing: Growing) {
    const at = this.#at;
    if (this.#isPending || this.#bracket || !/[ \n]\S/.test(this.#text.slice(at - 1, at + 1))) return;
    // What closes here also closes at the end: emphasis looks back only.
    this.#emphasize(null, true);
    this.#due = at + (at - this.#kept);
    for (let mark = this.#mark; mark; mark = mark.before) if (mark.opens) return;
    appended(growing.nodes, withAddresses(nodesAfter(this.#head, null)));
    growing.text += this.#text.slice(this.#kept, at);
    const {count} = this.#context.references.doubts;
    growing.doubts += count - this.#doubts;
    this.#doubts = count;
    this.#head.after = this.#mark = null;
    this.#last = this.#head;
    this.#kept = at;
    this.#due = at + STEP;
  }

  #next() {
    if (this.#plain()) return;
    const character = this.#text[this.#at]!;
    switch (character) {
      case '\n':
        return this.#lineEnd();
      case '$':
        if (!this.#formula()) this.#push(this.#match(FORMULA)![0]);
        return;
      case '\\':
        return this.#backslash();
      case '`':
        return this.#code();
      case '*':
      case '_':
      case '~':
        return this.#run();
      case '[':
        return this.#opening(1, false);
      case '!':
        return /^!\[(?!\^\S)/.test(this.#text.slice(this.#at, this.#at + 4))
          ? this.#opening(2, true)
          : this.#literal(1);
      case ']':
        return this.#closing();
      case '<':
        return this.#pointed();
      default:
        return this.#entity();
    }
  }

  /** Text up to the next mark or address. */
  #plain(): boolean {
    const from = this.#at;
    const found = this.#addressFrom(from, from + 1);
    if (found) {
      this.#push(found.link);
      this.#at += found.length;
      return true;
    }
    if (from < this.#plainEnd) this.#at = this.#plainEnd;
    else if (this.#match(this.#context.math ? PLAIN_BESIDE_FORMULAS : PLAIN)) this.#plainEnd = this.#at;
    else return false;
    if (this.#addressFrom(from, this.#at)) this.#at = this.#addresses.at(-1)!;
    if (this.#growing && this.#at > this.#due) {
      const word = this.#text.slice(from, this.#at).lastIndexOf(' ') + 1;
      if (word > 0) this.#at = from + word;
    }
    this.#push(this.#text.slice(from, this.#at));
    return true;
  }

  /** The next address that begins before `end`; none in a link. */
  #addressFrom(from: number, end: number) {
    for (let next = this.#addresses.at(-1); next !== undefined && next < end; next = this.#addresses.at(-1)) {
      const found = next < from || this.#bracket ? null : addressAt(this.#text, next);
      if (found) return found;
      this.#addresses.pop();
    }
    return null;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at += match[0].length;
    return match;
  }

  #push(node: MarkdownNode, depth = 0): Piece {
    const piece = {node, depth, before: this.#last, after: null};
    this.#last.after = piece;
    return (this.#last = piece);
  }

  #literal(length: number) {
    this.#push(this.#text.slice(this.#at, (this.#at += length)));
  }

  /** Two spaces before it make a break. Spaces around it are not part of the text. */
  #lineEnd() {
    const {node} = this.#last;
    if (typeof node === 'string' && node.endsWith(' ')) {
      const kept = node.replace(/ +$/, '');
      this.#last.node = kept;
      if (node.length - kept.length > 1) this.#push(element('br'));
    }
    this.#at++;
    this.#push('\n');
    this.#match(/[ \t]*/y);
  }

  /** A formula as it was written, if one begins here; as far as it has come, where it may get an end. */
  #formula(): boolean {
    if (!this.#context.math) return false;
    const from = this.#at;
    const mark = this.#match(FORMULA)?.[0];
    this.#at = from;
    if (mark === undefined) return false;
    const found = (this.#formulas ??= new Formulas(this.#text)).at(from, mark, this.#open);
    if (!found) return false;
    const {end, display} = found;
    this.#isPending ||= end === null;
    // A dollar is a price more often.
    if (end === null && mark === '$') return false;
    this.#at = end ?? this.#text.length;
    const attributes = {...(display && {display}), ...(end === null && {open: true})};
    this.#push(element('math', [this.#text.slice(from, this.#at)], attributes));
    return true;
  }

  #backslash() {
    if (this.#formula()) return;
    const next = this.#text[this.#at + 1] ?? '';
    if (next === '\n') {
      this.#at += 1;
      this.#push(element('br'));
    } else if (/[!-/:-@[-`{-~]/.test(next)) {
      this.#push(next);
      this.#at += 2;
    } else if (this.#open && next === '') this.#at++;
    else this.#literal(1);
  }

  #code() {
    const from = this.#at;
    const {length} = this.#match(TICKS)![0];
    const end = this.#nextTicks(length, this.#at);
    if (end === null) {
      // What has no end yet is drawn as code; one that has nothing in it yet, not at all.
      if (!this.#open) return void this.#push(this.#text.slice(from, this.#at));
      const code = this.#text.slice(this.#at).replace(/`+$/, '');
      this.#at = this.#text.length;
      if (code !== '') this.#push(element('code', [codeText(code)]));
      return;
    }
    this.#push(element('code', [codeText(this.#text.slice(this.#at, end))]));
    this.#at = end + length;
  }

  #nextTicks(length: number, from: number): number | null {
    if (!this.#ticks) {
      this.#ticks = new Map();
      for (const {0: run, index} of this.#text.slice(from).matchAll(/`+/g)) {
        const places = this.#ticks.get(run.length);
        if (places) places.push(from + index);
        else this.#ticks.set(run.length, [from + index]);
      }
      for (const places of this.#ticks.values()) places.reverse();
    }
    const places = this.#ticks.get(length) ?? [];
    while (places.length > 0 && places.at(-1)! < from) places.pop();
    return places.at(-1) ?? null;
  }

  #run() {
    const from = this.#at;
    const before = characterBefore(this.#text, from);
    const run = this.#match(RUN)![0];
    const after = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 32).trim();
    const piece = this.#push(run);
    const character = run[0]!;
    const afterIs = {white: isWhite(after), punctuation: isPunctuation(after)};
    const beforeIs = {white: isWhite(before), punctuation: isPunctuation(before)};
    const left = !afterIs.white && (!afterIs.punctuation || beforeIs.white || beforeIs.punctuation);
    const right = !beforeIs.white && (!beforeIs.punctuation || afterIs.white || afterIs.punctuation);
    if (character === '~' && run.length > 2) return;
    const under = character === '_';
    this.#mark = {
      piece,
      character,
      place: ++this.#marks,
      length: run.length,
      left: run.length,
      opens: left && (!under || !right || beforeIs.punctuation),
      closes: right && (!under || !left || afterIs.punctuation),
      before: this.#mark,
      after: null,
    };
    if (this.#mark.before) this.#mark.before.after = this.#mark;
  }

  #opening(length: number, isImage: boolean) {
    if (!isImage) {
      const note = this.#match(NOTE);
      if (note) {
        const used = this.#context.references.use(note[1]!);
        if (used) {
          // The number of the next one is counted anew each time.
          this.#isPending = true;
          return void this.#push(element('note-reference', [], used));
        }
        this.#at -= note[0].length;
      }
    }
    this.#literal(length);
    if (this.#bracket) this.#bracket.nests = true;
    this.#bracket = {
      piece: this.#last,
      isImage,
      from: this.#at,
      mark: this.#mark,
      outer: this.#bracket,
      // So many are open that nobody meant them all.
      active: ++this.#brackets <= MOST_BRACKETS,
      nests: false,
    };
  }

  #closing() {
    const bracket = this.#bracket;
    this.#literal(1);
    if (!bracket) return;
    this.#bracket = bracket.outer;
    this.#brackets--;
    if (!bracket.active) return;
    const close = this.#last;
    const end = this.#at;
    const target = this.#inlineTarget() ?? this.#referred(bracket, end) ?? this.#unfinished(bracket, end);
    if (!target) return void (this.#at = end);
    this.#remove(close);
    this.#emphasize(bracket.mark);
    const children = joined(nodesAfter(bracket.piece, null));
    const depth = depthAfter(bracket.piece, null) + 1;
    this.#cutFrom(bracket.piece);
    if (bracket.isImage) {
      const {href: src = '', ...rest} = target;
      this.#push(element('img', [], {src, alt: textOf(children), ...rest}));
      return;
    }
    this.#push(element('a', children, target), depth);
    for (let outer = this.#bracket; outer; outer = outer.outer) if (!outer.isImage) outer.active = false;
  }

  /** `(address "title")` behind a closing bracket. */
  #inlineTarget(): MarkdownAttributes | null {
    const {entities} = this.#context;
    if (this.#text[this.#at] !== '(') return null;
    const start = skipGap(this.#text, this.#at + 1);
    const destination = readDestination(this.#text, start, entities);
    if (destination) {
      const gap = skipGap(this.#text, destination.end);
      const title = gap > destination.end ? readTitle(this.#text, gap, entities) : null;
      const end = title ? skipGap(this.#text, title.end) : gap;
      if (this.#text[end] === ')') {
        this.#at = end + 1;
        return {href: destination.value, ...(title && {title: title.value})};
      }
    }
    // An address that has not come whole: the link is drawn without it.
    if (
      !this.#open ||
      !/^\((?:[^\s()]|\([^\s()]*\))*(?:\s+["'(][^"')]*)?["']?$/.test(
        this.#text.slice(this.#at, this.#at + 4000),
      )
    ) {
      this.#isPending = true;
      return null;
    }
    this.#at = this.#text.length;
    return {open: true};
  }

  /** `[label]`, `[]` or nothing behind a closing bracket. */
  #referred(bracket: Bracket, end: number): MarkdownAttributes | null {
    const {references} = this.#context;
    const label = readLabel(this.#text, end);
    const isEmpty = this.#text.startsWith('[]', end);
    if (!label && bracket.nests) return null;
    const name = label ? label.value : this.#text.slice(bracket.from, end - 1);
    if (!label && (trimmed(name) === '' || name.length > 999)) return null;
    const link = references.link(name);
    if (!link) return null;
    this.#at = label ? label.end : isEmpty ? end + 2 : end;
    return {href: link.href, ...(link.title !== undefined && {title: link.title})};
  }

  /** Brackets at the end of what has come: an address may follow. */
  #unfinished({isImage, nests}: Bracket, end: number): MarkdownAttributes | null {
    return this.#open && end === this.#text.length && !isImage && !nests ? {open: true} : null;
  }

  #pointed() {
    const address = this.#match(POINTED_ADDRESS);
    if (address) return void this.#push(element('a', [address[1]!], {href: address[1]!}));
    const mail = this.#match(POINTED_MAIL);
    if (mail) return void this.#push(element('a', [mail[1]!], {href: `mailto:${mail[1]}`}));
    const html = this.#match(TAG)?.[0] ?? this.#declaration();
    if (html === null) {
      this.#isPending ||= /[a-z/!?]/i.test(this.#text[this.#at + 1] ?? '');
      return this.#literal(1);
    }
    this.#push(element('html', [html]));
  }

  /** A comment, an instruction, a declaration or CDATA. */
  #declaration(): string | null {
    const text = this.#text;
    const from = this.#at;
    if (text[from + 1] !== '!' && text[from + 1] !== '?') return null;
    for (const short of ['<!-->', '<!--->']) {
      if (text.startsWith(short, from)) return text.slice(from, (this.#at += short.length));
    }
    const closer = text.startsWith('<!--', from)
      ? '-->'
      : text.startsWith('<![CDATA[', from)
        ? ']]>'
        : text[from + 1] === '?'
          ? '?>'
          : /[A-Za-z]/.test(text[from + 2] ?? '')
            ? '>'
            : null;
    if (closer === null || this.#absent.has(closer)) return null;
    const end = text.indexOf(closer, from + (closer === '-->' ? 4 : 2));
    if (end < 0) {
      this.#absent.add(closer);
      return null;
    }
    return text.slice(from, (this.#at = end + closer.length));
  }

  #entity() {
    const entity = this.#match(ENTITY)?.[0];
    if (entity) return void this.#push(unescaped(entity, this.#context.entities));
    // The beginning of one, at the end of what has come.
    if (this.#open && /^&#?\w{0,31}$/.test(this.#text.slice(this.#at, this.#at + 34)))
      this.#at = this.#text.length;
    else this.#literal(1);
  }

  #remove({before, after}: Piece) {
    if (before) before.after = after;
    if (after) after.before = before;
    else this.#last = before!;
  }

  /** Takes a piece and all after it out of the list. */
  #cutFrom({before}: Piece) {
    before!.after = null;
    this.#last = before!;
  }

  /** Matches the marks after `bottom`, and forgets them (the specification's "process emphasis"), unless `keep`. */
  #emphasize(bottom: Mark | null, keep = false) {
    let closer = bottom ? bottom.after : first(this.#mark);
    /** For each kind of closer, below which mark no opener was found. */
    const floors = new Map<string, Mark | null>();
    while (closer) {
      if (!closer.closes) {
        closer = closer.after;
        continue;
      }
      const kind: string = `${closer.character}${closer.opens}${closer.character === '~' ? closer.length : closer.length % 3}`;
      const floor = floors.has(kind) ? floors.get(kind)! : bottom;
      let opener = closer.before;
      while (opener && opener !== bottom && opener !== floor && !matches(opener, closer))
        opener = opener.before;
      if (!opener || opener === bottom || opener === floor) {
        floors.set(kind, closer.before);
        const next: Mark | null = closer.after;
        if (!closer.opens && !keep) this.#forget(closer);
        closer = next;
        continue;
      }
      closer = this.#wrap(opener, closer);
    }
    while (!keep && this.#mark && this.#mark !== bottom) this.#forget(this.#mark);
  }

  /** Puts what is between two marks into an element; returns the mark to go on with. */
  #wrap(opener: Mark, closer: Mark): Mark | null {
    const struck = closer.character === '~';
    const used = struck ? closer.length : opener.left >= 2 && closer.left >= 2 ? 2 : 1;
    const tag: MarkdownTag = struck ? 'del' : used === 2 ? 'strong' : 'em';
    for (let mark = closer.before; mark && mark !== opener; mark = closer.before) this.#forget(mark);
    // What is around something too deep is too deep itself.
    const depth = opener.place < this.#deepest ? MOST_NESTED + 1 : depthAfter(opener.piece, closer.piece) + 1;
    if (depth > MOST_NESTED) this.#deepest = opener.place;
    // Deeper than anybody writes: the marks stay text.
    if (depth > MOST_NESTED) opener.left = closer.left = 0;
    else this.#surround(opener.piece, closer.piece, tag, depth);
    for (const mark of depth > MOST_NESTED ? [] : [opener, closer]) {
      mark.left -= used;
      mark.piece.node = (mark.piece.node as string).slice(used);
      if (mark.left === 0) this.#remove(mark.piece);
    }
    if (opener.left === 0) this.#forget(opener);
    if (closer.left > 0) return closer;
    const next = closer.after;
    this.#forget(closer);
    return next;
  }

  #surround(before: Piece, after: Piece | null, tag: MarkdownTag, depth: number) {
    const node = element(tag, joined(nodesAfter(before, after)));
    const piece: Piece = {node, depth, before, after};
    before.after = piece;
    if (after) after.before = piece;
    else this.#last = piece;
  }

  #forget(mark: Mark) {
    if (mark.before) mark.before.after = mark.after;
    if (mark.after) mark.after.before = mark.before;
    else this.#mark = mark.before;
  }

  /** More may come: what has no end gets one here, and a run at the very end waits for what follows it. */
  #closeAll() {
    const last = this.#mark;
    if (last && last.piece === this.#last && !this.#closes(last)) {
      last.piece.node = '';
      this.#forget(last);
    }
    let bracket = this.#bracket;
    while (bracket?.outer) bracket = bracket.outer;
    if (bracket?.active && bracket.piece !== this.#last) {
      this.#emphasize(bracket.mark, true);
      this.#endMarks(bracket.mark);
      const children = joined(nodesAfter(bracket.piece, null));
      this.#cutFrom(bracket.piece);
      this.#push(element('a', children, {open: true}));
    } else if (bracket?.piece === this.#last) bracket.piece.node = '';
    this.#emphasize(null, true);
    this.#endMarks(null);
  }

  #closes(mark: Mark): boolean {
    let opener = mark.before;
    while (opener && (opener.character !== mark.character || !opener.opens)) opener = opener.before;
    return mark.closes && opener !== null && opener.left <= mark.length;
  }

  /** What was opened by marks that stand as such, innermost first, ends with what has come. */
  #endMarks(bottom: Mark | null) {
    for (let mark = this.#mark; mark && mark !== bottom; mark = mark.before) {
      const {piece, character} = mark;
      const before = textOf([piece.before?.node ?? '']).slice(-1);
      const stands = mark.opens && (isWhite(before) || isPunctuation(before));
      if (!stands || (character === '~' && mark.length < 2)) continue;
      while (mark.left > 0) {
        const used = mark.left > 1 ? 2 : 1;
        const depth = depthAfter(piece, null) + 1;
        if (depth > MOST_NESTED) return;
        if (textOf(nodesAfter(piece, null)).trim() === '') break;
        this.#surround(piece, null, character === '~' ? 'del' : used === 2 ? 'strong' : 'em', depth);
        mark.left -= used;
        piece.node = (piece.node as string).slice(used);
      }
      if (mark.left > 0) continue;
      this.#forget(mark);
      this.#remove(piece);
    }
  }
}

/** Neighbouring strings as one. */
function joined(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const all: MarkdownNode[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    if (node === '') continue;
    if (typeof node === 'string' && typeof last === 'string') all[all.length - 1] = last + node;
    else all.push(node);
  }
  return all;
}

/** Nodes with others behind them; where two strings meet they become one. */
function appended(nodes: MarkdownNode[], more: readonly MarkdownNode[]): readonly MarkdownNode[] {
  const last = nodes.at(-1);
  for (const [index, node] of more.entries()) {
    if (index === 0 && typeof node === 'string' && typeof last === 'string')
      nodes[nodes.length - 1] = last + node;
    else nodes.push(node);
  }
  return nodes;
}

/** With the addresses in it as links, wherever there is no link around them. */
function withAddresses(nodes: readonly MarkdownNode[]): readonly MarkdownNode[] {
  const all = joined(nodes);
  // Most of what is kept for long, the cells of tables: an array that is filled piece by piece has room for sixteen more.
  if (all.length === 1 && typeof all[0] === 'string') return linked(all[0]);
  return all.flatMap((node) => {
    if (typeof node === 'string') return linked(node);
    if (node.tag !== 'em' && node.tag !== 'strong' && node.tag !== 'del') return [node];
    return [{...node, children: withAddresses(node.children)}];
  });
}

function matches(opener: Mark, closer: Mark): boolean {
  if (!opener.opens || opener.character !== closer.character) return false;
  if (opener.character === '~') return opener.length === closer.length;
  // "Multiples of three", rules 9 and 10 of emphasis.
  return !(
    (opener.closes || closer.opens) &&
    (opener.length + closer.length) % 3 === 0 &&
    (opener.length % 3 !== 0 || closer.length % 3 !== 0)
  );
}

function first(mark: Mark | null): Mark | null {
  while (mark?.before) mark = mark.before;
  return mark;
}

function nodesAfter(from: Piece, to: Piece | null): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  for (let piece = from.after; piece && piece !== to; piece = piece.after) nodes.push(piece.node);
  return nodes;
}

function depthAfter(from: Piece, to: Piece | null): number {
  let depth = 0;
  for (let piece = from.after; piece && piece !== to; piece = piece.after)
    depth = Math.max(depth, piece.depth);
  return depth;
}

function codeText(code: string): string {
  const line = code.replaceAll('\n', ' ');
  return line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line) ? line.slice(1, -1) : line;
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return '';
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? text.slice(at - 2, at) : text[at - 1]!;
}
