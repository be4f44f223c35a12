/** Serving: the command as a process of its own, with the demo agent; its refusals, its life, its end. */
import assert from 'node:assert/strict';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createServer, connect, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {after, test} from 'node:test';
import {serveGateway, type ServeOptions} from '../../../../src/gateway/http/serve.js';
import {thisMachine} from '../../../../src/gateway/profiles/machine.js';

const folder = mkdtempSync(join(tmpdir(), 'hermes-serve-'));
after(() => rmSync(folder, {recursive: true, force: true}));
let made = 0;
const newFolder = () => join(folder, String(++made));

/** The command. What it prints is gathered from the start. */
function command(args: readonly string[], env: Record<string, string> = {}) {
  const all = ['--import', 'tsx', 'src/cli/hermes-elements.ts', 'serve', ...args];
  const child = spawn(process.execPath, all, {
    env: {...process.env, ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = text(child.stderr);
  return {child, errors, ended: once(child, 'exit') as Promise<[number | null, string | null]>};
}

async function refusal(args: readonly string[], env?: Record<string, string>) {
  const {errors, ended} = command(['--data', newFolder(), '--port', '0', ...args], env);
  const [code] = await ended;
  return {code, sentence: await errors};
}

async function ready({stdout}: ChildProcess): Promise<string> {
  let printed = '';
  for await (const piece of stdout! as AsyncIterable<Buffer>) {
    printed += piece.toString();
    const [, url] = /^ready (http:\S+)\n/.exec(printed) ?? [];
    if (url !== undefined) return `${url}/api/hermes/client`;
  }
  assert.fail(`it never was ready: ${printed}`);
}

async function post(url: string, body: object): Promise<Record<string, string>> {
  const headers = {'content-type': 'application/json'};
  const response = await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)});
  assert.ok(response.ok, `${response.status}`);
  return (await response.json()) as Record<string, string>;
}

const refusals: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  [
    'another address without a token',
    ['--host', '0.0.0.0'],
    1,
    /Set a token in HERMES_ELEMENTS_TOKEN, or bind/,
  ],
  ['an address that is not ours', ['--host', '203.0.113.7'], 1, /^hermes-elements: Whoever reaches/],
  ['an unknown option', ['--prot', '1'], 2, /See serve --help/],
  ['a port that is none', ['--port', '70000'], 2, /--port takes a number from 0 to 65535/],
  ['a page that is no origin', ['--cors', 'notes'], 2, /--cors takes an origin/],
  ['an unknown durability', ['--durable', 'yes'], 2, /--durable takes normal or full/],
  [
    'a time to keep that is none',
    ['--keep', '0'],
    2,
    /--keep takes a number of days from 1 on, or forever, not 0/,
  ],
  ['an unknown profile', ['--profile', 'x'], 1, /There is no profile x; there is demo, hermes, reasonix\./],
  ['a missing config', ['--config', '/none.json'], 1, /\/none\.json cannot be read: there is no such file/],
];

test('what cannot be served is refused in a sentence', async () => {
  for (const [what, args, expected, pattern] of refusals) {
    const {code, sentence} = await refusal(args);
    assert.equal(code, expected, what + sentence);
    assert.match(sentence, /^hermes-elements: [^\n]+\.\n$/);
    assert.match(sentence, pattern);
  }
});

test('a profile that cannot be used now is told at the start, and served all the same', async () => {
  const data = newFolder();
  const config = `${data}.json`;
  writeFileSync(config, JSON.stringify({profiles: [{name: 'mine', bin: './none'}]}));
  for (const [args, expected] of [
    [
      ['--config', config],
      /^hermes-elements: mine, which new sessions get, cannot be used now: The program of mine was not found/,
    ],
    [['--config', config, '--profile', 'demo'], /^hermes-elements: stopping/],
  ] as const) {
    const {child, errors, ended} = command(['--data', data, '--port', '0', ...args]);
    await ready(child);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.match(await errors, expected);
  }
});

test('a served gateway runs an agent, ends its runs and streams when asked to, and leaves nothing', async () => {
  const data = newFolder();
  const {child, errors, ended} = command(['--data', data, '--port', '0', '--profile', 'demo']);
  const url = await ready(child);
  if (process.platform !== 'win32') assert.equal(statSync(data).mode & 0o777, 0o700);
  const {sessionId} = await post(`${url}/sessions`, {});
  const {runId, events} = await post(`${url}/runs`, {sessionId, prompt: 'write long'});
  assert.equal(events, `/api/hermes/client/events/${runId}`);
  const run = await fetch(new URL(events, url));
  const session = await fetch(`${url}/sessions/${sessionId}/events`);
  const bodies = Promise.all([run.text(), session.text()]);
  const second = await fetch(`${url}/events/${runId}`);
  await second.body!.getReader().read();
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.match(await errors, /stopping; once more ends at once/);
  for (const body of await bodies) {
    assert.match(body, new RegExp(`id: ${runId}:1\n`));
    assert.match(body, /"event":"run.failed".*"terminal_state":"interrupted"}\n\n/);
    assert.ok(body.endsWith('}\n\n'), 'whole frames');
  }

  const again = command(['--data', data, '--port', '0']);
  const same = await ready(again.child);
  const {transcript} = (await (await fetch(`${same}/sessions/${sessionId}`)).json()) as {
    transcript: {turns: readonly {terminal: string}[]};
  };
  assert.equal(transcript.turns[0]!.terminal, 'interrupted');
  again.child.kill('SIGKILL');
  await again.ended;
});

test('a second signal ends it at once', async () => {
  const {child, errors, ended} = command(['--data', newFolder(), '--port', '0']);
  const url = await ready(child);
  const {sessionId} = await post(`${url}/sessions`, {profile: 'demo'});
  await post(`${url}/runs`, {sessionId, prompt: 'write long'});
  child.kill('SIGINT');
  child.kill('SIGTERM');
  const [code] = await ended;
  // Two signals in one turn of the loop, or the end came first: either way it is over.
  assert.ok(code === 1 || code === 0);
  await errors;
});

function options(more: Partial<ServeOptions> = {}): ServeOptions {
  const machine = {...thisMachine(), env: {PATH: process.env['PATH']}};
  return {
    dataDir: newFolder(),
    host: '127.0.0.1',
    port: 0,
    machine,
    onFault: (fault) => assert.fail(String(fault)),
    ...more,
  };
}

test('a taken port is told in a sentence', async () => {
  const taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const {port} = taken.address() as AddressInfo;
  await assert.rejects(serveGateway(options({port})), {
    code: 'port-taken',
    message: `Port ${port} of 127.0.0.1 is taken. Stop what listens there, or choose another with --port.`,
  });
  taken.close();
});

test('a broken config leaves no server behind', async () => {
  const dataDir = mkdtempSync(join(folder, 'config-'));
  writeFileSync(join(dataDir, 'config.json'), '{"profiles": [{"name": "a", "polcy": "ask"}]}');
  await assert.rejects(serveGateway(options({dataDir})), /profiles\.0: .*"polcy"/);
});

test('with a token another address can be served, and the token is asked for', async () => {
  const server = await serveGateway(options({host: '0.0.0.0', token: 'a long and secret word'}));
  const url = server.url.replace('0.0.0.0', '127.0.0.1');
  assert.equal((await fetch(`${url}/api/hermes/client/sessions`)).status, 401);
  const headers = {authorization: 'Bearer a long and secret word'};
  assert.equal((await fetch(`${url}/api/hermes/client/sessions`, {headers})).status, 200);
  await server.stop();
});

test('what is no HTTP is refused as JSON', async () => {
  const server = await serveGateway(options());
  const {port} = new URL(server.url);
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', 400],
    ['GET /api/hermes/client/health HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n', 403],
  ] as const) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(bytes);
    const answer = await text(socket);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), answer);
    assert.match(body, /"error":"/);
  }
  await server.stop();
});

test('stopping twice is stopping once', async () => {
  const server = await serveGateway(options());
  await Promise.all([server.stop(), server.stop()]);
  await assert.rejects(fetch(server.url));
});
