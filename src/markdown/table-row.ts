/** Rows of tables (GFM 0.29, section 4.10). */
import {trimmed} from './characters.js';
import type {MarkdownAttributes} from './node.js';

export type Align = MarkdownAttributes['align'];

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** As much of a row of delimiters as may have come. */
const BEGUN = /^[|:\- \t]*$/;

/** The alignments a row of delimiters gives, null where it is none. */
export function readDelimiters(line: string): readonly Align[] | null {
  if (!DELIMITERS.test(line)) return null;
  return splitRow(line).map((cell) => {
    const left = cell.startsWith(':');
    const right = cell.endsWith(':');
    return left && right ? 'center' : left ? 'left' : right ? 'right' : undefined;
  });
}

export function isBegunDelimiters(line: string): boolean {
  return BEGUN.test(line);
}

/** The cells of a row, with `\|` as `|` and without the space around them. */
export function splitRow(line: string): readonly string[] {
  const cells: string[] = [];
  const row = trimmed(line);
  let cell = '';
  for (let index = row.startsWith('|') ? 1 : 0; index < row.length; index++) {
    const character = row[index]!;
    if (character === '\\' && index + 1 < row.length) {
      const next = row[++index]!;
      cell += next === '|' ? next : character + next;
    } else if (character !== '|') cell += character;
    else {
      cells.push(trimmed(cell));
      cell = '';
      if (index === row.length - 1) return cells;
    }
  }
  cells.push(trimmed(cell));
  return cells;
}
