/** The parts of links and of their definitions (CommonMark 0.31, sections 4.7 and 6.3), each read at a place of a text. */
import {trimmed, unescaped, type EntityTable} from './characters.js';
import type {References} from './references.js';

/** What was read, and where it ended. */
export interface Read<T> {
  readonly value: T;
  readonly end: number;
}

const LABEL = /\[((?:[^\\[\]]|\\[\s\S]){0,1000})\]/y;
const POINTED = /<((?:[^<>\n\\]|\\.)*)>/y;
/** Bounded, so that a text full of openings costs no more than its length asks. */
const TITLE =
  /"((?:[^"\\]|\\[\s\S]){0,4000})"|'((?:[^'\\]|\\[\s\S]){0,4000})'|\(((?:[^()\\]|\\[\s\S]){0,4000})\)/y;
const GAP = /[ \t]*(?:\n[ \t]*)?/y;
const REST_OF_LINE = /[ \t]*(?:\n|$)/y;
const MOST_PARENTHESES = 32;
const LONGEST_LABEL = 999;

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Behind white space with at most one line end. */
export function skipGap(text: string, index: number): number {
  return index + at(GAP, text, index)![0].length;
}

/** What stands between brackets; null also where it is empty or too long for a label. */
export function readLabel(text: string, index: number): Read<string> | null {
  const label = at(LABEL, text, index);
  if (!label || label[1]!.length > LONGEST_LABEL || trimmed(label[1]!) === '') return null;
  return {value: label[1]!, end: index + label[0].length};
}

export function readDestination(text: string, index: number, entities: EntityTable): Read<string> | null {
  if (text[index] === '<') {
    const pointed = at(POINTED, text, index);
    return pointed && {value: unescaped(pointed[1]!, entities), end: index + pointed[0].length};
  }
  let depth = 0;
  let end = index;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x5c && end + 1 < text.length && /[!-/:-@[-`{-~]/.test(text[end + 1]!)) end++;
    else if (code === 0x28 && ++depth > MOST_PARENTHESES) return null;
    else if (code === 0x29 && --depth < 0) break;
    else if (code <= 0x20 || code === 0x7f) break;
  }
  if (depth > 0 || (depth < 0 && text[end] !== ')')) return null;
  return {value: unescaped(text.slice(index, end), entities), end};
}

export function readTitle(text: string, index: number, entities: EntityTable): Read<string> | null {
  const title = at(TITLE, text, index);
  if (!title) return null;
  const value = title[1] ?? title[2] ?? title[3]!;
  return {value: unescaped(value, entities), end: index + title[0].length};
}

/** Reads the link definition at the beginning of a paragraph; returns where it ends, 0 where there is none. */
export function readDefinition(text: string, references: References, entities: EntityTable): number {
  const label = readLabel(text, 0);
  if (!label || text[label.end] !== ':') return 0;
  const start = skipGap(text, label.end + 1);
  const destination = readDestination(text, start, entities);
  if (!destination || destination.end === start) return 0;
  let {end} = destination;
  const gap = skipGap(text, end);
  let title = gap > end ? readTitle(text, gap, entities) : null;
  let rest = title && at(REST_OF_LINE, text, title.end);
  if (title && rest) end = title.end;
  else {
    // What looked like a title on the next line may be the paragraph's first words.
    title = null;
    rest = at(REST_OF_LINE, text, end);
    if (!rest) return 0;
  }
  references.define(label.value, {href: destination.value, title: title?.value});
  return end + rest[0].length;
}
