import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {adapterFor} from '../../../src/adapters/index.js';
import {applyTurnEvents, createTranscript} from '../../../src/anchor/index.js';
import {readRecording} from '../../../src/protocol/index.js';
import {startDemo, type Demo} from './demo-server.js';

let demo: Demo;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

test('ten turns come as lines of one connection, and mean what they are to show', async () => {
  const answer = await demo.get('/api/turns');
  assert.match(answer.headers.get('content-type')!, /^text\/event-stream/);
  const lines = readRecording(await answer.text(), 'sse').events.map(({data}) => data as string);
  const {events, malformed} = readRecording(lines.join('\n'), 'ndjson');
  assert.equal(malformed, 0);
  const {normalize} = adapterFor('hermes-runs');
  const {turns} = applyTurnEvents(
    createTranscript(),
    events.map((event) => normalize(event)),
  );
  assert.equal(turns.length, 10);
  assert.deepEqual(new Set(turns.map(({terminal}) => terminal)), new Set(['completed']));
  const tools = turns.map(({items}) => [...items].filter(({tool}) => tool).map(({tool}) => tool!));
  assert.equal(tools[7]!.length, 40);
  assert.ok(
    tools[4]!.every(({diff}) => diff),
    'changes',
  );
  assert.ok(tools[5]![0]!.output.includes('\r'), 'a line that is written over');
  assert.deepEqual(
    tools[6]!.map(({status}) => status),
    ['error', 'completed', 'error'],
  );
  assert.equal(turns[8]!.plan?.length, 5);
});

test('the page of the turns is as strict as the strict page, and may hold a frame of ours', async () => {
  const policy = async (path: string) => (await demo.get(path)).headers.get('content-security-policy');
  assert.equal(await policy('/turns.html'), `${await policy('/strict.html')}; frame-src 'self'`);
  assert.match(
    (await policy('/figures/flow-frame.html'))!,
    /^default-src 'none'; script-src http:\/\/127.0.0.1:\d+; style-src [^;]+; frame-ancestors 'self'; sandbox allow-scripts$/,
  );
  assert.doesNotMatch(
    await (await demo.get('/turns.html')).text(),
    /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/,
  );
});

test('of the packages only what draws formulas is served', async () => {
  const answer = await demo.get('/temml/temml.mjs');
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^text\/javascript/);
  for (const path of [
    '/temml/',
    '/temml/..%2fpackage.json',
    '/temml/..%2f..%2flit/package.json',
    '/constructor/x',
  ])
    assert.equal((await demo.get(path)).status, 404, path);
});
