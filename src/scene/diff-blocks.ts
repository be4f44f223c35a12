/** A change as a reader goes through it: files, hunks, lines that stay and lines that were exchanged for others. */
import {matching} from './matching.js';

export interface DiffLine {
  readonly text: string;
  /** Its number in the old and in the new text; null where it is not in that one, or nobody said. */
  readonly before: number | null;
  readonly after: number | null;
}

export type DiffBlock =
  /** A file begins. Without a name before, or after, it was made or deleted. */
  | {readonly type: 'file'; readonly before: string | null; readonly after: string | null}
  /** A place in the file begins. */
  | {readonly type: 'hunk'; readonly text: string}
  | {readonly type: 'same'; readonly lines: readonly DiffLine[]}
  | {readonly type: 'change'; readonly removed: readonly DiffLine[]; readonly added: readonly DiffLine[]}
  /** What stands around, as it is: renames, modes, `\ No newline at end of file`. */
  | {readonly type: 'note'; readonly text: string};

/** The most lines of one block, so that a large one can be drawn by and by. */
const MOST_LINES = 100;
const MOST_EDITS = 400;

/** The blocks of a unified patch. Whatever is none is shown as it stands. */
export function diffBlocks(patch: string): readonly DiffBlock[] {
  const blocks = new Blocks();
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!.replace(/\r$/, '');
    const next = lines[index + 1] ?? '';
    if (!blocks.isInside && /^--- ./.test(line) && next.startsWith('+++ ')) {
      blocks.push({type: 'file', before: fileName(line.slice(4)), after: fileName(next.slice(4))});
      index++;
    } else blocks.read(line);
  }
  return blocks.end();
}

/** The blocks between two texts; names are left to whoever knows them. */
export function textDiffBlocks(before: string, after: string): readonly DiffBlock[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const blocks = new Blocks();
  let [from, fromNow] = [0, 0];
  for (const [at, atNow] of [...matching(old, now, MOST_EDITS), [old.length, now.length] as const]) {
    for (; from < at; from++) blocks.remove(old[from]!);
    for (; fromNow < atNow; fromNow++) blocks.add(now[fromNow]!);
    if (at < old.length) blocks.keep(old[at]!);
    [from, fromNow] = [at + 1, atNow + 1];
  }
  return blocks.end();
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Git writes `a/` and `b/` before the path, other tools a tab and a date behind it. */
function fileName(name: string): string | null {
  const path = name.replace(/\t.*/, '').trim();
  return path === '/dev/null' ? null : path.replace(/^[ab]\//, '');
}

class Blocks {
  readonly #blocks: DiffBlock[] = [];
  #same: DiffLine[] = [];
  #removed: DiffLine[] = [];
  #added: DiffLine[] = [];
  /** Numbers of the next lines, and how many of each the hunk has left; without a hunk nobody knows. */
  #at: [number, number] | null = [1, 1];
  #left = [0, 0];

  /** Within a hunk `--- ` is a line that was removed. */
  get isInside(): boolean {
    return this.#left[0]! > 0 || this.#left[1]! > 0;
  }

  push(block: DiffBlock): void {
    this.end();
    this.#blocks.push(block);
    this.#at = null;
    this.#left = [0, 0];
  }

  read(line: string): void {
    const hunk = this.isInside ? null : /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      this.push({type: 'hunk', text: line});
      this.#at = [Number(hunk[1]), Number(hunk[3])];
      this.#left = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
    } else if (line.startsWith('+')) this.add(line.slice(1));
    else if (line.startsWith('-')) this.remove(line.slice(1));
    else if (this.isInside && (line.startsWith(' ') || line === '')) this.keep(line.slice(1));
    else {
      // Still in the hunk: only said about the line before.
      this.end();
      this.#blocks.push({type: 'note', text: line});
    }
  }

  keep(text: string): void {
    if (this.#removed.length > 0 || this.#added.length > 0 || this.#same.length === MOST_LINES) this.end();
    this.#same.push({text, before: this.#number(0), after: this.#number(1)});
  }

  remove(text: string): void {
    if (this.#same.length > 0 || this.#added.length > 0 || this.#removed.length === MOST_LINES) this.end();
    this.#removed.push({text, before: this.#number(0), after: null});
  }

  add(text: string): void {
    if (this.#same.length > 0 || this.#added.length === MOST_LINES) this.end();
    this.#added.push({text, before: null, after: this.#number(1)});
  }

  end(): readonly DiffBlock[] {
    if (this.#same.length > 0) this.#blocks.push({type: 'same', lines: this.#same});
    if (this.#removed.length > 0 || this.#added.length > 0)
      this.#blocks.push({type: 'change', removed: this.#removed, added: this.#added});
    this.#same = [];
    this.#removed = [];
    this.#added = [];
    return this.#blocks;
  }

  #number(side: 0 | 1): number | null {
    this.#left[side]!--;
    return this.#at === null ? null : this.#at[side]++;
  }
}

export interface WordSpan {
  readonly text: string;
  readonly changed: boolean;
}

const LONGEST_LINE = 2000;
const MOST_WORD_EDITS = 60;
/** Lines that share less than this were not made of each other. */
const LIKE = 0.3;

/** What changed within a line, in both; null where it is another line altogether. */
export function wordMarks(
  before: string,
  after: string,
): readonly [readonly WordSpan[], readonly WordSpan[]] | null {
  if (before.length > LONGEST_LINE || after.length > LONGEST_LINE) return null;
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const kept = matching(old, now, MOST_WORD_EDITS);
  const same = kept.reduce((sum, [index]) => sum + old[index]!.trim().length, 0);
  if (same < LIKE * Math.max(before.trim().length, after.trim().length)) return null;
  return [
    spansOf(
      old,
      kept.map(([index]) => index),
    ),
    spansOf(
      now,
      kept.map(([, index]) => index),
    ),
  ];
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu) ?? [];
}

function spansOf(words: readonly string[], kept: readonly number[]): readonly WordSpan[] {
  const stays = new Set(kept);
  const spans: {text: string; changed: boolean}[] = [];
  for (const [index, text] of words.entries()) {
    const changed = !stays.has(index);
    const last = spans.at(-1);
    if (last?.changed === changed) last.text += text;
    else spans.push({text, changed});
  }
  return spans;
}
