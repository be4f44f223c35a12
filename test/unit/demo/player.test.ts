import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {readRecording, type SourceEvent} from '../../../src/protocol/index.js';
import {startDemo, type Demo} from './demo-server.js';

const TOOLS = 'hermes-webui-real/tools/live';
const RUN = '3b76e0b9ee1940389bf433f98328decb';

let demo: Demo;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

const play = (query: string, headers?: Record<string, string>) =>
  demo.get(`/play/${TOOLS}/events?pace=instant&${query}`, headers);

const eventsOf = async (answer: Response) => readRecording(await answer.text(), 'sse').events;
const seqs = (events: readonly SourceEvent[]) => events.map(({id}) => Number(id!.split(':')[1]));
const from = (first: number, last = 42) => Array.from({length: last - first + 1}, (_, n) => first + n);
const recorded = () =>
  readRecording(readFileSync(`test/fixtures/${TOOLS}.sse`, 'utf8'), 'sse').events.map((event) => ({
    ...event,
  }));

test('an undisturbed play is the recording, byte for byte', async () => {
  const answer = await play('');
  assert.match(answer.headers.get('content-type')!, /^text\/event-stream/);
  assert.equal(await answer.text(), readFileSync(`test/fixtures/${TOOLS}.sse`, 'utf8'));
});

test('the address of the README finds the recording by its run', async () => {
  const answer = await demo.get(`/api/hermes/client/events/${RUN}?pace=instant`);
  assert.deepEqual(await eventsOf(answer), recorded());
});

const resumes: [name: string, query: string, header: string | null, first: number][] = [
  ['nothing', '', null, 1],
  ['after_seq', 'after_seq=40', null, 41],
  ['after_event_id', `after_event_id=${RUN}:40`, null, 41],
  ['the header', '', `${RUN}:40`, 41],
  ['replay', 'replay=1', null, 1],
  ['replay, which silences the header', 'replay=1', `${RUN}:40`, 1],
  ['a query, which beats the header', 'after_seq=30', `${RUN}:40`, 31],
  ['rubbish in the query, which silences the header', 'after_seq=soon', `${RUN}:40`, 1],
  ['a cursor of another run', 'after_event_id=other:40', null, 1],
  ['a header of another run', '', 'other:40', 1],
  ['a cursor ahead', 'after_seq=43', null, 1],
  ['a negative cursor', `after_event_id=${RUN}:-4`, null, 1],
];
for (const [name, query, header, first] of resumes) {
  test(`asked with ${name} it sends from ${first}`, async () => {
    const answer = await play(query, header === null ? {} : {'last-event-id': header});
    assert.deepEqual(seqs(await eventsOf(answer)), from(first));
  });
}

test('the cursor of the last frame of a finished run gives an empty body', async () => {
  const answer = await play(`after_event_id=${RUN}:42`);
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), '');
});

test('a live run is sent as far as it goes, then goes on by the clock of the server', async () => {
  const begun = performance.now();
  const answer = await demo.get('/play/hermes-webui/05-cancel-midway/events');
  assert.equal((await eventsOf(answer)).length, 9);
  assert.ok(performance.now() - begun >= 8 * 40 - 5);
});

/** Reads like a client: until the stream ends of itself, going on after the last whole frame. */
async function readThrough(query: string) {
  const events: SourceEvent[] = [];
  let connections = 0;
  for (let cursor = ''; ; connections++) {
    const answer = await play(query, cursor ? {'last-event-id': cursor} : {});
    const {events: more} = readRecording(await bodyOf(answer), 'sse');
    events.push(...more);
    cursor = more.at(-1)?.id ?? cursor;
    if (more.some(({name}) => name === 'stream_end')) return {events, connections: connections + 1};
    assert.ok(connections < 50, 'the stream never ended');
  }
}

/** What of a body arrives before it breaks. */
async function bodyOf(answer: Response): Promise<string> {
  const utf8 = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of answer.body!) text += utf8.decode(bytes as Uint8Array, {stream: true});
  } catch {
    // Broken on purpose.
  }
  return text;
}

test('ten cuts end in eleven connections and the same frames', async () => {
  const {events, connections} = await readThrough('fault=drop&cuts=10&seed=5&play=ten');
  assert.equal(connections, 11);
  assert.deepEqual(events, recorded());
});

for (const fault of ['drop', 'duplicate', 'torn', 'mixed', 'stale', 'slow']) {
  test(`fault ${fault} loses no frame`, async () => {
    const {events} = await readThrough(`fault=${fault}&seed=3&play=all-${fault}`);
    const known = new Map(events.map((event) => [event.id, event]));
    assert.deepEqual(
      [...known.values()].sort((a, b) => seqs([a])[0]! - seqs([b])[0]!),
      recorded(),
    );
  });
}

test('fault duplicate sends frames again', async () => {
  const {events} = await readThrough('fault=duplicate&seed=3&play=twice');
  assert.ok(events.length > 42);
});

test('the same seed gives the same faults, another seed others', async () => {
  const [first, again, other] = [
    await readThrough('fault=mixed&seed=8&play=a'),
    await readThrough('fault=mixed&seed=8&play=b'),
    await readThrough('fault=mixed&seed=9&play=c'),
  ].map(({events}) => seqs(events).join());
  assert.equal(first, again);
  assert.notEqual(first, other);
});

test('fault late sends the first reader only what follows, and the rest to whoever has a cursor', async () => {
  assert.deepEqual(seqs(await eventsOf(await play('fault=late&play=late'))), from(22));
  assert.deepEqual(seqs(await eventsOf(await play('fault=late&play=late&after_seq=0'))), from(1));
});

test('what cannot be played is refused with a sentence', async () => {
  for (const path of ['/play/none/events', `/play/${TOOLS}/events?fault=fire`, '/play/%/events']) {
    const answer = await demo.get(path);
    assert.ok(answer.status === 404 || answer.status === 400, path);
    assert.match(((await answer.json()) as {error: string}).error, /\.$/);
  }
});

test('a recorded refusal is played as one', async () => {
  const answer = await demo.get('/play/hermes-webui-real/finished-again/unknown-stream/events');
  assert.equal(answer.status, 404);
  assert.deepEqual(await answer.json(), {error: 'stream not found'});
});

test('the list names every recording of one stream with what it leads to', async () => {
  const list = (await (await demo.get('/api/recordings')).json()) as {
    name: string;
    terminal: string | null;
  }[];
  const terminals = new Set(list.map(({terminal}) => terminal));
  assert.ok(list.length >= 60);
  for (const terminal of ['completed', 'cancelled', 'error', 'no_response', 'tool_limit_reached']) {
    assert.ok(terminals.has(terminal), terminal);
  }
});

test('session, start answer and expectation of a recording can be asked for', async () => {
  const ask = async (part: string) => (await demo.get(`/api/recordings/${TOOLS}/${part}`)).json() as object;
  assert.ok('session' in (await ask('session')));
  assert.ok('stream_id' in (await ask('start')));
  assert.ok('full' in (await ask('expected')));
});
