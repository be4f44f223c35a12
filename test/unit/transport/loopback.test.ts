import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import fc from 'fast-check';
import {encodeFrame, readRecording, streamEnding, type SourceEvent} from '../../../src/protocol/index.js';
import {openEventStream, type Clock, type CursorParameter} from '../../../src/transport/index.js';

const fixtures = join(import.meta.dirname, '../../fixtures/hermes-webui-real');
const recordings = [
  'plain/live',
  'tools/live',
  'cancel/live',
  'markdown/live',
  'error/plain-live',
  'todo/live',
];

/** What the server does on one connection. */
interface Fault {
  /** How many bytes go out before the connection drops. */
  readonly bytes: number;
  /** How many frames it repeats from before the cursor. */
  readonly overlap: number;
  /** How many bytes go out in one write. */
  readonly chunk: number;
}

let events: readonly SourceEvent[] = [];
let faults: Fault[] = [];

/** The wait for a title, and the one that calls a silence too long. */
const PATIENT = new Set([10_000, 45_000]);

const server = createServer((request, response) => void answer(request, response));
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream?stream_id=r&replay=1`;

/** Waits for another attempt are over as soon as everything else has happened; those for more of an open body last. */
const impatient: Clock = {
  now: () => 0,
  setTimeout: (run, ms) => (PATIENT.has(ms) ? undefined : setImmediate(run)),
  clearTimeout: (timer) => clearImmediate(timer as NodeJS.Immediate),
};

before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close().closeAllConnections());

/** Everything after the cursor, until the next fault. A query cursor silences the header, as on the real server. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url!, url()).searchParams;
  const fault = faults.shift();
  const from = firstAfter(query, request.headers['last-event-id']) - (fault?.overlap ?? 0);
  const bytes = Buffer.from(events.slice(Math.max(0, from)).map(encodeFrame).join(''));
  response.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache'});
  const until = fault ? fault.bytes : bytes.length;
  for (let at = 0; at < until; at += fault?.chunk ?? 4096) {
    response.write(bytes.subarray(at, Math.min(until, at + (fault?.chunk ?? 4096))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (fault) response.destroy();
  else response.end();
}

// A frame that borrowed its id stands after the owner, so it is among what follows.
function firstAfter(query: URLSearchParams, header: string | string[] | undefined): number {
  const asked = query.has('after_seq')
    ? `:${query.get('after_seq')}`
    : (query.get('after_event_id') ?? (query.has('replay') ? undefined : header));
  return typeof asked === 'string' ? events.findIndex(({id}) => id?.endsWith(asked)) + 1 : 0;
}

/** The frames that arrive, each once, and how the stream ended. */
async function readAll(afterParam: CursorParameter): Promise<{frames: string[]; ended: string}> {
  const frames = new Set<string>();
  const ended = await new Promise<string>((resolve) => {
    openEventStream({
      url: url(),
      cursor: {afterParam},
      clock: impatient,
      onBatch: (batch) => batch.forEach((event) => frames.add(encodeFrame(event))),
      onState: ({phase, error}) => {
        if (phase === 'ended' || phase === 'lost') resolve(`${phase} ${error?.code ?? 'well'}`);
      },
    });
  });
  return {frames: [...frames], ended};
}

const someFault = fc.record({
  bytes: fc.nat({max: 3000}),
  overlap: fc.nat({max: 5}),
  chunk: fc.integer({min: 1, max: 1500}),
});

for (const name of recordings) {
  test(`${name}: dropped, repeated and torn anywhere, all frames arrive in order`, async () => {
    const all = readRecording(readFileSync(join(fixtures, `${name}.sse`), 'utf8'), 'sse').events;
    const end = all.findIndex((event) => streamEnding(event) === 'close');
    assert.ok(end > 0);
    events = all.slice(0, end + 1);
    const expected = events.map(encodeFrame);
    await fc.assert(
      fc.asyncProperty(
        // At most seven: eight breaks in a row without progress are, rightly, given up.
        fc.array(someFault, {maxLength: 7}),
        fc.constantFrom<CursorParameter>(null, 'after_seq', 'after_event_id'),
        async (drops, afterParam) => {
          faults = [...drops];
          const {frames, ended} = await readAll(afterParam);
          assert.deepEqual(frames, expected);
          assert.equal(ended, 'ended well');
        },
      ),
      {numRuns: 40},
    );
  });
}

test('closing a stream closes its socket', async () => {
  events = readRecording(encodeFrame({id: 'r:1', name: 'token', data: {}}), 'sse').events;
  const quiet = createServer((_, response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.write(encodeFrame({id: 'r:1', name: 'token', data: {}}));
  });
  await once(quiet.listen(0, '127.0.0.1'), 'listening');
  const closed = new Promise((resolve) =>
    quiet.once('connection', (socket) => socket.once('close', resolve)),
  );
  const heard = new Promise<void>((resolve) => {
    const stream = openEventStream({
      url: `http://127.0.0.1:${(quiet.address() as AddressInfo).port}/`,
      onBatch() {
        stream.close();
        resolve();
      },
    });
  });
  await Promise.all([heard, closed]);
  quiet.close().closeAllConnections();
});
