/** Markdown as lines that are text and lines that are not: code, front matter. What rewrites text leaves the others alone. */

/** The note with every line of text rewritten; null drops a line. */
export function mapText(markdown: string, rewrite: (line: string) => string | null): string {
  const kinds = kindsOf(markdown.split('\n'));
  return kinds
    .map(({line, text}) => (text ? rewrite(line) : line))
    .filter((line) => line !== null)
    .join('\n');
}

/** The lines of text. */
export function textLines(markdown: string): readonly string[] {
  return kindsOf(markdown.split('\n'))
    .filter(({text}) => text)
    .map(({line}) => line);
}

/** The line with everything rewritten but code and addresses in it. */
export function mapWords(line: string, rewrite: (words: string) => string): string {
  return line
    .split(/(`[^`]*`|\]\([^)]*\)|https?:\/\/\S+|<[^>]*>)/)
    .map((part, index) => (index % 2 === 0 ? rewrite(part) : part))
    .join('');
}

export interface Heading {
  readonly level: number;
  readonly text: string;
}

export function headingOf(line: string): Heading | null {
  const [, marks = '', text = ''] = /^(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line) ?? [];
  return marks === '' ? null : {level: marks.length, text};
}

export function headings(markdown: string): readonly Heading[] {
  return textLines(markdown)
    .map(headingOf)
    .filter((heading) => heading !== null);
}

interface KnownLine {
  readonly line: string;
  readonly text: boolean;
}

function kindsOf(lines: readonly string[]): readonly KnownLine[] {
  let fence: string | null = null;
  let front = lines[0] === '---' && lines.indexOf('---', 1) > 0;
  return lines.map((line, index) => {
    if (front) {
      front = index === 0 || line !== '---';
      return {line, text: false};
    }
    const [, mark = null] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null && mark === null) return {line, text: true};
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    return {line, text: false};
  });
}
