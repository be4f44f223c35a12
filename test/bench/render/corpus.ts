/**
 * What every subject of `npm run bench -- render` is given: markdown as an agent writes it, the same for the same seed, in
 * exactly as many characters as asked for, cut into deltas of the size of tokens.
 */
import {random, type Random} from './random.js';

const makers = {mixed, list, code, table, paragraph} satisfies Record<
  string,
  (chars: number, at: Random) => string
>;

/** `mixed` is a long answer; each of the others is one block that grows to the end. */
export type Corpus = keyof typeof makers;

export const corpora = Object.keys(makers) as readonly Corpus[];

/** Exactly `chars` characters of it. */
export function corpusOf(name: Corpus, chars: number, seed = 1): string {
  const text = makers[name](chars, random(seed));
  const {after, before, behind} = ends[name];
  // Cut, and whole again: an end inside a mark would be a matter of taste.
  const room = chars - before.length - behind.length - 1;
  const at = text.lastIndexOf(after, room - after.length);
  if (at < 0) throw new RangeError(`A corpus of ${chars} characters is too short; ask for 1000 and more.`);
  const whole = text.slice(0, at + after.length);
  return `${whole}${before}${'x'.repeat(chars - whole.length - before.length - behind.length)}${behind}`;
}

/** Pieces of two to eight characters, as models send them. */
export function deltasOf(text: string, seed = 1): string[] {
  const at = random(seed);
  const deltas: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + at.between(2, 8);
    deltas.push(text.slice(from, to));
    from = to;
  }
  return deltas;
}

/** After what a text may be cut, and what stands around the letters that fill it up, so that the block is whole again. */
const ends: Record<Corpus, {readonly after: string; readonly before: string; readonly behind: string}> = {
  mixed: {after: '\n\n', before: '', behind: '\n'},
  list: {after: '\n', before: '- ', behind: '\n'},
  code: {after: '\n', before: '', behind: '\n'},
  table: {after: '\n', before: '| ', behind: ' | 1 | 1 | 1 |\n'},
  paragraph: {after: '** ', before: '', behind: '\n'},
};

function mixed(chars: number, at: Random): string {
  let text = `${heading(at, 1)}\n\n`;
  while (text.length < chars) text += `${block(at)}\n\n`;
  return text;
}

function block(at: Random): string {
  switch (at.between(0, 11)) {
    case 0:
      return heading(at, at.between(2, 4));
    case 1:
    case 2:
      return items(at, at.between(3, 8), () => '-');
    case 3:
      return items(at, at.between(3, 6), (index) => `${index + 1}.`);
    case 4:
      return `> ${sentence(at)}`;
    case 5:
    case 6:
      return fence(at, at.between(4, 18));
    case 7:
      return rows(at, at.between(3, 8));
    default:
      return Array.from({length: at.between(2, 5)}, () => sentence(at)).join(' ');
  }
}

function list(chars: number, at: Random): string {
  return items(at, Math.ceil(chars / 40), () => '-');
}

function code(chars: number, at: Random): string {
  // Open to the end: the closing fence never comes.
  return `\`\`\`ts\n${lines(at, 'ts', Math.ceil(chars / 20))}\n`;
}

function table(chars: number, at: Random): string {
  return `${rows(at, Math.ceil(chars / 40))}\n`;
}

function paragraph(chars: number, at: Random): string {
  let text = '';
  while (text.length < chars + 100)
    text += `${words(at, at.between(6, 10))} **${words(at, at.between(2, 3))}** `;
  return text;
}

const heading = (at: Random, level: number) => `${'#'.repeat(level)} ${words(at, at.between(2, 6))}`;

const items = (at: Random, count: number, mark: (index: number) => string) =>
  Array.from({length: count}, (_, index) => `${mark(index)} ${sentence(at)}`).join('\n');

function rows(at: Random, count: number): string {
  const row = () =>
    `| ${words(at, 2)} | ${inline(at)} | ${at.between(1, 9999)} | ${words(at, at.between(2, 6))} |`;
  return [
    '| Name | What | Count | Note |',
    '| --- | --- | --- | --- |',
    ...Array.from({length: count}, row),
  ].join('\n');
}

function fence(at: Random, count: number): string {
  const language = at.pick(Object.keys(languages) as Language[]);
  return `\`\`\`${language}\n${lines(at, language, count)}\n\`\`\``;
}

/** Lines as they are in a file of the language; `NAME` and `N` differ from line to line. */
const languages = {
  ts: [
    'export function NAME(rows: readonly Row[], limit = N): Map<string, Row> {',
    "  const NAME = rows.filter((row) => row.kind === 'NAME' && row.size > N);",
    '  // Keeps what the reader opened: NAME',
    '  if (NAME.length === 0) return new Map();',
    '  return new Map(NAME.map((row) => [row.id, {...row, size: row.size + N}]));',
    '}',
  ],
  python: [
    'def NAME(path: str, limit: int = N) -> list[str]:',
    '    """Reads NAME, at most N lines."""',
    '    with open(path, encoding="utf-8") as NAME:',
    '        return [line.rstrip() for line in NAME if len(line) > N]',
    'print(NAME("notes.md"), file=sys.stderr)',
  ],
  bash: [
    'for NAME in src/*.ts; do',
    '  grep -n "NAME" "$NAME" | head -n N',
    'done',
    'git log --oneline -n N -- src/NAME.ts',
  ],
  json: [
    '{',
    '  "NAME": {"size": N, "kept": true},',
    '  "list": [N, N, N, null],',
    '  "note": "NAME is kept"',
    '}',
  ],
  rust: [
    'pub fn NAME(rows: &[Row], limit: usize) -> Vec<Row> {',
    '    rows.iter().filter(|row| row.size > N).take(limit).cloned().collect()',
    '}',
    'let NAME: Vec<u32> = (0..N).map(|value| value * 2).collect();',
  ],
};

type Language = keyof typeof languages;

function lines(at: Random, language: Language, count: number): string {
  const from = languages[language];
  const line = (_: unknown, index: number) =>
    from[index % from.length]!.replaceAll('NAME', () => at.pick(vocabulary).toLowerCase()).replaceAll(
      /\bN\b/g,
      () => String(at.between(2, 900)),
    );
  return Array.from({length: count}, line).join('\n');
}

/** Words with a mark among them, now and then. */
function sentence(at: Random): string {
  const parts = Array.from({length: at.between(1, 3)}, () => `${words(at, at.between(3, 8))} ${inline(at)}`);
  return `${parts.join(', ')} ${words(at, at.between(2, 6))}.`;
}

function inline(at: Random): string {
  switch (at.between(0, 5)) {
    case 0:
      return `**${words(at, 2)}**`;
    case 1:
      return `*${words(at, 2)}*`;
    case 2:
      return `\`${at.pick(vocabulary)}()\``;
    case 3:
      return `[${words(at, 2)}](https://example.org/${at.pick(vocabulary)}/${at.between(1, 99)})`;
    default:
      return words(at, 2);
  }
}

const words = (at: Random, count: number) => Array.from({length: count}, () => at.pick(vocabulary)).join(' ');

const vocabulary = (
  'the agent reads files and keeps every word where the reader left it while more arrive so that nothing jumps a test ' +
  'shows that each change of state has one owner and one way to end café naïve über 行 文字 row scene turn answer cursor ' +
  'frame session journal tool result error second page column window measure small large before after between'
).split(' ');
