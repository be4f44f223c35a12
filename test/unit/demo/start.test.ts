import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {after, before, test} from 'node:test';

/** `npm start`, as a process of its own. */
const dataDir = mkdtempSync(join(tmpdir(), 'hermes-demo-'));
const child = spawn(process.execPath, ['demo/start.mjs', '--port', '0', '--data', dataDir], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let address = '';
before(async () => {
  for await (const line of createInterface(child.stdout)) {
    const [, found] = /^ready (http:\/\/127\.0\.0\.1:\d+)$/.exec(line) ?? [];
    if (found) address = found;
    if (found) break;
  }
});
after(async () => {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
  rmSync(dataDir, {recursive: true, force: true});
});

const get = (path: string, init?: RequestInit) => fetch(address + path, init);

test('it says where it listens', () => {
  assert.match(address, /:\d+$/);
});

const files: [path: string, type: string, inside: RegExp][] = [
  ['/', 'text/html', /<hermes-composer/],
  ['/recordings.html', 'text/html', /<form/],
  ['/archive.html', 'text/html', /hermes\.transcript\.v1/],
  ['/strict.html', 'text/html', /<hermes-transcript\s+mode/],
  ['/style.css', 'text/css', /--accent/],
  ['/recordings.js', 'text/javascript', /hermes-transcript/],
  ['/violations.js', 'text/javascript', /securitypolicyviolation/],
  ['/icon.svg', 'image/svg+xml', /<svg/],
  ['/dist/cdn/hermes-elements.js', 'text/javascript', /./],
];
for (const [path, type, inside] of files) {
  test(`${path} is served as ${type}`, async () => {
    const answer = await get(path);
    assert.equal(answer.status, 200);
    assert.ok(answer.headers.get('content-type')!.startsWith(type));
    assert.match(await answer.text(), inside);
  });
}

test('the strict page is strict, and holds nothing inline', async () => {
  const answer = await get('/strict.html');
  const policy = answer.headers.get('content-security-policy')!;
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]) {
    assert.ok(policy.includes(rule), rule);
  }
  assert.ok(policy.includes("require-trusted-types-for 'script'; trusted-types hermes-elements"));
  const page = await answer.text();
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
});

test('the stream of the strict page is one that can be played', async () => {
  const [, src] = /src="(\/api\/[^"]+)"/.exec(await (await get('/strict.html')).text())!;
  const answer = await get(src!.replace(/\?.*/, '?pace=instant'));
  assert.match(answer.headers.get('content-type')!, /^text\/event-stream/);
  assert.match(await answer.text(), /event: stream_end/);
});

test('nothing else of the project is served', async () => {
  const paths = [
    '/package.json',
    '/..%2f..%2fpackage.json',
    '/dist/..%2fpackage.json',
    '/dist/',
    '/none',
    '//',
  ];
  for (const path of paths) assert.equal((await get(path)).status, 404, path);
});

test('notes and profiles are there, kept in the folder that was named', async () => {
  const {notes} = (await (await get('/api/notes')).json()) as {notes: {id: string}[]};
  assert.ok(notes.some(({id}) => id === 'garden-shed'));
  assert.ok(existsSync(join(dataDir, 'notes/garden-shed.md')));
  const {profiles} = (await (await get('/api/hermes/client/profiles')).json()) as {
    profiles: {name: string; active: boolean; available: boolean}[];
  };
  const demo = profiles.find(({name}) => name === 'demo');
  assert.deepEqual([demo?.active, demo?.available], [true, true]);
});

test('only reading is allowed', async () => {
  assert.equal((await get('/api/recordings', {method: 'POST'})).status, 405);
});
