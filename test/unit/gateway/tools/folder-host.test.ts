import assert from 'node:assert/strict';
import {link, mkdir, readFile, readdir, rename, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test, type TestContext} from 'node:test';
import {createFolderHost} from '../../../../src/gateway/tools/folder/folder-host.js';
import {ManualClock} from '../../transport/manual-clock.js';
import {temporaryFolder} from './temporary-folder.js';

const welcome = '# Welcome\n\nOne line.\n\n- a\n- b\n';

interface Answer {
  readonly status: number;
  readonly result: Record<string, unknown>;
  readonly error: {code: string; message: string; current?: {revision: string; markdown: string}};
}

async function host(context: TestContext, files: Record<string, string> = {'welcome.md': welcome}) {
  const folder = await temporaryFolder(context, files);
  const made = createFolderHost({folder});
  context.after(() => made.stop());
  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await made.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: body === undefined ? headers : {'content-type': 'application/json', ...headers},
        ...(body !== undefined && {body: typeof body === 'string' ? body : JSON.stringify(body)}),
      }),
    );
    return {status: response.status, ...((await response.json()) as object)} as Answer &
      Record<string, unknown>;
  };
  const call = (toolName: string, args: unknown) =>
    request('POST', '/api/hermes/tools/mnote/call', {toolName, args});
  const text = (name = 'welcome.md') => readFile(join(folder, name), 'utf8');
  return {folder, request, call, text, fetch: made.fetch};
}

const mixed = '# Mixed\r\n\r\nOne.\nTwo.\n\r\nThree.\r\n\n\n';
const mixedEdits: readonly (readonly [tool: string, args: object, after: string])[] = [
  [
    'mnote.doc.markdown_edit',
    {edits: [{oldText: 'Two.', newText: '2.\n2½.'}]},
    mixed.replace('Two.', '2.\n2½.'),
  ],
  ['mnote.doc.markdown_edit', {markdown: '# Mixed\n\nOne.\nTwo.\n\n3.\n\n\n'}, mixed.replace('Three', '3')],
  ['mnote.page.rename', {title: 'Other'}, mixed.replace('Mixed', 'Other')],
];
for (const [tool, args, after] of mixedEdits) {
  test(`${tool} ${JSON.stringify(args)} leaves the line ends of other lines as they were`, async (context) => {
    const {call, text} = await host(context, {'m.md': mixed});
    const {status} = await call(tool, {docId: 'm', revision: await revisionOf(call, 'm'), ...args});
    assert.equal(status, 200);
    assert.equal(await text('m.md'), after);
  });
}

const revisionOf = async (call: Awaited<ReturnType<typeof host>>['call'], docId = 'welcome') =>
  (await call('mnote.doc.fetch', {docId})).result.revision as string;

test('a note is fetched with its title, text and revision', async (context) => {
  const {call} = await host(context);
  const {status, result} = await call('mnote.doc.fetch', {docId: 'welcome'});
  assert.equal(status, 200);
  assert.deepEqual(
    {...result, revision: typeof result.revision},
    {
      id: 'welcome',
      title: 'Welcome',
      markdown: welcome,
      revision: 'string',
    },
  );
});

test('an edit replaces what it names and brings an artifact with a diff', async (context) => {
  const {call, text, folder} = await host(context);
  const {result} = await call('mnote.doc.markdown_edit', {
    docId: 'welcome',
    revision: await revisionOf(call),
    edits: [{oldText: 'One line.', newText: 'Two\nlines.'}],
  });
  assert.equal(await text(), '# Welcome\n\nTwo\nlines.\n\n- a\n- b\n');
  assert.equal(result.changed, true);
  assert.deepEqual(result.artifact, {
    path: 'welcome.md',
    change: 'modified',
    diff: '--- a/welcome.md\n+++ b/welcome.md\n@@ -1,6 +1,7 @@\n # Welcome\n \n-One line.\n+Two\n+lines.\n \n - a\n - b\n',
  });
  assert.deepEqual(await readdir(folder), ['welcome.md']);
});

test('an edit to the same text changes nothing and says so', async (context) => {
  const {call} = await host(context);
  const revision = await revisionOf(call);
  const {result} = await call('mnote.doc.markdown_edit', {docId: 'welcome', revision, markdown: welcome});
  assert.deepEqual(result, {docId: 'welcome', title: 'Welcome', revision, changed: false});
});

test('a stale revision is refused with the current text', async (context) => {
  const {call, folder, text} = await host(context);
  const revision = await revisionOf(call);
  await writeFile(join(folder, 'welcome.md'), '# Other\n');
  const answer = await call('mnote.doc.markdown_edit', {docId: 'welcome', revision, markdown: 'mine'});
  assert.equal(answer.status, 409);
  assert.equal(answer.error.code, 'conflict');
  assert.equal(answer.error.current?.markdown, '# Other\n');
  assert.equal(answer.error.current?.revision, await revisionOf(call));
  assert.equal(await text(), '# Other\n');
});

for (const [why, oldText] of [
  ['stands nowhere', 'Three'],
  ['stands twice', '\n'],
] as const) {
  test(`edits whose oldText ${why} are refused, all of them`, async (context) => {
    const {call, text} = await host(context);
    const answer = await call('mnote.doc.markdown_edit', {
      docId: 'welcome',
      revision: await revisionOf(call),
      edits: [
        {oldText: 'One', newText: '1'},
        {oldText, newText: 'x'},
      ],
    });
    assert.equal(answer.status, 409);
    assert.match(answer.error.message, /edit 2/);
    assert.equal(answer.error.current?.markdown, welcome);
    assert.equal(await text(), welcome);
  });
}

test('of two edits with one revision the second is refused', async (context) => {
  const {call} = await host(context);
  const revision = await revisionOf(call);
  const answers = await Promise.all(
    ['x', 'y'].map((markdown) => call('mnote.doc.markdown_edit', {docId: 'welcome', revision, markdown})),
  );
  assert.deepEqual(
    answers.map(({status}) => status),
    [200, 409],
  );
});

const outside = [
  '../secret',
  '..',
  '.',
  '',
  '/etc/passwd',
  'a/../../secret',
  'a//b',
  './welcome',
  '.hidden',
  'a/.hidden',
  'welcome\u0000',
  '..\\secret',
  'C:secret',
  'a'.repeat(300),
  Array(12).fill('a').join('/'),
  'welcome.',
  'welcome ',
  '%2e%2e/secret',
  '\ud800',
];
test('no id leaves the folder or names what is hidden', async (context) => {
  const {call, folder} = await host(context, {'notes/welcome.md': welcome});
  await writeFile(join(folder, 'secret.md'), 'secret');
  await writeFile(join(folder, 'notes/.hidden.md'), 'secret');
  const {fetch} = createFolderHost({folder: join(folder, 'notes')});
  for (const docId of outside) {
    const response = await fetch(
      new Request('http://127.0.0.1/api/hermes/tools/mnote/call', {
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify({toolName: 'mnote.doc.fetch', args: {docId}}),
      }),
    );
    assert.ok([400, 404].includes(response.status), `${docId} gave ${response.status}`);
    const said = await response.text();
    assert.ok(!said.includes('secret'), docId);
    assert.ok(!said.includes(folder), 'a path of the machine is told');
  }
  assert.ok((await call('mnote.doc.fetch', {docId: 'notes/welcome'})).result);
});

test('links are no notes: neither the file nor a folder on the way', async (context) => {
  const secret = await temporaryFolder(context, {'secret.md': 'secret', 'deep/inner.md': 'secret'});
  const {call, folder} = await host(context);
  await symlink(join(secret, 'secret.md'), join(folder, 'linked.md'));
  await symlink(join(secret, 'deep'), join(folder, 'deep'));
  await symlink(join(folder, 'welcome.md'), join(folder, 'inside.md'));
  for (const docId of ['linked', 'deep/inner', 'inside']) {
    assert.equal((await call('mnote.doc.fetch', {docId})).status, 404, docId);
    const edit = await call('mnote.doc.markdown_edit', {docId, revision: 'x', markdown: 'y'});
    assert.equal(edit.status, 404, docId);
  }
  const {result} = await call('mnote.page.list', {});
  assert.deepEqual(
    (result.pages as {id: string}[]).map(({id}) => id),
    ['welcome'],
  );
  assert.equal(await readFile(join(secret, 'secret.md'), 'utf8'), 'secret');
});

test('a folder that becomes a link is left alone', async (context) => {
  const secret = await temporaryFolder(context, {'inner.md': 'secret'});
  const {call, folder} = await host(context, {'deep/inner.md': 'mine'});
  const revision = await revisionOf(call, 'deep/inner');
  await rename(join(folder, 'deep'), join(folder, 'old'));
  await symlink(secret, join(folder, 'deep'));
  const edit = await call('mnote.doc.markdown_edit', {docId: 'deep/inner', revision, markdown: 'y'});
  assert.equal(edit.status, 404);
  assert.equal(await readFile(join(secret, 'inner.md'), 'utf8'), 'secret');
});

test('a note with a second name changes under its own name only', async (context) => {
  const elsewhere = await temporaryFolder(context, {'twin.md': 'twin'});
  const {call, folder, text} = await host(context);
  await link(join(elsewhere, 'twin.md'), join(folder, 'twin.md'));
  const revision = await revisionOf(call, 'twin');
  await call('mnote.doc.markdown_edit', {docId: 'twin', revision, markdown: 'changed'});
  assert.equal(await text('twin.md'), 'changed');
  assert.equal(await readFile(join(elsewhere, 'twin.md'), 'utf8'), 'twin');
});

test('a file that is no text, too long or a directory is no note', async (context) => {
  const {call, folder} = await host(context);
  await writeFile(join(folder, 'binary.md'), Buffer.from([0x23, 0xff, 0xfe]));
  await writeFile(join(folder, 'long.md'), 'x'.repeat(1_000_001));
  await mkdir(join(folder, 'dir.md'));
  assert.equal((await call('mnote.doc.fetch', {docId: 'binary'})).status, 400);
  assert.equal((await call('mnote.doc.fetch', {docId: 'long'})).status, 413);
  assert.equal((await call('mnote.doc.fetch', {docId: 'dir'})).status, 404);
  const pages = (await call('mnote.page.list', {})).result.pages as {id: string}[];
  assert.deepEqual(
    pages.map(({id}) => id),
    ['welcome'],
  );
});

test('line ends and the mark of the file stay as they were', async (context) => {
  const {call, text} = await host(context, {'w.md': '\ufeff# W\r\n\r\nOne.\r\n'});
  const {result} = await call('mnote.doc.fetch', {docId: 'w'});
  assert.equal(result.markdown, '# W\n\nOne.\n');
  const {revision} = result;
  const edits = [{oldText: 'One.', newText: 'One.\nTwo.'}];
  await call('mnote.doc.markdown_edit', {docId: 'w', revision, edits});
  assert.equal(await text('w.md'), '\ufeff# W\r\n\r\nOne.\r\nTwo.\r\n');
});

test('pages are listed by title, searched, created and given another title', async (context) => {
  const {call, text} = await host(context, {
    'b.md': '# Beta\n\nfox',
    'x/a.md': 'no heading',
    'plain.txt': 'x',
  });
  const ids = async (args: object) =>
    ((await call('mnote.page.list', args)).result.pages as {id: string}[]).map(({id}) => id);
  assert.deepEqual(await ids({}), ['x/a', 'b']);
  assert.deepEqual(await ids({query: 'FOX beta'}), ['b']);
  const {result} = await call('mnote.page.create', {title: 'Über  uns / 你好', markdown: 'Text.\n'});
  assert.equal(result.docId, 'über-uns-你好');
  assert.equal(await text('über-uns-你好.md'), '# Über uns / 你好\n\nText.\n');
  assert.match(
    (result.artifact as {diff: string}).diff,
    /^--- \/dev\/null\n\+\+\+ b\/über-uns-你好.md\n@@ -0,0 \+1,3 @@\n/,
  );
  assert.equal((await call('mnote.page.create', {title: 'Über uns: 你好'})).result.docId, 'über-uns-你好-2');
  await call('mnote.page.rename', {docId: 'b', title: 'Gamma'});
  assert.equal(await text('b.md'), '# Gamma\n\nfox');
  await call('mnote.page.rename', {docId: 'x/a', title: 'Alpha'});
  assert.equal(await text('x/a.md'), '# Alpha\n\nno heading');
});

test('blocks are listed, read, inserted, replaced and deleted by ids that stay while their text does', async (context) => {
  const {call, text} = await host(context);
  type Block = {id: string; type: string; text: string};
  const blocks = async () => (await call('mnote.block.list', {docId: 'welcome'})).result.blocks as Block[];
  const [heading, paragraph, list] = await blocks();
  assert.deepEqual(
    (await blocks()).map(({type}) => type),
    ['heading', 'paragraph', 'list'],
  );
  const {result} = await call('mnote.block.get', {docId: 'welcome', blockId: list?.id});
  assert.equal((result.block as Block).text, '- a\n- b');
  await call('mnote.block.insert', {docId: 'welcome', after: heading?.id, markdown: 'New.\n'});
  await call('mnote.block.replace', {docId: 'welcome', blockId: paragraph?.id, markdown: 'Other.'});
  await call('mnote.block.insert', {docId: 'welcome', markdown: '> first'});
  await call('mnote.block.delete', {docId: 'welcome', blockId: list?.id});
  assert.equal(await text(), '> first\n\n# Welcome\n\nNew.\n\nOther.\n');
  const gone = await call('mnote.block.delete', {docId: 'welcome', blockId: paragraph?.id});
  assert.equal(gone.status, 409);
  assert.equal(gone.error.current?.markdown, '> first\n\n# Welcome\n\nNew.\n\nOther.\n');
});

test('a call is refused where its name or arguments do not fit', async (context) => {
  const {call, request} = await host(context);
  assert.equal((await call('mnote.doc.burn', {})).status, 404);
  assert.equal((await call('mnote.doc.fetch', {})).status, 400);
  const {error} = await call('mnote.doc.markdown_edit', {docId: 'welcome', revision: 'x'});
  assert.equal(error.code, 'conflict');
  const revision = await revisionOf(call);
  const neither = await call('mnote.doc.markdown_edit', {docId: 'welcome', revision});
  assert.equal(neither.error.message, 'Give either edits or markdown.');
  assert.equal((await request('POST', '/api/hermes/tools/mnote/call', '{')).status, 400);
  assert.equal((await request('POST', '/api/notes', `{"title":"${'x'.repeat(2_000_001)}"}`)).status, 413);
});

test('a page of another origin is refused, and so is a form', async (context) => {
  const {request} = await host(context);
  const foreign = await request(
    'PUT',
    '/api/notes/welcome',
    {markdown: 'x', revision: 'y'},
    {origin: 'http://evil'},
  );
  assert.equal(foreign.status, 403);
  const form = await request('POST', '/api/notes', 'title=x', {'content-type': 'text/plain'});
  assert.equal(form.status, 400);
});

test('only sessions with a token call, where the host asks for one', async (context) => {
  const folder = await temporaryFolder(context, {'a.md': 'a'});
  const {fetch} = createFolderHost({folder, accepts: (token) => token === 'good'});
  const status = async (token: string) => {
    const {status} = await fetch(
      new Request('http://127.0.0.1/api/hermes/tools/mnote/call', {
        method: 'POST',
        headers: {'content-type': 'application/json', authorization: `Bearer ${token}`},
        body: JSON.stringify({toolName: 'mnote.page.list', args: {}}),
      }),
    );
    return status;
  };
  assert.equal(await status('good'), 200);
  assert.equal(await status('bad'), 403);
});

test('the page lists, reads and saves with the revision it has', async (context) => {
  const {request, text} = await host(context, {'x/a b.md': '# A\n'});
  const {notes} = (await request('GET', '/api/notes')) as unknown as {
    notes: {id: string; revision: string}[];
  };
  assert.deepEqual(
    notes.map(({id}) => id),
    ['x/a b'],
  );
  const path = `/api/notes/${encodeURIComponent('x/a b')}`;
  const {markdown, revision} = await request('GET', path);
  assert.equal(markdown, '# A\n');
  const saved = await request('PUT', path, {markdown: '# B\n', revision});
  assert.equal(saved.title, 'B');
  assert.equal(await text('x/a b.md'), '# B\n');
  const stale = await request('PUT', path, {markdown: '# C\n', revision});
  assert.equal(stale.status, 409);
  assert.equal(stale.error.current?.markdown, '# B\n');
  assert.equal((await request('POST', '/api/notes', {title: 'New'})).status, 201);
});

test('a watching page hears of changes by tools, by pages and by other programs', async (context) => {
  const folder = await temporaryFolder(context, {'welcome.md': welcome});
  const clock = new ManualClock();
  const host = createFolderHost({folder, clock, watchMs: 1_000});
  const response = await host.fetch(new Request('http://127.0.0.1/api/note-events'));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader.read()).value;
  assert.equal(await next(), ': watching\n\n');
  await host.fetch(
    new Request('http://127.0.0.1/api/hermes/tools/mnote/call', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({toolName: 'mnote.page.rename', args: {docId: 'welcome', title: 'Hello'}}),
    }),
  );
  assert.match((await next()) ?? '', /^data: \{"id":"welcome","title":"Hello",.*"change":"modified"\}\n\n$/);
  await writeFile(join(folder, 'other.md'), 'Other');
  await clock.pass(1_000);
  assert.match((await next()) ?? '', /"id":"other".*"change":"created"/);
  host.stop();
  assert.equal((await reader.read()).done, true);
  assert.equal(clock.waiting, 0);
});
