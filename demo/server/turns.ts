/**
 * Ten turns of the kinds that are hard to show, told as an agent tells them: raw ACP lines, `{t, dir, msg}`, which a page
 * reads with `wire="acp"`. Invented, unlike the recordings; the answers are the files of demo/turns/.
 */
import {readFileSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {encodeFrame} from '../../src/protocol/index.js';

const folder = new URL('../turns/', import.meta.url);
const E = '\x1b';

/** Answers `GET /api/turns` with the event stream of all ten; false for any other address. */
export function sendTurns({url}: IncomingMessage, response: ServerResponse): boolean {
  if (new URL(`http://localhost${url}`).pathname !== '/api/turns') return false;
  response.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache'});
  response.end(
    tenTurns()
      .map((data) => encodeFrame({id: null, name: null, data: JSON.stringify(data)}))
      .join(''),
  );
  return true;
}

/** The lines of the connection. */
export function tenTurns(): readonly object[] {
  const talk = new Talk();
  for (const tell of [code, table, rightToLeft, cjk, change, terminal, failing, forty, plan, formula])
    tell(talk);
  return talk.lines;
}

function code(talk: Talk) {
  talk.ask('Write me a small cache in TypeScript that forgets: by use when it is full, and by time.');
  talk.think('The clock should be passed in. I look at how the project writes classes first.');
  talk.read('src/journal.ts', {ms: 14, output: 'export class Journal {\n  …\n}'});
  talk.read('test/journal.test.ts', {ms: 9, output: "import {test} from 'node:test';"});
  talk.answer('code', 3_120);
}

function table(talk: Talk) {
  talk.ask('Compare the five stores we talked about. Everything you measured, in one table.');
  talk.run('node bench/stores.mjs --runs 3', {ms: 184_000, output: 'written to bench/stores.json'});
  talk.read('bench/stores.json', {ms: 11, output: '[{"store": "Alder", "writes": 21400}]'});
  talk.answer('table', 1_480);
}

function rightToLeft(talk: Talk) {
  talk.ask('لماذا البناء بطيء؟ انظر في الإعدادات وقل لي ماذا أغيّر.');
  talk.think('السؤال عن زمن البناء. سأقرأ الإعدادات أولًا.');
  talk.say('سأنظر في الإعدادات.');
  talk.read('rollup.config.mjs', {ms: 12, output: 'export default {output: {sourcemap: true}};'});
  talk.answer('right-to-left', 910);
}

function cjk(talk: Talk) {
  talk.ask('ビルドが遅いのはなぜですか。中文和한국어でも短く説明してください。');
  talk.read('rollup.config.mjs', {ms: 12, output: 'export default {output: {sourcemap: true}};'});
  talk.run('npx rollup -c --perf # 時間を測る', {
    ms: 42_000,
    output: '- ソースマップ: 31.0s\n- 型検査: 8.2s\n- 圧縮: 2.9s',
  });
  talk.answer('cjk', 1_020);
}

const before = `/** A cache. */
export class Cache {
  readonly #entries = new Map<string, Entry>();
  readonly #limit: number;

  constructor(limit = 100) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    this.#entries.clear();
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry?.value;
  }
}
`;

const after = before
  .replace(
    '/** A cache. */',
    "import type {Clock} from './clock.js';\n\n/** A cache that forgets what is over. */",
  )
  .replace('  readonly #limit: number;\n', '  readonly #limit: number;\n  readonly #clock: Clock;\n')
  .replace(
    'limit = 100) {\n    this.#limit = limit;',
    'limit = 500, clock: Clock = Date.now) {\n    this.#limit = limit;\n    this.#clock = clock;',
  )
  .replace(
    '    return entry?.value;',
    '    if (!entry || entry.until <= this.#clock()) return undefined;\n    return entry.value;',
  );

function change(talk: Talk) {
  talk.ask('Let the cache forget, and give it room for 500.');
  talk.use('edit_file', 'edit', {path: 'src/cache.ts'}, {ms: 31, changes: [['src/cache.ts', before, after]]});
  talk.use(
    'write_file',
    'edit',
    {path: 'src/clock.ts'},
    {
      ms: 12,
      changes: [
        ['src/clock.ts', null, '/** The time, for tests to set. */\nexport type Clock = () => number;\n'],
      ],
    },
  );
  talk.answer('change', 160);
}

function terminal(talk: Talk) {
  const bar = (part: number) =>
    `\r${E}[32m${'━'.repeat(Math.round(part / 4))}${E}[90m${'━'.repeat(25 - Math.round(part / 4))}${E}[0m ${String(part).padStart(3)} % ${E}[36m${(part * 0.019).toFixed(1)}/1.9 GB${E}[0m`;
  const steps = (from: number, to: number) =>
    Array.from({length: to - from + 1}, (_, n) => bar(from + n)).join('');
  talk.ask('Fetch the small model and check it.');
  talk.run('scripts/fetch-model.sh small --into models/', {
    ms: 96_400,
    output: [
      `${E}[1mFetching small${E}[0m from https://models.example.org/small.bin`,
      `${steps(0, 61)}`,
      `${E}[33m⚠ The connection broke off. Going on from 1.2 GB.${E}[0m`,
      `${steps(61, 100)}`,
      `${E}[2mChecking${E}[0m sha256 ⠋\r${E}[2mChecking${E}[0m sha256 ⠙\r${E}[2mChecking${E}[0m sha256 ${E}[32m✓${E}[0m`,
      `${E}[42;30m DONE ${E}[0m models/small.bin ${E}[90m(96.4 s)${E}[0m`,
    ].join('\n'),
  });
  talk.answer('terminal', 90);
}

function failing(talk: Talk) {
  talk.ask('Run the tests of the dates.');
  talk.use(
    'bash',
    'execute',
    {command: 'npm test -- dates', cwd: '/workspace/calendar'},
    {
      ms: 2_310,
      failed: true,
      output: [
        `${E}[41;97m FAIL ${E}[0m test/dates.test.ts`,
        `  ${E}[32m✓${E}[0m a date of today is today ${E}[90m(1 ms)${E}[0m`,
        `  ${E}[32m✓${E}[0m the last of February is known in leap years ${E}[90m(1 ms)${E}[0m`,
        `  ${E}[31m✗ a day that does not exist is refused${E}[0m`,
        '',
        `    AssertionError: expected ${E}[31m2024-03-01${E}[0m to be ${E}[32mnull${E}[0m`,
        `      at test/dates.test.ts:41:10`,
        '',
        `Tests: ${E}[31m1 failed${E}[0m, ${E}[32m2 passed${E}[0m, 3 in all`,
        'npm error code 1',
      ].join('\n'),
    },
  );
  talk.read('src/dates.ts', {ms: 7, output: 'export const parseDate = (text) => new Date(text);'});
  talk.read('src/date.ts', {ms: 3, failed: true, output: 'ENOENT: no such file or directory'});
  talk.answer('failing', 220);
}

const pages =
  `about archive blog books cafe cellar contact dates directions events faq garden history home imprint jobs kitchen
links loans map members menu news opening partners press privacy readings rooms school search services shop team terms
tours`.split(/\s+/);

function forty(talk: Talk) {
  talk.ask('Look at every page of the site: do the headings follow one another? Change nothing.');
  talk.think('36 pages. I list them, read each, then check with a script.');
  talk.use('list_files', 'search', {path: 'pages', pattern: '*.html'}, {ms: 22, output: pages.join('\n')});
  for (const [index, page] of pages.entries())
    talk.read(`pages/${page}.html`, {ms: 6 + ((index * 7) % 11), output: `<h1>${page}</h1>`});
  talk.say('All are read. Now I count levels instead of trusting my eyes.');
  talk.use(
    'grep',
    'search',
    {pattern: '<h[1-6]', path: 'pages'},
    {ms: 48, output: '212 matches in 36 files'},
  );
  talk.run("node -e 'for (const page of pages) check(page)'", {ms: 310, output: '4 pages skip a level'});
  talk.run('git status --short', {ms: 40, output: 'nothing to commit, working tree clean'});
  talk.answer('forty', 380);
}

function plan(talk: Talk) {
  const steps = [
    'List the old addresses',
    'Write the redirects',
    'Ask for every old address in a test',
    'Mend the map of the site',
    'Tell the search engines',
  ];
  const show = (done: number, running: number | null = done) =>
    talk.plan(
      steps.map((content, index) => [
        content,
        index < done ? 'completed' : index === running ? 'in_progress' : 'pending',
      ]),
    );
  talk.ask('Move the site to its new addresses, so that no old link breaks.');
  talk.think('Old links are in the server’s log, too, not only in the map of the site.');
  show(0);
  talk.run('cut -d" " -f7 access.log | sort -u | wc -l', {ms: 820, output: '214'});
  show(1);
  talk.use('write_file', 'edit', {path: 'redirects.conf', lines: 214}, {ms: 15, output: 'ok'});
  show(2);
  talk.run('npm test -- redirects', {ms: 5_400, output: '214 passed'});
  show(3);
  talk.use('edit_file', 'edit', {path: 'public/sitemap.xml'}, {ms: 18, output: 'ok'});
  show(4, null);
  talk.answer('plan', 260);
}

function formula(talk: Talk) {
  talk.ask('Why does a larger cache help less and less? Show me the formula, and the way a read takes.');
  talk.think('Zipf explains it. A sum, its approximation, the derivative; then a picture of the path.');
  talk.answer('formula', 740);
}

interface Came {
  readonly ms: number;
  readonly output?: string;
  readonly failed?: boolean;
  /** Files with what they held and hold: no text before where they are new. */
  readonly changes?: readonly (readonly [path: string, oldText: string | null, newText: string])[];
}

/** One connection between a client and an agent, a line a message. */
class Talk {
  readonly lines: object[] = [];
  #at = 0;
  #asked = 0;
  #calls = 0;

  ask(text: string): void {
    this.#at += 4_000;
    this.#line('out', {
      id: ++this.#asked,
      method: 'session/prompt',
      params: {sessionId: 'ten', prompt: [{type: 'text', text}]},
    });
  }

  think(text: string): void {
    this.#chunks('agent_thought_chunk', text);
  }

  say(text: string): void {
    this.#chunks('agent_message_chunk', text);
  }

  plan(entries: readonly (readonly [content: string, status: string])[]): void {
    this.#update('plan', {
      entries: entries.map(([content, status]) => ({content, status, priority: 'medium'})),
    });
  }

  read(path: string, came: Came): void {
    this.use('read_file', 'read', {path}, came);
  }

  run(command: string, came: Came): void {
    this.use('bash', 'execute', {command}, came);
  }

  use(title: string, kind: string, rawInput: object, {ms, output, failed, changes = []}: Came): void {
    const toolCallId = `call-${++this.#calls}`;
    this.#update('tool_call', {toolCallId, title, kind, status: 'in_progress', rawInput});
    this.#at += ms;
    const content = [
      ...changes.map(([path, oldText, newText]) => ({type: 'diff', path, oldText, newText})),
      ...(output === undefined ? [] : [{type: 'content', content: {type: 'text', text: output}}]),
    ];
    this.#update('tool_call_update', {toolCallId, status: failed ? 'failed' : 'completed', content});
  }

  /** The file of this name, and the end of the turn. */
  answer(name: string, outputTokens: number): void {
    this.say(readFileSync(new URL(`${name}.md`, folder), 'utf8').trimEnd());
    const inputTokens = 6_000 + this.lines.length * 120;
    const usage = {
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      cachedReadTokens: Math.round(inputTokens * 0.8),
    };
    this.#line('in', {id: this.#asked, result: {stopReason: 'end_turn', usage}});
  }

  #chunks(sessionUpdate: string, text: string): void {
    for (const [piece] of text.matchAll(/[^]{1,60}/gu)) {
      this.#at += 350;
      this.#update(sessionUpdate, {content: {type: 'text', text: piece}});
    }
  }

  #update(sessionUpdate: string, fields: object): void {
    this.#line('in', {
      method: 'session/update',
      params: {sessionId: 'ten', update: {sessionUpdate, ...fields}},
    });
  }

  #line(dir: 'in' | 'out', message: object): void {
    this.lines.push({t: this.#at, dir, msg: {jsonrpc: '2.0', ...message}});
  }
}
