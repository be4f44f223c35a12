import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {test, type TestContext} from 'node:test';
import {McpClient, type McpHttpEntry} from '../../../../src/gateway/demo-agent/mcp-client.js';
import {createFolderHost} from '../../../../src/gateway/tools/folder/folder-host.js';
import {defaultToolLimits} from '../../../../src/gateway/tools/host-client.js';
import {
  NoteToolServer,
  noteToolsUrl,
  type NoteToolServerOptions,
} from '../../../../src/gateway/tools/note-tool-server.js';
import {noteTools} from '../../../../src/gateway/tools/note-tools.js';
import type {McpServerEntry} from '../../../../src/gateway/tools/tool-host.js';
import {temporaryFolder} from './temporary-folder.js';

const signal = new AbortController().signal;
const url = noteToolsUrl('http://notes.test');

function serve(context: TestContext, options: Partial<NoteToolServerOptions>): NoteToolServer {
  const server = new NoteToolServer({url, ...options});
  context.after(() => server.stop());
  return server;
}

/** Tools over a real folder, its host in this process. */
async function overFolder(context: TestContext) {
  const folder = await temporaryFolder(context, {'welcome.md': '# Welcome\n\nOne.\n'});
  const host = createFolderHost({folder, accepts: (token) => server.sessionOf(token) !== null});
  const server = serve(context, {fetch: (input, init) => host.fetch(new Request(input, init))});
  return {server, folder};
}

/** A host that answers as told, and remembers what it was asked. */
function scripted(
  answer: (call: {toolName: string; args: Record<string, unknown>}, init: RequestInit) => unknown,
) {
  const heard: {call: unknown; headers: Headers; url: string}[] = [];
  const via: typeof fetch = async (input, init = {}) => {
    const call = JSON.parse(init.body as string) as {toolName: string; args: Record<string, unknown>};
    heard.push({call, headers: new Headers(init.headers), url: input as string});
    const said = await answer(call, init);
    return said instanceof Response ? said : Response.json(said);
  };
  return {heard, via};
}

async function client(server: NoteToolServer, session = 's1'): Promise<McpClient> {
  const entry = await server.open(session, {http: true});
  return McpClient.connect(entry as unknown as McpHttpEntry, signal);
}

test('an agent lists the tools, reads a note and edits it', async (context) => {
  const {server, folder} = await overFolder(context);
  const mcp = await client(server);
  assert.deepEqual(
    await mcp.tools(signal),
    noteTools.map(({name}) => name),
  );
  const fetched = await mcp.call('mnote_doc_fetch', {docId: 'welcome'}, signal);
  const {revision} = fetched.structured as {revision: string};
  const edits = [{oldText: 'One.', newText: 'Two.'}];
  const edited = await mcp.call('mnote_doc_markdown_edit', {docId: 'welcome', revision, edits}, signal);
  assert.equal(edited.isError, false);
  assert.match(edited.text, /^--- a\/welcome.md\n\+\+\+ b\/welcome.md\n@@ /);
  assert.equal(await readFile(join(folder, 'welcome.md'), 'utf8'), '# Welcome\n\nTwo.\n');
});

test('a conflict is a tool error with a sentence and the current text', async (context) => {
  const {server} = await overFolder(context);
  const mcp = await client(server);
  const args = {docId: 'welcome', revision: 'old', markdown: 'x'};
  const {isError, text, structured} = await mcp.call('mnote_doc_markdown_edit', args, signal);
  assert.equal(isError, true);
  assert.match(text, /^The note has changed since you read it/);
  const {code, current} = structured as {code: string; current: {markdown: string}};
  assert.deepEqual([code, current.markdown], ['conflict', '# Welcome\n\nOne.\n']);
});

test("the host gets the dotted name, the arguments and a token that is not the agent's", async (context) => {
  const {heard, via} = scripted(() => ({result: {pages: []}}));
  const server = serve(context, {fetch: via, headers: {'x-app': 'mnote'}});
  const entry = (await server.open('s1', {http: true})) as unknown as McpHttpEntry;
  const mcp = await McpClient.connect(entry, signal);
  await mcp.call('mnote_page_list', {query: 'x'}, signal);
  const [{call, headers, url: asked} = assert.fail()] = heard;
  assert.equal(asked, 'http://notes.test/api/hermes/tools/mnote/call');
  assert.deepEqual(call, {toolName: 'mnote.page.list', args: {query: 'x'}});
  assert.equal(headers.get('x-app'), 'mnote');
  const token = headers.get('authorization')?.replace('Bearer ', '') ?? '';
  assert.equal(server.sessionOf(token), 's1');
  assert.notEqual(`Bearer ${token}`, entry.headers[0]?.value);
});

test('arguments that do not fit never reach the host', async (context) => {
  const {heard, via} = scripted(() => ({result: {}}));
  const mcp = await client(serve(context, {fetch: via}));
  const {isError, text} = await mcp.call('mnote_doc_fetch', {docId: 7}, signal);
  assert.equal(isError, true);
  assert.match(text, /^The arguments of mnote_doc_fetch do not fit: /);
  assert.match((await mcp.call('mnote_doc_burn', {}, signal)).text, /^There is no tool mnote_doc_burn\./);
  assert.equal(heard.length, 0);
});

const answers: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['an error with a sentence', () => Response.json({error: {message: 'No.'}}, {status: 403}), /^No\.\n/],
  ['an error as text', () => ({error: 'Not today.'}), /^Not today\.\n/],
  ['a page of HTML', () => new Response('<html>', {status: 502}), /^The notes refused the call \(502\)\.\n/],
  ['no JSON', () => new Response('ok'), /^The notes sent an answer that is not JSON\.\n/],
  ['too much', () => new Response('x'.repeat(2_000)), /too long/],
  ['nothing at all', () => Promise.reject(new TypeError('fetch failed')), /^The notes cannot be reached/],
];
for (const [what, answer, sentence] of answers) {
  test(`where the host answers ${what}, the agent reads a sentence`, async (context) => {
    const limits = {...defaultToolLimits, maxResultBytes: 1_000};
    const mcp = await client(serve(context, {fetch: scripted(answer).via, limits}));
    const {isError, text} = await mcp.call('mnote_page_list', {}, signal);
    assert.equal(isError, true);
    assert.match(text, sentence);
  });
}

const never = (_call: unknown, {signal}: RequestInit) =>
  new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new DOMException('x', 'AbortError'))),
  );

test('a host that does not answer in time is given up', async (context) => {
  const limits = {...defaultToolLimits, callMs: 20};
  const mcp = await client(serve(context, {fetch: scripted(never).via, limits}));
  const {text} = await mcp.call('mnote_page_list', {}, signal);
  assert.match(text, /did not answer within/);
});

test('arguments longer than the limit are refused', async (context) => {
  const limits = {...defaultToolLimits, maxArgumentBytes: 1_000};
  const server = serve(context, {fetch: scripted(() => ({})).via, limits});
  const mcp = await client(server);
  await assert.rejects(mcp.call('mnote_page_list', {query: 'x'.repeat(2_000)}, signal));
});

test('edits of one document wait for each other across sessions; others and readers do not', async (context) => {
  const open = new Map<string, () => void>();
  const {heard, via} = scripted(
    ({toolName, args}) =>
      new Promise((resolve) =>
        open.set(`${toolName} ${String(args.docId)} ${String(args.title)}`, () => resolve({result: {}})),
      ),
  );
  const server = serve(context, {fetch: via});
  const [one, two] = [await client(server, 's1'), await client(server, 's2')];
  const rename = (mcp: McpClient, docId: string, title: string) =>
    mcp.call('mnote_page_rename', {docId, title}, signal);
  const arrived = async (count: number) => {
    while (heard.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const first = rename(one, 'a', 'first');
  await arrived(1);
  const rest = [
    rename(two, 'a', 'second'),
    rename(two, 'b', 'third'),
    two.call('mnote_doc_fetch', {docId: 'a'}, signal),
  ];
  await arrived(3);
  assert.deepEqual([...open.keys()].sort(), [
    'mnote.doc.fetch a undefined',
    'mnote.page.rename a first',
    'mnote.page.rename b third',
  ]);
  for (const answer of open.values()) answer();
  await first;
  await arrived(4);
  open.get('mnote.page.rename a second')?.();
  await Promise.all(rest);
});

test("a closed session's token opens nothing, and its open calls end", async (context) => {
  const {heard, via} = scripted(never);
  const server = serve(context, {fetch: via});
  const mcp = await client(server);
  const call = mcp.call('mnote_page_list', {}, signal);
  while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await server.close('s1');
  assert.match((await call).text, /^The call was cancelled\./);
  await assert.rejects(mcp.call('mnote_page_list', {}, signal), /401/);
});

test('a session that is opened again has a new token', async (context) => {
  const server = serve(context, {fetch: scripted(() => ({result: {}})).via});
  const before = await client(server);
  const now = await client(server);
  await assert.rejects(before.tools(signal), /401/);
  assert.equal((await now.tools(signal)).length, noteTools.length);
});

test('strangers, foreign pages and foreign names of the machine are refused', async (context) => {
  const server = serve(context, {fetch: scripted(() => ({})).via});
  const entry = (await server.open('s1', {http: true})) as unknown as McpHttpEntry;
  const own = Object.fromEntries(entry.headers.map(({name, value}) => [name, value]));
  const status = async (headers: Record<string, string>) =>
    (await fetch(entry.url, {method: 'POST', headers, body: '{}'})).status;
  assert.equal(await status({}), 401);
  assert.equal(await status({authorization: 'Bearer x'}), 401);
  assert.equal(await status({...own, origin: 'http://evil.test'}), 403);
  assert.equal((await fetch(entry.url.replace('/mcp', '/other'), {headers: own})).status, 404);
});

test('without a host there are no tools', async () => {
  const server = new NoteToolServer({url: null});
  assert.deepEqual(server.tools, []);
  assert.equal(await server.open('s1', {http: true}), null);
  await server.stop();
});

test('a stopped server is gone', async (context) => {
  const server = serve(context, {fetch: scripted(() => ({})).via});
  const {url} = (await server.open('s1', {http: true})) as unknown as McpHttpEntry;
  await server.stop();
  await assert.rejects(fetch(url));
  assert.equal(await server.open('s2', {http: true}), null);
});

test('an agent without MCP over HTTP gets a bridge that speaks it on stdio', async (context) => {
  const {server} = await overFolder(context);
  const entry = (await server.open('s1', {http: false})) as McpServerEntry & {
    command: string;
    args: string[];
    env: {name: string; value: string}[];
  };
  assert.equal('type' in entry, false);
  const env = Object.fromEntries(entry.env.map(({name, value}) => [name, value]));
  const bridge = spawn(entry.command, entry.args, {env, stdio: ['pipe', 'pipe', 'inherit']});
  context.after(() => bridge.kill('SIGKILL'));
  const lines = createInterface({input: bridge.stdout})[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    bridge.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params})}\n`);
    return JSON.parse((await lines.next()).value as string) as {id: number; result: Record<string, unknown>};
  };
  const clientInfo = {name: 'test', version: '1'};
  await ask(1, 'initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo});
  bridge.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const {result: listed} = await ask(2, 'tools/list', {});
  assert.equal((listed.tools as object[]).length, noteTools.length);
  const call = (id: number, args: object) =>
    ask(id, 'tools/call', {name: 'mnote_doc_markdown_edit', arguments: args});
  const {result} = await call(3, {docId: 'welcome', revision: 'old', markdown: 'x'});
  assert.equal(result.isError, true);
  assert.match(JSON.stringify(result.content), /has changed since.*# Welcome/);
  bridge.stdin.end();
  assert.deepEqual(await once(bridge, 'exit'), [0, null]);
});
