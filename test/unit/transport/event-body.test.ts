import assert from 'node:assert/strict';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import fc from 'fast-check';
import {encodeFrame, readRecording, type SourceEvent} from '../../../src/protocol/index.js';
import {readBody} from '../../../src/transport/event-body.js';

const fixtures = join(import.meta.dirname, '../../fixtures/hermes-webui-real');
const small = readdirSync(fixtures, {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.sse'))
  .map((name) => join(fixtures, name))
  .filter((file) => statSync(file).size < 2500);

/** All events of a body that comes in these pieces. */
async function read(parts: readonly Uint8Array[]): Promise<{events: SourceEvent[]; torn: boolean}> {
  const heard = {events: [] as SourceEvent[], torn: false};
  await readBody(ReadableStream.from(parts), new AbortController().signal, {
    onBatch: (events) => heard.events.push(...events) > 0,
    onBytes: () => undefined,
    onHeartbeat: () => undefined,
    onRetry: () => undefined,
    onTorn: () => {
      heard.torn = true;
    },
  });
  return heard;
}

const NASTY = Buffer.from(
  '\uFEFF' +
    encodeFrame({id: 'läuft:1', name: '→', data: 'ä€😀\u2028\u2029\u0085\uFEFF'}) +
    encodeFrame({id: null, name: null, data: '多行\n\n😀'}).replaceAll('\n', '\r\n') +
    ': 😀\n\n' +
    encodeFrame({id: 'läuft:2', name: 'stream_end', data: {}}).replaceAll('\n', '\r'),
);

test('a body of all line ends and letters is read at every cut, and byte by byte', async () => {
  const expected = [
    {id: 'läuft:1', name: '→', data: 'ä€😀\u2028\u2029\u0085\uFEFF'},
    {id: null, name: null, data: '多行\n\n😀'},
    {id: 'läuft:2', name: 'stream_end', data: '{}'},
  ];
  for (let at = 0; at <= NASTY.length; at++) {
    assert.deepEqual(
      await read([NASTY.subarray(0, at), NASTY.subarray(at)]),
      {events: expected, torn: false},
      `cut at ${at}`,
    );
  }
  assert.deepEqual(await read([...NASTY].map((byte) => Uint8Array.of(byte))), {
    events: expected,
    torn: false,
  });
});

test('only one byte order mark is dropped', async () => {
  const {events} = await read([Buffer.from('\uFEFF\uFEFFdata: no field of that name\n\ndata: a\n\n')]);
  assert.deepEqual(events, [{id: null, name: null, data: 'a'}]);
});

test('small recordings are read at every cut, and byte by byte', async () => {
  assert.ok(small.length > 5);
  for (const file of small) {
    const bytes = readFileSync(file);
    const expected = readRecording(bytes.toString('utf8'), 'sse').events;
    for (let at = 0; at <= bytes.length; at += 1) {
      assert.deepEqual(
        (await read([bytes.subarray(0, at), bytes.subarray(at)])).events,
        expected,
        `${file} at ${at}`,
      );
    }
    assert.deepEqual((await read([...bytes].map((byte) => Uint8Array.of(byte)))).events, expected, file);
  }
});

test('bytes that are no UTF-8 become replacement characters, and nothing breaks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({maxLength: 40}), {maxLength: 6}), async (parts) => {
      const {events} = await read([...parts, Buffer.from('\n\ndata: still here\n\n')]);
      assert.equal(events.at(-1)?.data, 'still here');
    }),
  );
});

test('a body that breaks inside a frame is torn, and the break is heard', async () => {
  let torn = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('id: r:1\nda'));
    },
    pull(controller) {
      controller.error(new Error('cut'));
    },
  });
  const reading = readBody(body, new AbortController().signal, {
    onBatch: () => true,
    onBytes: () => undefined,
    onHeartbeat: () => undefined,
    onRetry: () => undefined,
    onTorn: () => torn++,
  });
  await assert.rejects(reading, /cut/);
  assert.equal(torn, 1);
});
