/** A JSON text as lines that fold, as `JSON.stringify(value, null, 2)` would write them. */

export interface JsonLine {
  readonly indent: string;
  /** The name before a value, in quotes; null in lists. */
  readonly key: string | null;
  readonly value: string;
  readonly kind: 'string' | 'number' | 'word' | 'open' | 'close' | 'empty';
  readonly comma: boolean;
  /** The line that opens what this one is in; -1 at the top. */
  readonly parent: number;
  /** Of a line that opens something: the line that closes it, and how much is in it. */
  readonly end: number;
  readonly size: number;
}

/** Deeper ones stand no further in, or a text of nothing but brackets would become its own square. */
const DEEPEST = 64;

/** Numbers are kept as they are written, since not all of them survive being read. Null where the text is no JSON. */
export function jsonLines(text: string): readonly JsonLine[] | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return linesOf(text);
}

type Draft = {-readonly [field in keyof JsonLine]: JsonLine[field]};

const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s",:[\]{}]+|[[\]{},:]/g;

function linesOf(text: string): readonly JsonLine[] {
  const lines: Draft[] = [];
  const open: number[] = [];
  let key: string | null = null;
  let token = TOKEN.exec(text);
  const push = (kind: JsonLine['kind'], value: string) => {
    const parent = open.at(-1) ?? -1;
    if (kind !== 'close' && parent >= 0) lines[parent]!.size++;
    const indent = '  '.repeat(Math.min(open.length, DEEPEST));
    lines.push({indent, key, value, kind, comma: false, parent, end: -1, size: 0});
    key = null;
  };
  for (; token; token = TOKEN.exec(text)) {
    const [word] = token;
    switch (word) {
      case '{':
      case '[':
        push('open', word);
        open.push(lines.length - 1);
        break;
      case '}':
      case ']':
        close(lines, open.pop()!, word, push);
        break;
      case ',':
        lines.at(-1)!.comma = true;
        break;
      case ':': {
        // What was taken for a value was the name of the next one.
        const name = lines.pop()!;
        lines[name.parent]!.size--;
        key = name.value;
        break;
      }
      default:
        if (word.startsWith('"')) push('string', JSON.stringify(JSON.parse(word)));
        else push(/^[-\d]/.test(word) ? 'number' : 'word', word);
    }
  }
  return lines;
}

function close(
  lines: Draft[],
  start: number,
  word: string,
  push: (kind: JsonLine['kind'], value: string) => void,
) {
  const line = lines[start]!;
  if (line.size === 0) Object.assign(line, {kind: 'empty', value: line.value + word});
  else {
    push('close', word);
    // It stands where the line that opened it does, but is folded away with what is in it.
    lines.at(-1)!.parent = start;
    line.end = lines.length - 1;
  }
}

/** The line as it is written. */
export function jsonLineText({indent, key, value, comma}: JsonLine): string {
  return `${indent}${key === null ? '' : `${key}: `}${value}${comma ? ',' : ''}`;
}
