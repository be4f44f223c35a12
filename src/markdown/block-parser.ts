/**
 * The block structure of a text, line by line (CommonMark 0.31, section 4 and 5; tables and footnotes of GFM). A line
 * closes blocks, opens blocks and adds to one; a block that is closed is a node and is never looked at again. So a text in
 * pieces and the same text whole take the same steps.
 */
import {trimmed, unescaped} from './characters.js';
import {isWithin, leftOpen} from './formulas.js';
import {HTML_TAG} from './html-tag.js';
import {Growing, inlineElement, type InlineContext} from './inline.js';
import {Line} from './line.js';
import {readDefinition} from './link-parts.js';
import {item, loosened} from './mend.js';
import {element, type MarkdownElement, type MarkdownNode, type MarkdownTag} from './node.js';
import {isBegunDelimiters, readDelimiters, splitRow, type Align} from './table-row.js';

interface Container {
  /** What was closed in it. */
  nodes: MarkdownNode[];
  /** In a draft, what had been closed before: as much as a text grows to, so it is not copied but where it is drawn. */
  before: readonly MarkdownNode[];
}

interface Root extends Container {
  readonly type: 'root';
}

interface Quote extends Container {
  readonly type: 'quote';
}

interface List extends Container {
  readonly type: 'list';
  /** `-`, `+`, `*`, `.` or `)`: another one begins another list. */
  readonly marker: string;
  readonly start: number | null;
  loose: boolean;
  /** Its closed items as they would be if it turned out loose; each is made once, for drafts too. */
  readonly loosened: MarkdownNode[];
}

interface Item extends Container {
  readonly type: 'item';
  /** Columns its content stands in. */
  readonly indent: number;
}

interface Note extends Container {
  readonly type: 'note';
  readonly label: string;
}

interface Paragraph {
  readonly type: 'paragraph';
  text: string;
  /** What has begun at its end. */
  formula?: Formula | null;
}

/** A formula over several lines: until it ends they are no blocks, whatever they look like. */
interface Formula {
  /** The mark it began with, and those that begin none in its lines if it has no end. */
  readonly mark: string;
  readonly without: readonly string[];
  /** The paragraph before its second line. */
  readonly before: string;
  /** From the second on, as they came: they are read again if there is no formula. */
  readonly lines: string[];
}

interface Code {
  readonly type: 'code';
  /** The fence that opened it; null for indented code. */
  readonly fence: {readonly mark: string; readonly length: number; readonly indent: number} | null;
  readonly info: string;
  /** Each with its line end. */
  readonly lines: string[];
}

interface Html {
  readonly type: 'html';
  /** What a line holds that ends it; null where a blank line does. */
  readonly end: RegExp | null;
  text: string;
}

interface Table {
  readonly type: 'table';
  readonly aligns: readonly Align[];
  readonly rows: MarkdownElement[];
  /** Cells that nobody wrote; a few characters may ask for millions. */
  filled: number;
}

type Open = Root | Quote | List | Item | Note | Paragraph | Code | Html | Table;

const THEMATIC_BREAK = /^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$|^(?:-[ \t]*){3,}$/;
const HEADING = /^(#{1,6})(?:[ \t]+|$)/;
const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const BULLET = /^[*+-]/;
const NUMBER = /^(\d{1,9})([.)])/;
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const NOTE = /^\[\^([^\s[\]]{1,999})\]:/;
const TASK = /^\[([ xX])\][ \t\n]/;
const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
/** Beginnings and ends of the seven kinds of HTML blocks (section 4.6). */
const HTML: readonly (readonly [RegExp, RegExp | null])[] = [
  [/^<(?:script|pre|textarea|style)(?:\s|>|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i'), null],
  [new RegExp(String.raw`^${HTML_TAG}\s*$`), null],
];
const NONE: readonly MarkdownNode[] = [];
const MOST_NESTED = 100;
const MOST_FILLED = 10_000;
/** In place of a level: the line is read to its end. */
const LEAF = -1;

export class BlockParser {
  readonly #context: InlineContext;
  /** From the root to the innermost block that is open. */
  readonly #spine: Open[];
  /** Whether the line before was blank, where that parts items. */
  #afterBlank: boolean;
  /** True for a draft: what stands at the end may go on. */
  readonly #isDraft: boolean;
  /** Marks that are known to begin no formula in the lines that are read. */
  #without: readonly string[] = [];
  /** The paragraph at the end, as far as drafts have read it for good. */
  readonly #growing: Growing;

  constructor(of: InlineContext | BlockParser) {
    this.#isDraft = of instanceof BlockParser;
    if (of instanceof BlockParser) {
      this.#context = {...of.#context, references: of.#context.references.draft()};
      this.#growing = of.#growing;
      this.#spine = of.#spine.map(copy);
      this.#afterBlank = of.#afterBlank;
    } else {
      this.#context = of;
      this.#growing = new Growing();
      this.#spine = [{type: 'root', nodes: [], before: NONE}];
      this.#afterBlank = false;
    }
  }

  /** Blocks of the root that are closed and were not taken yet. */
  take(): readonly MarkdownNode[] {
    return (this.#spine[0] as Root).nodes.splice(0);
  }

  /** What stands at the end, as it is drawn when `partial` is the beginning of the next line. */
  draft(partial: string): readonly MarkdownNode[] {
    const draft = new BlockParser(this);
    if (partial !== '' && !draft.#isUndecided(partial)) draft.line(partial);
    draft.#closeTo(0, true);
    return allOf(draft.#spine[0] as Root);
  }

  end(): void {
    while (this.#giveUpFormula());
    this.#closeTo(0);
  }

  /** Reads a line, without its line end. */
  line(text: string): void {
    const line = new Line(text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);
    if (this.#goOnFormula(line)) return;
    if (this.#giveUpFormula()) return this.line(text);
    const matched = this.#continue(line);
    if (matched === null) return;
    const open = this.#start(line, matched);
    this.#add(line, open);
    if (this.#context.math) this.#beginFormula(line.rest);
  }

  /** After a line was added to a paragraph: it may be the first of a formula. */
  #beginFormula(line: string) {
    const paragraph = this.#tip;
    if (paragraph.type !== 'paragraph') return;
    // The first line of a table waits for the second.
    const mark = line.startsWith('|') ? null : leftOpen(line.slice(line.lastIndexOf('`') + 1), null);
    if (mark === null || this.#without.includes(mark)) return;
    paragraph.formula = {mark, without: this.#without, before: paragraph.text, lines: []};
  }

  /** False where the line belongs to no formula, or to none any more. */
  #goOnFormula(line: Line): boolean {
    const paragraph = this.#tip;
    if (paragraph.type !== 'paragraph' || !paragraph.formula) return false;
    const {mark, before, lines} = paragraph.formula;
    const isIn = this.#continue(line) === this.#spine.length;
    const more = `\n${line.remainder}`;
    const isLong = !isWithin(mark, paragraph.text.length - before.length + more.length);
    if (!isIn || line.isBlank || isLong || more.includes('`') || FENCE.test(line.rest)) return false;
    paragraph.text += more;
    if (leftOpen(more, mark) === null) paragraph.formula = null;
    else lines.push(line.text);
    return true;
  }

  /** It has no end: its lines are read as what they look like. False where there is none. */
  #giveUpFormula(): boolean {
    const paragraph = this.#tip;
    if (paragraph.type !== 'paragraph' || !paragraph.formula) return false;
    const {mark, without, before, lines} = paragraph.formula;
    const others = this.#without;
    paragraph.text = before;
    paragraph.formula = null;
    this.#without = [...without, mark];
    for (const line of lines) this.line(line);
    this.#without = others;
    return true;
  }

  get #tip(): Open {
    return this.#spine.at(-1)!;
  }

  /** How many open blocks the line continues; null if it belongs to one whole. */
  #continue(line: Line): number | null {
    for (let level = 1; level < this.#spine.length; level++) {
      const open = this.#spine[level]!;
      switch (open.type) {
        case 'quote':
          if (!skipQuoteMark(line)) return level;
          break;
        case 'item':
          if (line.isBlank) {
            // An item that begins with a blank line has no second one.
            if (isEmpty(open) && level === this.#spine.length - 1) return level;
            line.skipIndent();
          } else if (line.indent >= open.indent) line.skipColumns(open.indent);
          else return level;
          break;
        case 'note':
          if (line.isBlank) line.skipIndent();
          else if (line.indent >= 4) line.skipColumns(4);
          else return level;
          break;
        case 'code':
          if (!this.#continueCode(open, line)) return open.fence ? null : level;
          break;
        case 'html':
          if (line.isBlank && !open.end) return level;
          break;
        case 'paragraph':
        case 'table':
          if (line.isBlank) return level;
          break;
        default:
      }
    }
    return this.#spine.length;
  }

  /** False where a fence has closed, or indented code has ended. */
  #continueCode({fence}: Code, line: Line): boolean {
    if (!fence) {
      if (line.indent >= 4) line.skipColumns(4);
      else if (line.isBlank) line.skipIndent();
      else return false;
      return true;
    }
    if (line.indent < 4 && closesFence(line.rest, fence)) {
      this.#closeTo(this.#spine.length - 1);
      this.#afterBlank = false;
      return false;
    }
    line.skipColumns(Math.min(fence.indent, line.indent));
    return true;
  }

  /** Opens what begins in the line; returns how many of the open blocks it stands in. */
  #start(line: Line, matched: number): number {
    let level = matched;
    const tip = this.#spine[level - 1]!;
    if (tip.type === 'code' || tip.type === 'html') return level;
    // A paragraph and a table end where something else begins; both are leaves.
    for (;;) {
      const container = this.#spine[level - 1]!;
      const leaf = container.type === 'paragraph' || container.type === 'table' ? container : null;
      if (line.isBlank) return level;
      if (line.indent >= 4) {
        if (leaf || this.#tip.type === 'paragraph') return level;
        this.#open({type: 'code', fence: null, info: '', lines: []}, level);
        line.skipColumns(4);
        return this.#spine.length;
      }
      const next = this.#startOne(line, level, leaf);
      if (next === null) return level;
      if (next === LEAF) return LEAF;
      level = next;
    }
  }

  /** Opens one block, if one begins here: the new level, `LEAF` where nothing else begins in it, null where none does. */
  #startOne(line: Line, level: number, leaf: Paragraph | Table | null): number | null {
    const {rest} = line;
    const outer = leaf ? level - 1 : level;
    const first = rest[0]!;
    if (first === '>' && this.#spine.length < MOST_NESTED) {
      line.skipIndent();
      skipQuoteMark(line);
      return this.#open({type: 'quote', nodes: [], before: NONE}, outer);
    }
    const heading = first === '#' && HEADING.exec(rest);
    if (heading) {
      const text = trimmed(trimmed(rest.slice(heading[0].length)).replace(/(^|[ \t])#+$/, ''));
      return this.#put(this.#inline(`h${heading[1]!.length}` as MarkdownTag, text, this.#isDraft), outer);
    }
    const fence = (first === '`' || first === '~') && FENCE.exec(rest);
    if (fence) {
      const mark = fence[1] ?? fence[3]!;
      const info = unescaped(trimmed(fence[2] ?? fence[4]!), this.#context.entities);
      const of = {mark: mark[0]!, length: mark.length, indent: line.indent};
      this.#open({type: 'code', fence: of, info, lines: []}, outer);
      return LEAF;
    }
    const html =
      first === '<' ? this.#htmlKind(rest, leaf?.type === 'paragraph' || this.#isLazy(level)) : null;
    if (html) {
      const text = line.remainder;
      this.#open({type: 'html', end: html[1], text}, outer);
      if (html[1]?.test(text)) this.#closeTo(this.#spine.length - 1);
      return LEAF;
    }
    if (leaf?.type === 'paragraph') {
      const changed = this.#changeParagraph(leaf, line);
      if (changed) return changed;
    }
    if ('*_-'.includes(first) && THEMATIC_BREAK.test(rest)) return this.#put(element('hr'), outer);
    const note =
      first === '[' && leaf?.type !== 'paragraph' && this.#spine.length < MOST_NESTED
        ? NOTE.exec(rest)
        : null;
    if (note) {
      line.skipIndent();
      line.skip(note[0].length);
      line.skipIndent();
      return this.#open({type: 'note', label: note[1]!, nodes: [], before: NONE}, outer);
    }
    return this.#startItem(line, outer, leaf?.type === 'paragraph');
  }

  /** Whether the line could go on with a paragraph though its containers have ended. */
  #isLazy(level: number): boolean {
    return level < this.#spine.length && this.#tip.type === 'paragraph';
  }

  #htmlKind(rest: string, inParagraph: boolean) {
    const kind = HTML.findIndex(([begin]) => begin.test(rest));
    return kind < 0 || (kind === 6 && inParagraph) ? null : HTML[kind]!;
  }

  /** An underline makes it a heading; a row of delimiters, a table. */
  #changeParagraph(paragraph: Paragraph, line: Line): number | null {
    const {rest} = line;
    const outer = this.#spine.length - 1;
    if (UNDERLINE.test(rest)) {
      paragraph.text = this.#withoutDefinitions(paragraph.text);
      if (paragraph.text === '') {
        // It held definitions alone: the line is the first of a paragraph.
        return null;
      }
      this.#spine.pop();
      this.#push(this.#inline(rest[0] === '=' ? 'h1' : 'h2', trimmed(paragraph.text)), outer);
      return LEAF;
    }
    const aligns = readDelimiters(trimmed(rest));
    if (!aligns) return null;
    const from = paragraph.text.lastIndexOf('\n') + 1;
    const cells = splitRow(paragraph.text.slice(from));
    if (
      cells.length !== aligns.length ||
      (aligns.length === 1 && !/\|/.test(rest + paragraph.text.slice(from)))
    )
      return null;
    if (from === 0) this.#spine.pop();
    else {
      paragraph.text = paragraph.text.slice(0, from - 1);
      this.#closeTo(outer);
    }
    this.#open({type: 'table', aligns, rows: [this.#row(cells, aligns, 'th')], filled: 0}, outer);
    return LEAF;
  }

  #startItem(line: Line, outer: number, inParagraph: boolean): number | null {
    const {rest} = line;
    const bullet = BULLET.exec(rest);
    const number = bullet ? null : NUMBER.exec(rest);
    const mark = bullet ?? number;
    if (!mark || this.#spine.length >= MOST_NESTED) return null;
    const after = rest.slice(mark[0].length);
    if (after !== '' && after[0] !== ' ' && after[0] !== '\t') return null;
    // A paragraph is interrupted by an item with text, and of numbers by the first alone.
    if (inParagraph && (trimmed(after) === '' || (number && Number(number[1]) !== 1))) return null;
    const {indent} = line;
    line.skipIndent();
    line.skip(mark[0].length);
    const gap = line.isBlank || line.indent > 4 ? 1 : line.indent;
    line.skipColumns(gap);
    const marker = number ? number[2]! : mark[0];
    const start = number ? Number(number[1]) : null;
    const list = this.#spine[outer - 1]!;
    let at = outer;
    if (list.type !== 'list' || list.marker !== marker) {
      // Items stand in a list alone: another list begins beside this one.
      if (list.type === 'list') at--;
      at = this.#open({type: 'list', marker, start, loose: false, loosened: [], nodes: [], before: NONE}, at);
    }
    return this.#open({type: 'item', indent: indent + mark[0].length + gap, nodes: [], before: NONE}, at);
  }

  /** Adds what is left of the line to the innermost block. */
  #add(line: Line, level: number): void {
    if (level === LEAF) {
      this.#afterBlank = false;
      return;
    }
    const tip = this.#tip;
    const blank = line.isBlank;
    // Lazy: a paragraph goes on though its containers have not.
    if (level < this.#spine.length && tip.type === 'paragraph' && !blank) {
      tip.text += `\n${line.rest}`;
      this.#afterBlank = false;
      return;
    }
    this.#closeTo(level);
    const open = this.#tip;
    this.#addTo(open, line, blank);
    this.#afterBlank =
      blank &&
      open.type !== 'quote' &&
      !(open.type === 'code' && open.fence) &&
      !(open.type === 'item' && isEmpty(open));
  }

  #addTo(open: Open, line: Line, blank: boolean): void {
    switch (open.type) {
      case 'code':
        open.lines.push(`${line.remainder}\n`);
        break;
      case 'html':
        open.text += `\n${line.remainder}`;
        if (open.end?.test(line.remainder)) this.#closeTo(this.#spine.length - 1);
        break;
      case 'paragraph':
        open.text += `\n${line.rest}`;
        break;
      case 'table':
        this.#addRow(open, splitRow(line.rest));
        break;
      default:
        if (!blank) this.#open({type: 'paragraph', text: line.rest}, this.#spine.length);
    }
  }

  /** A row has as many cells as the table has columns, while not too many are made up. */
  #addRow(table: Table, cells: readonly string[]): void {
    const {aligns} = table;
    table.filled += Math.max(0, aligns.length - cells.length);
    const columns = table.filled > MOST_FILLED ? aligns.slice(0, cells.length) : aligns;
    table.rows.push(this.#row(cells, columns, 'td', this.#isDraft));
  }

  /** Closes what is open from this level on, and opens a block there. Returns the new level. */
  #open(block: Open, level: number): number {
    this.#closeTo(level);
    // Only items stand in a list.
    if (this.#tip.type === 'list' && block.type !== 'item') this.#closeTo(this.#spine.length - 1);
    this.#part(this.#tip);
    return this.#spine.push(block);
  }

  #put(node: MarkdownElement, level: number): number {
    this.#closeTo(level);
    if (this.#tip.type === 'list') this.#closeTo(this.#spine.length - 1);
    this.#push(node, this.#spine.length);
    return LEAF;
  }

  #push(node: MarkdownElement, level: number): void {
    const container = this.#spine[level - 1] as Container & Open;
    this.#part(container);
    container.nodes.push(node);
  }

  /** Something begins in a container: after a blank line that makes the list loose that it is part of. */
  #part(container: Open): void {
    if (!this.#afterBlank) return;
    const level = this.#spine.indexOf(container);
    const list = container.type === 'item' ? this.#spine[level - 1] : container;
    if (list?.type !== 'list' || list.loose) return;
    if (isEmpty(container as Container)) return;
    list.loose = true;
    const closed = this.#isDraft ? list.before : list.nodes;
    for (let at = list.loosened.length; at < closed.length; at++) list.loosened.push(loosened(closed[at]!));
    if (this.#isDraft) list.before = list.loosened;
    list.nodes = this.#isDraft ? list.nodes.map(loosened) : list.loosened;
  }

  /** Closes blocks until so many are open. With `open`, the innermost may go on. */
  #closeTo(count: number, open = false): void {
    const keep = Math.max(count, 1);
    let isTip = true;
    while (this.#spine.length > keep) {
      const block = this.#spine.pop()!;
      const parent = this.#spine.at(-1) as Container & Open;
      const node = this.#close(block, open && isTip);
      isTip = false;
      if (!node) continue;
      parent.nodes.push(parent.type === 'list' ? item(node.children, parent.loose) : node);
    }
  }

  /** The node of a block; null where it leaves none. */
  #close(block: Open, isTip: boolean): MarkdownElement | null {
    switch (block.type) {
      case 'paragraph':
        return this.#closeParagraph(block, isTip);
      case 'code':
        return this.#closeCode(block, isTip);
      case 'html':
        return element('html', [block.text]);
      case 'table':
        return element('table', block.rows);
      case 'quote':
        return element('blockquote', allOf(block));
      case 'list': {
        const loose = block.loose && {loose: true};
        const start = block.start !== null && block.start !== 1 && {start: block.start};
        return element(block.start === null ? 'ul' : 'ol', allOf(block), {...loose, ...start});
      }
      case 'item':
        return element('li', allOf(block));
      case 'note':
        this.#context.references.defineNote(block.label, element('note', allOf(block), {label: block.label}));
        return null;
      default:
        return null;
    }
  }

  #closeParagraph(block: Paragraph, isTip: boolean): MarkdownElement | null {
    const parent = this.#tip;
    const said = this.#withoutDefinitions(block.text);
    const text = trimmed(said);
    if (text === '') return null;
    if (isTip && text.startsWith('|') && this.#isHeader(text)) {
      const cells = splitRow(text.split('\n')[0]!);
      return element('table', [
        this.#row(
          cells,
          cells.map(() => undefined),
          'th',
          true,
        ),
      ]);
    }
    const task = parent.type === 'item' && isEmpty(parent) ? TASK.exec(text) : null;
    // Definitions that a draft finds before it may turn out others.
    const growing = said === block.text ? this.#growing : undefined;
    const paragraph = (of: string) => inlineElement('p', of, this.#context, {open: isTip}, growing);
    if (!task) return paragraph(text);
    const checkbox = element('input', [], {checked: task[1] !== ' '});
    const done = paragraph(text.slice(task[0].length));
    return {...done, children: [checkbox, ' ', ...done.children]};
  }

  /** Looks like the first row of a table whose delimiters have not come whole. */
  #isHeader(text: string): boolean {
    const [header = '', delimiters = '', ...more] = text.split('\n');
    return more.length === 0 && /^\|.*\|\s*$/.test(header) && isBegunDelimiters(delimiters);
  }

  #closeCode({fence, info, lines}: Code, isTip: boolean): MarkdownElement {
    let kept = lines;
    if (!fence) {
      kept = [...lines];
      while (kept.length > 0 && trimmed(kept.at(-1)!) === '') kept.pop();
    }
    return element('pre', kept, {...(info !== '' && {info}), ...(isTip && {open: true})});
  }

  #withoutDefinitions(text: string): string {
    const {references, entities} = this.#context;
    while (text.startsWith('[')) {
      const end = readDefinition(text, references, entities);
      if (end === 0) break;
      text = text.slice(end);
    }
    return text;
  }

  #inline(tag: MarkdownTag, text: string, open = false): MarkdownElement {
    return inlineElement(tag, text, this.#context, {open});
  }

  #row(cells: readonly string[], aligns: readonly Align[], tag: 'th' | 'td', open = false): MarkdownElement {
    return element(
      'tr',
      aligns.map((align, index) => {
        const isLast = open && index === cells.length - 1;
        return inlineElement(tag, cells[index] ?? '', this.#context, {open: isLast, ...(align && {align})});
      }),
    );
  }

  /** A line of which so little has come that it may turn out something else; it is not drawn yet. */
  #isUndecided(partial: string): boolean {
    const tip = this.#tip;
    if (tip.type === 'code' && tip.fence) {
      const rest = trimmed(partial);
      return rest !== '' && rest.length <= tip.fence.length && rest.replaceAll(tip.fence.mark, '') === '';
    }
    return partial.length < LONGEST_MARKS && UNDECIDED.test(partial);
  }
}

/** After marks of containers: nothing, or the beginning of a mark, of a fence, of a task, or of a definition. */
const UNDECIDED =
  /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*(?:[-+*_=\s]*|\d{1,9}[.)]?|#{1,6}|`+[^`\s]*|~+[^~\s]*|\[[ xX]?\]?|\[\^?[^\]]*\]:.*|\|?[\s:|-]*|<)$/;

/** A line is looked at for marks alone up to here. */
const LONGEST_MARKS = 200;

function copy(open: Open): Open {
  switch (open.type) {
    case 'code':
      return {...open, lines: [...open.lines]};
    case 'table':
      return {...open, rows: [...open.rows]};
    case 'html':
      return {...open};
    case 'paragraph':
      return {...open, formula: open.formula ? {...open.formula, lines: [...open.formula.lines]} : null};
    default:
      return {...open, nodes: [], before: open.nodes};
  }
}

function isEmpty({nodes, before}: Container): boolean {
  return nodes.length + before.length === 0;
}

function allOf({nodes, before}: Container): readonly MarkdownNode[] {
  return before.length > 0 ? before.concat(nodes) : nodes;
}

function skipQuoteMark(line: Line): boolean {
  if (line.indent > 3 || line.text[line.next] !== '>') return false;
  line.skipIndent();
  line.skip(1);
  line.skipColumns(1);
  return true;
}

function closesFence(rest: string, {mark, length}: {mark: string; length: number}): boolean {
  const bare = trimmed(rest);
  return bare.length >= length && bare.replaceAll(mark, '') === '';
}
