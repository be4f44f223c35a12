/**
 * What a terminal would show of a text: lines of spans. Text comes in pieces, cut anywhere. Colours, carriage returns,
 * backspaces, moves within the line, erase-line and links (OSC 8) are done; every other sequence is dropped. Lines
 * that are over are never touched again, so what draws them need not either.
 */
import {linked, plainStyle, styled, type TerminalStyle} from './terminal-style.js';

export interface TextSpan {
  readonly text: string;
  readonly style: TerminalStyle;
}

export type TextLine = readonly TextSpan[];

/** Lines of a text that grows. */
export interface GrowingLines {
  /** Those that are over. */
  readonly lines: readonly TextLine[];
  /** The one that may still change. */
  readonly tail: TextLine;
  write(piece: string): void;
}

/** A text as it is. */
export class PlainLines implements GrowingLines {
  readonly lines: TextLine[] = [];
  #tail = '';

  get tail(): TextLine {
    return spanOf(this.#tail);
  }

  write(piece: string): void {
    const [first = '', ...rest] = piece.split('\n');
    this.#tail += first;
    for (const text of rest) {
      this.lines.push(spanOf(this.#tail.replace(/\r$/, '')));
      this.#tail = text;
    }
  }
}

function spanOf(text: string): TextLine {
  return text === '' ? [] : [{text, style: plainStyle}];
}

/** The longest text that a sequence may hold; one that never ends must not swallow what follows. */
const LONGEST = 4096;
const LONGEST_CONTROL = 64;
/** How far a move may go beyond what stands in the line. */
const FARTHEST = 120;
/** How much of a line is erased backwards: no row of a terminal is wider. */
const WIDEST = 500;

// eslint-disable-next-line no-control-regex -- they are what is looked for
const SPECIAL = /[\0\x07\b\n\r\x0e\x0f\x1b]/g;
// eslint-disable-next-line no-control-regex
const STRING = /[^\x07\x1b\n]{0,4096}/y;
/** What stands on the character before it. */
const JOINED = /\p{M}|\u200D|\uFE0F/u;

interface Cell {
  readonly text: string;
  readonly style: TerminalStyle;
}

const blank: Cell = {text: ' ', style: plainStyle};

export class TerminalLines implements GrowingLines {
  readonly lines: TextLine[] = [];
  /** The line while it is only written on. */
  #spans: TextSpan[] = [];
  /** The line once something went back in it, by columns. */
  #cells: Cell[] | null = null;
  #cursor = 0;
  #style = plainStyle;
  /** A carriage return that may be the first half of a line's end. */
  #returned = false;
  /** The begin of a sequence, or half of a character. */
  #rest = '';

  get tail(): TextLine {
    return this.#cells ? joined(this.#cells) : [...this.#spans];
  }

  write(piece: string): void {
    const text = this.#rest + piece;
    this.#rest = '';
    let at = 0;
    while (at < text.length) {
      SPECIAL.lastIndex = at;
      const next = SPECIAL.exec(text)?.index ?? text.length;
      const end = next === text.length && isHighSurrogate(text, next - 1) ? next - 1 : next;
      if (end > at) this.#put(text.slice(at, end));
      if (end < next || next === text.length) {
        this.#rest = text.slice(end);
        return;
      }
      const length = text[next] === '\x1b' ? this.#sequence(text, next) : this.#control(text[next]!);
      if (length === 0) {
        this.#rest = text.slice(next);
        return;
      }
      at = next + length;
    }
  }

  #control(control: string): number {
    if (control === '\n') {
      this.lines.push(this.tail);
      this.#clear();
    } else if (control === '\r') this.#returned = true;
    else if (control === '\b') this.#move(-1);
    return 1;
  }

  #clear() {
    this.#spans = [];
    this.#cells = null;
    this.#cursor = 0;
    this.#returned = false;
  }

  #put(text: string) {
    if (this.#returned) this.#moveTo(0);
    if (this.#cells) return this.#overwrite(this.#cells, text);
    const last = this.#spans.at(-1);
    if (last?.style === this.#style)
      this.#spans[this.#spans.length - 1] = {text: last.text + text, style: last.style};
    else this.#spans.push({text, style: this.#style});
  }

  #overwrite(cells: Cell[], text: string) {
    const style = this.#style;
    for (const character of text) {
      const before = this.#cursor > 0 ? cells[this.#cursor - 1] : undefined;
      if (before && isJoined(character)) cells[this.#cursor - 1] = join(before, character);
      else {
        this.#pad(cells);
        cells[this.#cursor++] = {text: character, style};
      }
    }
  }

  /** Blanks between the end of the line and where the cursor went. */
  #pad(cells: Cell[]) {
    while (cells.length < this.#cursor) cells.push(blank);
  }

  #move(columns: number) {
    if (this.#returned) this.#moveTo(0);
    this.#columns();
    this.#moveTo(this.#cursor + columns);
  }

  #moveTo(column: number) {
    this.#returned = false;
    const {length} = this.#columns();
    this.#cursor = Math.max(0, Math.min(column, Math.max(length, FARTHEST)));
    if (this.#cursor === 0 && length === 0) this.#clear();
  }

  #columns(): Cell[] {
    if (this.#cells) return this.#cells;
    const cells: Cell[] = [];
    for (const {text, style} of this.#spans)
      for (const character of text) {
        const before = cells.at(-1);
        if (before && isJoined(character)) cells[cells.length - 1] = join(before, character);
        else cells.push({text: character, style});
      }
    this.#cursor = cells.length;
    return (this.#cells = cells);
  }

  #erase(part: number) {
    if (this.#returned) this.#moveTo(0);
    const cells = this.#columns();
    const end = Math.min(this.#cursor + 1, cells.length);
    if (part === 0) cells.length = Math.min(cells.length, this.#cursor);
    else if (part === 1) cells.fill(blank, Math.max(0, end - WIDEST), end);
    else if (part === 2) cells.length = 0;
    if (cells.length === 0 && this.#cursor === 0) this.#clear();
  }

  /** Does what the sequence says; the characters it took, none where its end is not there yet. */
  #sequence(text: string, at: number): number {
    const kind = text[at + 1];
    if (kind === undefined) return 0;
    if (kind === '[') return this.#controlSequence(text, at);
    if (']PX^_'.includes(kind)) return this.#string(text, at, kind === ']');
    if (!/[ -/]/.test(kind)) return /[0-~]/.test(kind) ? 2 : 1;
    return text.length < at + 3 ? 0 : /[0-~]/.test(text[at + 2]!) ? 3 : 2;
  }

  #controlSequence(text: string, at: number): number {
    let end = at + 2;
    while (end < text.length && end - at < LONGEST_CONTROL && /[ -?]/.test(text[end]!)) end++;
    if (end === text.length && end - at < LONGEST_CONTROL) return 0;
    const final = text[end] ?? '';
    if (!/[@-~]/.test(final)) return end - at;
    const parameters = text.slice(at + 2, end);
    if (/^[\d;:]*$/.test(parameters)) this.#act(final, parameters);
    return end - at + 1;
  }

  #act(final: string, parameters: string) {
    const number = parseInt(parameters, 10);
    const count = number || 1;
    switch (final) {
      case 'm':
        this.#style = styled(this.#style, parameters);
        break;
      case 'K':
        this.#erase(number || 0);
        break;
      case 'C':
        this.#move(count);
        break;
      case 'D':
        this.#move(-count);
        break;
      case 'G':
        this.#moveTo(count - 1);
        break;
    }
  }

  /** A sequence that holds a text, such as a title or a link; of these only links are for us. */
  #string(text: string, at: number, isCommand: boolean): number {
    STRING.lastIndex = at + 2;
    const body = STRING.exec(text)![0];
    const end = at + 2 + body.length;
    if (end === text.length && body.length < LONGEST) return 0;
    if (text[end] !== '\x07' && text[end] !== '\x1b') return 2;
    if (text[end] === '\x1b') {
      if (end + 1 === text.length) return 0;
      if (text[end + 1] !== '\\') return end - at;
    }
    const link = isCommand ? /^8;[^;]*;(.*)$/.exec(body) : null;
    if (link) this.#style = linked(this.#style, link[1] || null);
    return end - at + (text[end] === '\x07' ? 1 : 2);
  }
}

function joined(cells: readonly Cell[]): TextLine {
  const spans: {texts: string[]; style: TerminalStyle}[] = [];
  for (const {text, style} of cells) {
    const last = spans.at(-1);
    if (last?.style === style) last.texts.push(text);
    else spans.push({texts: [text], style});
  }
  return spans.map(({texts, style}) => ({text: texts.join(''), style}));
}

function join({text, style}: Cell, character: string): Cell {
  return {text: text + character, style};
}

function isJoined(character: string): boolean {
  return character >= '\u0300' && JOINED.test(character);
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

/** The lines as text, without what coloured them. */
export function plainText({lines, tail}: GrowingLines): string {
  return [...lines, tail].map((line) => line.map(({text}) => text).join('')).join('\n');
}
