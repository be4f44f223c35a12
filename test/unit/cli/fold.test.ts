import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';

const REAL = 'test/fixtures/hermes-webui-real';
const MADE = 'test/fixtures/hermes-webui';

interface Snapshot {
  readonly format: string;
  readonly turns: readonly {
    readonly prompt: string | null;
    readonly answer: string;
    readonly terminal: string | null;
    readonly items: readonly {readonly kind: string; readonly tool: {readonly status: string} | null}[];
  }[];
}

/** The command as a process of its own, with what it left behind. */
function hermesElements(args: readonly string[], input?: string) {
  const command = ['--import', 'tsx', 'src/cli/hermes-elements.ts', ...args];
  const {status, stdout, stderr} = spawnSync(process.execPath, command, {input, encoding: 'utf8'});
  return {status, stdout, stderr, json: () => JSON.parse(stdout) as Snapshot};
}

const fold = (...args: string[]) => hermesElements(['fold', ...args]);

/** A refusal is one line, in words, with nothing on standard output. */
function refused({status, stdout, stderr}: ReturnType<typeof fold>, code: number, pattern: RegExp) {
  assert.equal(status, code, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^hermes-elements: [^\n]+\.\n$/);
  assert.match(stderr, pattern);
}

test('a stream as bytes is printed as hermes.transcript.v1', () => {
  const {status, stderr, json} = fold(`${REAL}/tools/live.sse`);
  assert.equal(status, 0, stderr);
  const {format, turns} = json();
  assert.equal(format, 'hermes.transcript.v1');
  assert.equal(turns.length, 1);
  assert.equal(turns[0]!.terminal, 'completed');
  assert.equal(turns[0]!.items.filter(({tool}) => tool).length, 4);
});

test('a stream as rows, its settled session beside it, is one turn', () => {
  const name = `${MADE}/07-tool-limit`;
  const {turns} = fold(`${name}.jsonl`, '--settled', `${name}.settled.json`).json();
  assert.deepEqual(
    turns.map(({terminal}) => terminal),
    ['tool_limit_reached'],
  );
});

test('rows of a run journal are read like the frames they were', () => {
  const rows = readFileSync(`${MADE}/01-plain-answer.jsonl`, 'utf8').trim().split('\n');
  const journal = rows.map((row, n) => {
    const {id, event, data} = JSON.parse(row) as {id: string; event: string; data: object};
    const [run_id] = id.split(':');
    return JSON.stringify({version: 1, event_id: id, seq: n + 1, run_id, event, type: event, payload: data});
  });
  const {json} = hermesElements(['fold', '-'], `${journal.join('\n')}\n`);
  assert.equal(json().turns[0]!.answer, fold(`${MADE}/01-plain-answer.jsonl`).json().turns[0]!.answer);
});

test('standard input is told by its first character', () => {
  for (const file of [`${REAL}/plain/live.sse`, `${MADE}/01-plain-answer.jsonl`]) {
    const {stdout} = hermesElements(['fold', '-'], readFileSync(file, 'utf8'));
    assert.equal(stdout, fold(file).stdout);
  }
});

test('several files are several observations of one session, in any order', () => {
  const parts = [1, 2].map((n) => `${REAL}/reconnect-after-seq/part-${n}.sse`);
  const whole = fold(...parts);
  assert.equal(whole.json().turns.length, 1);
  assert.equal(whole.json().turns[0]!.terminal, 'completed');
  assert.deepEqual(fold(...parts.toReversed()).json().turns, whole.json().turns);
});

test('a start answer alone is a turn that has begun', () => {
  const {turns} = fold(`${REAL}/plain/live.sse`, '--start', `${REAL}/plain/start.json`).json();
  assert.equal(turns.length, 1);
});

test('a printed transcript can be given back as the settled session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-elements-'));
  try {
    const first = fold(`${REAL}/plain/live.sse`);
    writeFileSync(join(folder, 'transcript.json'), first.stdout);
    const again = fold('--settled', join(folder, 'transcript.json'));
    assert.equal(again.status, 0, again.stderr);
    assert.equal(again.json().turns[0]!.answer, first.json().turns[0]!.answer);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

test('markdown and text hold prompt and answer, by mode with or without the work', () => {
  const file = `${REAL}/tools/live.sse`;
  const {prompt, answer} = fold(file).json().turns[0]!;
  for (const format of ['markdown', 'text']) {
    const all = fold(file, '--format', format).stdout;
    const only = fold(file, '--format', format, '--mode', 'answer-only').stdout;
    for (const text of [all, only]) {
      assert.ok(text.includes(prompt!.trim()));
      const line = answer.trim().split('\n')[0]!;
      assert.ok(text.includes(format === 'text' ? line.replace(/[*`]/g, '') : line));
    }
    assert.ok(all.length > only.length);
  }
});

test('text has no marks of Markdown, markdown has them', () => {
  const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  const stream = frame('token', {text: '## Plan\n\n- **Go** &hearts; `now`'}) + frame('done', {});
  const text = hermesElements(['fold', '-', '--format', 'text'], stream);
  assert.equal(text.stdout.trim(), 'Plan\n\n- Go ♥ now', text.stderr);
  const markdown = hermesElements(['fold', '-', '--format', 'markdown'], stream);
  assert.equal(markdown.stdout.trim(), '## Plan\n\n- **Go** &hearts; `now`');
});

test('two unrelated sessions are refused by name', () => {
  const [one, two] = ['plain', 'tools'].map((name) => `${REAL}/${name}/live.sse`) as [string, string];
  const session = (file: string) => /"session_id": ?"([^"]+)"/.exec(readFileSync(file, 'utf8'))![1]!;
  const result = fold(one, two);
  refused(result, 1, /unrelated/);
  for (const id of [session(one), session(two)]) assert.ok(result.stderr.includes(id), result.stderr);
});

const mistakes: [string[], number, RegExp][] = [
  [['fold'], 2, /standard input/],
  [['fold', '--colour', 'x.sse'], 2, /--colour/],
  [['fold', 'x.sse', '--format', 'html'], 2, /--format takes json, markdown, text, not html/],
  [['fold', 'x.sse', '--mode', 'loud'], 2, /--mode takes/],
  [['fold', 'x.sse', '--wire', 'telnet'], 2, /--wire takes/],
  [['fold', 'x.sse', '--format'], 2, /--format/],
  [['unfold'], 2, /no command unfold/],
  [['constructor'], 2, /no command constructor/],
  [['fold', 'run.ndjson'], 1, /no such file/],
  [['fold', 'run.txt'], 1, /\.sse/],
  [['fold', `${REAL}/plain/session.json`], 1, /--settled/],
  [['fold', 'absent.sse'], 1, /no such file/],
  [['fold', '--settled', `${REAL}/plain/start.json`], 1, /neither/],
  [['fold', `${REAL}/plain/live.sse`, '--start', `${REAL}/plain/session.json`], 1, /no answer to a start/],
  [['fold', '--settled', `${REAL}/plain/live.sse`], 1, /not JSON/],
];
for (const [args, code, pattern] of mistakes) {
  test(`hermes-elements ${args.join(' ')} ends with ${code} and a sentence`, () => {
    refused(hermesElements(args), code, pattern);
  });
}

test('frames of no known wire are named', () => {
  refused(hermesElements(['fold', '-'], 'event: tick\ndata: {}\n\n'), 1, /tick/);
});

test('what is no recording of a stream is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-fold-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const page = '<!doctype html>\n<title>502</title>\n';
  const whole = `${REAL}/plain/live.sse`;
  try {
    const bare = file('bare.json', '{"format":"hermes.transcript.v1"}');
    refused(fold(whole, '--settled', bare), 1, /bare\.json: /);
    for (const ending of ['sse', 'jsonl', 'ndjson']) {
      refused(
        fold(file(`empty.${ending}`, '')),
        1,
        /empty\.\w+ is no recording of a stream: it is empty\.$/m,
      );
      refused(
        fold(file(`page.${ending}`, page)),
        1,
        /it holds (?:no whole frame|2 lines that are no events)\.$/m,
      );
    }
    refused(fold(file('torn.sse', 'event: token\nda')), 1, /it holds no whole frame\.$/m);
    refused(fold(file('beats.sse', ': beat\n\n')), 1, /it holds no whole frame\.$/m);
    const both = fold(whole, file('blank.sse', '\n\n'));
    assert.equal(both.status, 0, 'one of several may hold nothing');
    assert.match(both.stderr, /blank\.sse is no recording of a stream: it is empty\.$/m);
    assert.equal(both.stdout, fold(whole).stdout);
    refused(
      fold(file('tick.sse', 'data: tick\n\n'), '--wire', 'hermes-runs'),
      1,
      /none of its 1 frames is one of/,
    );
    const initialize = {jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: 1}};
    assert.equal(fold(file('start.ndjson', `${JSON.stringify(initialize)}\n`)).status, 0);
  } finally {
    rmSync(folder, {recursive: true});
  }
  refused(hermesElements(['fold', '-'], ''), 1, /^hermes-elements: Standard input is no recording/);
});

test('ACP messages are folded from a file, from standard input, and from frames of a relay', () => {
  const file = 'test/fixtures/acp/reasonix-tool-allow.ndjson';
  const lines = readFileSync(file, 'utf8');
  const {status, stdout, stderr} = fold(file);
  assert.equal(status, 0, stderr);
  const {turns} = JSON.parse(stdout) as {turns: {answer: string}[]};
  assert.deepEqual(
    turns.map(({answer}) => answer),
    ['Done: the tool result was received. ✅'],
  );
  assert.equal(hermesElements(['fold', '-'], lines).stdout, stdout);
  const frames = lines.replace(/^(.+)\n/gm, 'data: $1\n\n');
  assert.equal(hermesElements(['fold', '-', '--wire', 'acp'], frames).stdout, stdout);
});

test('a bare ACP message on standard input is one too', () => {
  const {status, stdout} = hermesElements(
    ['fold', '-'],
    '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"Well?"}]}}\n',
  );
  assert.equal(status, 0);
  assert.equal((JSON.parse(stdout) as {turns: {prompt: string}[]}).turns[0]!.prompt, 'Well?');
});

test('what cannot be read of a recording is said beside the output', () => {
  const {status, stderr} = fold(`${REAL}/reconnect-after-seq/part-1.sse`);
  assert.equal(status, 0);
  assert.ok(stderr === '' || /inside a frame/.test(stderr));
  const rows = readFileSync(`${MADE}/01-plain-answer.jsonl`, 'utf8');
  assert.match(hermesElements(['fold', '-'], `${rows}not a row\n`).stderr, /skipped 1 line/);
});

test('help is printed where it is asked for', () => {
  for (const args of [['--help'], ['fold', '--help']]) {
    const {status, stdout, stderr} = hermesElements(args);
    assert.equal(status, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^hermes-elements/);
  }
});
