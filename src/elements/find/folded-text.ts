/** Text as it is compared: case, accents and kinds of white space make no difference, and a block ends what is in it. */

/** Stands between texts that are not read as one; no reader types it. */
export const GAP = '\0';

export interface FoldedText {
  readonly text: string;
  /** Where a character of the folded text stands in the other; also for the end. */
  at(index: number): number;
}

export function foldText(text: string): FoldedText {
  if (!FOREIGN.test(text)) return {text: text.toLowerCase().replace(/\s/g, ' '), at: (index) => index};
  const places: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const letter = foldCharacter(character);
    for (let unit = 0; unit < letter.length; unit++) places.push(at);
    folded += letter;
    at += character.length;
  }
  places.push(at);
  return {text: folded, at: (index) => places[index]!};
}

/** Where the wanted text begins, one after the other. */
export function* occurrences(text: string, wanted: string): Generator<number> {
  if (wanted === '') return;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) yield at;
}

export function countOf(text: string, wanted: string): number {
  let count = 0;
  for (const _ of occurrences(text, wanted)) count++;
  return count;
}

const FOREIGN = /[^\0-\x7f]/;
/** What is written above, below or between letters: Latin, Greek and Cyrillic accents, Hebrew and Arabic points; and what is not seen. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u00ad\u200b-\u200f\u2060\ufeff]/g;
const known = new Map<string, string>();

function foldCharacter(character: string): string {
  let folded = known.get(character);
  if (folded === undefined) {
    folded = /\s/.test(character)
      ? ' '
      : character.normalize('NFD').replace(MARKS, '').normalize('NFC').toLowerCase();
    known.set(character, folded);
  }
  return folded;
}
