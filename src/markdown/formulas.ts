/**
 * Where formulas stand in a text, for pages that have them drawn: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` by
 * themselves. The rules are Pandoc's, and what holds a backtick is none: code comes first.
 */
import {isWhite} from './characters.js';

/** What has begun with a mark and is longer than this is no formula, so that nobody waits for its end. */
const LONGEST: Readonly<Record<string, number>> = {$: 1000, $$: 10_000, '\\(': 10_000, '\\[': 10_000};
/** A mark that begins a formula, to the one that ends it. */
const ENDS: Readonly<Record<string, string>> = {$: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]'};

const MARK = /\\[^]|\$+|`/g;

/** A formula. Without an end, it may get one. */
export interface Formula {
  readonly end: number | null;
  /** Stands by itself. */
  readonly display: boolean;
}

/** The formulas of a text, asked for from its beginning to its end. */
export class Formulas {
  readonly #text: string;
  /** Where each mark stands, the next one last; `$` for dollars of any number. */
  readonly #places = new Map<string, number[]>();

  constructor(text: string) {
    this.#text = text;
    for (const {0: mark, index} of text.matchAll(MARK)) {
      this.#put(mark, index);
      if (mark[0] === '$' && mark !== '$') this.#put('$', index);
    }
    for (const places of this.#places.values()) places.reverse();
  }

  /** The formula that begins with this mark at this place. With `open`, more of the text may come. */
  at(from: number, mark: string, open: boolean): Formula | null {
    const close = ENDS[mark];
    const begin = from + mark.length;
    if (close === undefined || (mark === '$' && isWhite(this.#text[begin] ?? '$'))) return null;
    const longest = LONGEST[mark]!;
    const end = this.#next(close, begin);
    const code = this.#next('`', begin);
    if (code !== null && (end === null || code < end)) return null;
    const unfinished =
      open && this.#text.length - from <= longest ? {end: null, display: isDisplay(mark)} : null;
    if (end === null) return unfinished;
    if (end - from > longest || this.#text.slice(begin, end).trim() === '') return null;
    if (mark === '$') {
      // The next dollar ends it, or there is none. What follows it may not have come.
      const after = this.#text[end + 1];
      if (isWhite(this.#text[end - 1]!) || /[\d$]/.test(after ?? '')) return null;
      if (after === undefined && open) return unfinished;
    }
    return {end: end + close.length, display: isDisplay(mark)};
  }

  #put(mark: string, at: number) {
    const places = this.#places.get(mark);
    if (places) places.push(at);
    else this.#places.set(mark, [at]);
  }

  #next(mark: string, from: number): number | null {
    const places = this.#places.get(mark) ?? [];
    while (places.length > 0 && places.at(-1)! < from) places.pop();
    return places.at(-1) ?? null;
  }
}

/** The mark that begins a formula by itself and has no end in this line, if `open` had none before it. */
export function leftOpen(line: string, open: string | null): string | null {
  for (const [mark] of line.matchAll(MARK)) {
    if (open !== null) open = mark === ENDS[open] ? null : open;
    else if (mark === '$$' || mark === '\\[') open = mark;
  }
  return open;
}

/** Whether so much may belong to a formula that begins with this mark. */
export function isWithin(open: string, length: number): boolean {
  return length <= LONGEST[open]!;
}

function isDisplay(mark: string): boolean {
  return mark === '$$' || mark === '\\[';
}
