/**
 * Note text: the Markdown that readers and agents see, with `\n` at the end of each line, and beside it the line ends that
 * the file has. A change names what it replaces, and everything else keeps its bytes.
 */
import {diffLines} from 'diff';

/** Text in the place of other text. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type LineEnd = '\n' | '\r\n';

export class NoteText {
  private constructor(
    readonly markdown: string,
    /** One for each `\n` of the Markdown. */
    private readonly ends: readonly LineEnd[],
  ) {}

  /** The text of a file. */
  static of(file: string): NoteText {
    return new NoteText(file.replaceAll('\r\n', '\n'), (file.match(/\r?\n/g) ?? []) as LineEnd[]);
  }

  /** With one replacement after the other; each counts in the text that those before it left. */
  replaced(replacements: readonly Replacement[]): NoteText {
    return replacements.reduce<NoteText>((text, each) => text.#replaced(each), this);
  }

  /** As it stands in the file. */
  toString(): string {
    if (!this.ends.includes('\r\n')) return this.markdown;
    let line = 0;
    return this.markdown.replaceAll('\n', () => this.ends[line++]!);
  }

  #replaced(replacement: Replacement): NoteText {
    const {markdown, ends} = this;
    const text = plainEnds(replacement.text);
    const {start, end, text: fresh} = narrowed(markdown, {...replacement, text});
    const first = countLines(markdown.slice(0, start));
    const gone = ends.slice(first, first + countLines(markdown.slice(start, end)));
    const next = ends[first + gone.length];
    // A new line ends as the one it replaces, or else as the one that it stands in or behind.
    const usual = gone.at(-1) ?? next ?? ends[first - 1] ?? '\n';
    const made = Array.from({length: countLines(fresh)}, (_, line) => gone[line] ?? usual);
    return new NoteText(
      markdown.slice(0, start) + fresh + markdown.slice(end),
      ends.toSpliced(first, gone.length, ...made),
    );
  }
}

/** What makes one text of another, line by line. */
export function replacementsOf(before: string, after: string): readonly Replacement[] {
  // Two long texts with nothing in common take too long to compare: then everything changed.
  const parts = diffLines(before, after, {timeout: 500});
  if (parts === undefined) return [{start: 0, end: before.length, text: after}];
  const replacements: Replacement[] = [];
  let at = 0;
  for (const {added, removed, value} of parts) {
    const text = added ? plainEnds(value) : value;
    if (removed) replacements.push({start: at, end: at + value.length, text: ''});
    else if (added) {
      // What was removed just before is what this replaces.
      const old = replacements.at(-1);
      const isReplaced = old?.start === at && old.text === '';
      if (isReplaced) replacements.pop();
      replacements.push({start: at, end: isReplaced ? old.end : at, text});
    }
    if (!removed) at += text.length;
  }
  return replacements;
}

/** Text with `\n` alone at the end of each line, as notes are shown. */
export function plainEnds(text: string): string {
  return text.replace(/\r+\n/g, '\n');
}

/** The same change without the characters that stay. */
function narrowed(markdown: string, {start, end, text}: Replacement): Replacement {
  const most = Math.min(end - start, text.length);
  let head = 0;
  while (head < most && markdown[start + head] === text[head]) head++;
  let tail = 0;
  while (tail < most - head && markdown[end - tail - 1] === text[text.length - tail - 1]) tail++;
  return {start: start + head, end: end - tail, text: text.slice(head, text.length - tail)};
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
