/**
 * Markdown blocks: a note cut into the pieces a person sees (headings, paragraphs, lists, code), with places and ids.
 *
 * An id is made of the block's text, so it is the same after edits elsewhere and names nothing once the block changed.
 */
import {createHash} from 'node:crypto';
import type {Replacement} from './note-text.js';

export type BlockType =
  'frontmatter' | 'heading' | 'code' | 'list' | 'quote' | 'table' | 'rule' | 'paragraph';

export interface MarkdownBlock {
  readonly id: string;
  readonly type: BlockType;
  readonly text: string;
  /** Where it stands in the note: from the first character to behind the last, without the line break. */
  readonly start: number;
  readonly end: number;
}

/** The blocks of a note, in order. */
export function markdownBlocks(markdown: string): readonly MarkdownBlock[] {
  const seen = new Map<string, number>();
  return cut(markdown).map(({type, start, end}) => {
    const text = markdown.slice(start, end);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
    const times = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, times);
    return {id: times === 1 ? hash : `${hash}.${times}`, type, text, start, end};
  });
}

/** A block's text replaced; with nothing, the block goes and one blank line stays between its neighbours. */
export function replaceBlock(markdown: string, {start, end}: MarkdownBlock, text: string): Replacement {
  return between(markdown, start, end, text);
}

/** Text put behind a block, or at the start of the note. */
export function insertAfter(markdown: string, block: MarkdownBlock | null, text: string): Replacement {
  const at = block?.end ?? 0;
  return between(markdown, at, at, text);
}

/** Text in a place of the note, with one blank line to what stands before and behind. */
function between(markdown: string, from: number, to: number, text: string): Replacement {
  const start = markdown.slice(0, from).trimEnd().length;
  const isLast = markdown.slice(to).trim() === '';
  const end = isLast ? markdown.length : to + /^\n*/.exec(markdown.slice(to))![0].length;
  const middle = text.replace(/^\n+|\s+$/g, '');
  const parts = [...(start > 0 ? [''] : []), ...(middle === '' ? [] : [middle]), ...(isLast ? [] : [''])];
  const isEmpty = start === 0 && middle === '';
  return {start, end, text: parts.join('\n\n') + (isLast && !isEmpty ? '\n' : '')};
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Span {
  readonly type: BlockType;
  readonly start: number;
  readonly end: number;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^\s*([-*+]|\d{1,9}[.)])(\s|$)/;

function cut(markdown: string): readonly Span[] {
  const lines = linesOf(markdown);
  const spans: Span[] = [];
  for (let index = 0; index < lines.length;) {
    const first = lines[index];
    if (!first || first.text.trim() === '') {
      index++;
      continue;
    }
    const type = typeOf(first.text, index);
    const last = lastLine(lines, index, type);
    spans.push({type, start: first.start, end: lines[last]?.end ?? first.end});
    index = last + 1;
  }
  return spans;
}

function linesOf(markdown: string): readonly Line[] {
  let start = 0;
  return markdown.split('\n').map((text) => {
    const line = {text, start, end: start + text.length};
    start = line.end + 1;
    return line;
  });
}

function typeOf(text: string, index: number): BlockType {
  if (index === 0 && text === '---') return 'frontmatter';
  if (fence.test(text)) return 'code';
  if (/^ {0,3}#{1,6}(\s|$)/.test(text)) return 'heading';
  if (/^ {0,3}([-*_])\s*(\1\s*){2,}$/.test(text)) return 'rule';
  if (listItem.test(text)) return 'list';
  if (/^ {0,3}>/.test(text)) return 'quote';
  if (/^\s*\|/.test(text)) return 'table';
  return 'paragraph';
}

function lastLine(lines: readonly Line[], from: number, type: BlockType): number {
  const at = (index: number) => lines[index]?.text ?? '';
  const until = (ends: (index: number) => boolean) => {
    let last = from;
    while (last + 1 < lines.length && !ends(last + 1)) last++;
    return last;
  };
  switch (type) {
    case 'heading':
    case 'rule':
      return from;
    case 'frontmatter': {
      const end = lines.findIndex(({text}, index) => index > from && text === '---');
      return end === -1 ? from : end;
    }
    case 'code': {
      const [, mark = '```'] = fence.exec(at(from)) ?? [];
      const closing = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}\\s*$`);
      const end = lines.findIndex(({text}, index) => index > from && closing.test(text));
      return end === -1 ? lines.length - 1 : end;
    }
    case 'list':
      // A blank line ends a list unless the list goes on behind it: another item, or text that belongs to one.
      return until((index) => {
        if (at(index).trim() !== '') return startsBlock(at(index)) && !listItem.test(at(index));
        const next = at(index + 1);
        return next.trim() === '' || !(listItem.test(next) || /^\s{2,}\S/.test(next));
      });
    case 'quote':
    case 'table':
    case 'paragraph':
      return until((index) => {
        const other = typeOf(at(index), index);
        return at(index).trim() === '' || (other !== type && other !== 'paragraph');
      });
  }
}

function startsBlock(text: string): boolean {
  return !/^\s{2,}/.test(text) && typeOf(text, 1) !== 'paragraph';
}
