import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  createFrameDecoder,
  encodeComment,
  encodeFrame,
  FrameError,
  type SourceEvent,
} from '../../../src/protocol/index.js';

const fixtures = join(import.meta.dirname, '../../fixtures/hermes-webui-real');

/** Everything a decoder says about a text that comes in these pieces. */
function decode(pieces: readonly string[], maxFrameLength?: number) {
  const heard = {events: [] as SourceEvent[], comments: [] as string[], retries: [] as number[], torn: false};
  const decoder = createFrameDecoder({
    onEvent: (event) => heard.events.push(event),
    onComment: (text) => heard.comments.push(text),
    onRetry: (ms) => heard.retries.push(ms),
    maxFrameLength,
  });
  for (const piece of pieces) decoder.push(piece);
  heard.torn = decoder.end();
  return heard;
}

/** The text cut in two at every place, and into single characters. */
function* cuts(text: string): Generator<string[]> {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
  yield text.split('');
}

const event = (id: string | null, name: string | null, data: string | object): SourceEvent => ({
  id,
  name,
  data,
});

// What one line of a frame can hold, and what data can hold and get back: a reader never sees a CR.
const line = fc.string({unit: 'binary', maxLength: 12}).filter((text) => !/[\r\n\0]/.test(text));
const someEvent = fc.record(
  {
    id: fc.option(line.filter((text) => text !== '')),
    name: fc.option(line.filter((text) => text !== '')),
    data: fc.oneof(
      fc.string({unit: 'binary'}).map((text) => text.replaceAll('\r', '\n')),
      fc.constantFrom(
        '',
        ' ',
        '\n',
        '\n\n',
        ' leading',
        '\u2028\u2029\u0085\uFEFF',
        'data: x',
        ': y',
        'id: z',
      ),
    ),
  },
  {noNullPrototype: true},
);

test('decode gives back what encode wrote, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(someEvent, {maxLength: 4}), fc.array(fc.nat()), (events, places) => {
      const text = events.map(encodeFrame).join(encodeComment('heartbeat'));
      const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      assert.deepEqual(decode(pieces).events, events);
      assert.equal(decode(pieces).torn, false);
    }),
  );
});

test('an object is written as one line of JSON', () => {
  assert.equal(encodeFrame(event('r:1', null, {a: 'x\ny'})), 'id: r:1\ndata: {"a":"x\\ny"}\n\n');
});

test('the parts of a frame stand in the order id, event, data', () => {
  assert.equal(
    encodeFrame(event('r:1', 'token', 'a\r\nb\rc')),
    'id: r:1\nevent: token\ndata: a\ndata: b\ndata: c\n\n',
  );
});

for (const [what, bad] of [
  ['a line break in an id', () => encodeFrame(event('a\nb', null, ''))],
  ['a NUL in an id', () => encodeFrame(event('a\0b', null, ''))],
  ['a line break in a name', () => encodeFrame(event(null, 'a\rb', ''))],
  ['a line break in a comment', () => encodeComment('a\nb')],
] as const) {
  test(`${what} is refused when written`, () => {
    assert.throws(bad, (error) => error instanceof FrameError && error.code === 'unencodable');
  });
}

const readings: readonly [fact: string, text: string, events: readonly SourceEvent[]][] = [
  [
    'an id belongs to its own frame only',
    'id: r:1\ndata: a\n\ndata: b\n\n',
    [event('r:1', null, 'a'), event(null, null, 'b')],
  ],
  [
    'an empty id is none',
    'id\ndata: a\n\nid:\ndata: b\n\n',
    [event(null, null, 'a'), event(null, null, 'b')],
  ],
  ['an id with NUL is ignored', 'id: a\0b\ndata: x\n\n', [event(null, null, 'x')]],
  ['lines may end with CRLF', 'id: 1\r\nevent: e\r\ndata: a\r\ndata: b\r\n\r\n', [event('1', 'e', 'a\nb')]],
  [
    'lines may end with CR',
    'id: 1\revent: e\rdata: a\rdata: b\r\rdata: c\r\r',
    [event('1', 'e', 'a\nb'), event(null, null, 'c')],
  ],
  [
    'line ends may be mixed',
    'data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\n',
    [event(null, null, 'a\nb\nc'), event(null, null, 'd')],
  ],
  [
    'other line separators are text',
    'data: a\u2028b\u2029c\u0085d\uFEFFe\n\n',
    [event(null, null, 'a\u2028b\u2029c\u0085d\uFEFFe')],
  ],
  ['a byte order mark at the start is no part of it', '\uFEFFdata: a\n\n', [event(null, null, 'a')]],
  ['only one byte order mark is dropped', '\uFEFF\uFEFFdata: a\n\ndata: b\n\n', [event(null, null, 'b')]],
  [
    'one space after the colon is not data',
    'data:a\n\ndata:  b\n\n',
    [event(null, null, 'a'), event(null, null, ' b')],
  ],
  [
    'a frame without data is none, and leaves nothing behind',
    'id: 1\nevent: e\n\ndata: a\n\n',
    [event(null, null, 'a')],
  ],
  ['empty data is data', 'data\n\ndata:\n\n', [event(null, null, ''), event(null, null, '')]],
  [
    'unknown fields and their case are ignored',
    'Data: x\nfoo: y\nbar\ndata: a\n\n',
    [event(null, null, 'a')],
  ],
  ['a comment inside a frame is none of it', 'data: a\n: beat\ndata: b\n\n', [event(null, null, 'a\nb')]],
  [
    'names of object members are just names',
    'event: __proto__\ndata: a\n\n',
    [event(null, '__proto__', 'a')],
  ],
];

for (const [fact, text, events] of readings) {
  test(`${fact}, at every cut`, () => {
    for (const pieces of cuts(text)) {
      const heard = decode(pieces);
      assert.deepEqual(heard.events, events, JSON.stringify(pieces));
      assert.equal(heard.torn, false, JSON.stringify(pieces));
    }
  });
}

test('comments and retry are heard, and a retry that is no number is not', () => {
  const heard = decode([': heartbeat\n\n:\n\nretry: 250\n\nretry: soon\n\n']);
  assert.deepEqual(heard, {events: [], comments: ['heartbeat', ''], retries: [250], torn: false});
});

test('a body that ends inside a frame is torn there, and only there', () => {
  const frames = [event('r:1', 'token', 'a'), event('r:2', null, 'b\nc')].map(encodeFrame);
  const text = frames.join('');
  const borders = new Set([0, frames[0]!.length, text.length]);
  for (let at = 0; at <= text.length; at++) {
    for (const [bytes, ends] of [
      ['\n', text],
      ['\r\n', text.replaceAll('\n', '\r\n')],
    ] as const) {
      if (bytes !== '\n' && at !== text.length) continue;
      const piece = ends === text ? text.slice(0, at) : ends;
      assert.equal(decode([piece]).torn, !borders.has(at), JSON.stringify(piece));
      assert.equal(decode(piece.split('')).torn, !borders.has(at), JSON.stringify(piece));
    }
  }
});

test('a torn frame is dropped, whole frames before it stand', () => {
  const heard = decode(['data: a\n\nid: 2\ndata: b\n']);
  assert.deepEqual([heard.events, heard.torn], [[event(null, null, 'a')], true]);
});

test('an oversized frame is refused wherever it is cut, and what stood before it is read', () => {
  const good = encodeFrame(event('r:1', null, 'ok'));
  const text = good + encodeFrame(event('r:2', null, 'x'.repeat(3000)));
  for (const pieces of [[text], text.match(/[^]{1,64}/g)!, text.split('')]) {
    const events: SourceEvent[] = [];
    const decoder = createFrameDecoder({onEvent: (next) => events.push(next), maxFrameLength: 1500});
    assert.throws(
      () => pieces.forEach((piece) => decoder.push(piece)),
      (error) => error instanceof FrameError && error.code === 'frame-too-large',
    );
    assert.deepEqual(events, [event('r:1', null, 'ok')]);
  }
});

test('many data lines count together against the limit', () => {
  const decoder = createFrameDecoder({onEvent() {}, maxFrameLength: 1500});
  assert.throws(() => {
    for (let i = 0; i < 100; i++) decoder.push(`data: ${'y'.repeat(100)}\n`);
  }, FrameError);
});

test('a frame as long as the limit is read wherever it is cut', () => {
  const frame = event('r:1', 'token', 'z'.repeat(1500));
  const text = encodeFrame(frame).replaceAll('\n', '\r\n');
  for (const pieces of [[text], text.split('')]) assert.deepEqual(decode(pieces, 1500).events, [frame]);
});

const recordings = readdirSync(fixtures, {recursive: true, encoding: 'utf8'}).filter((name) =>
  name.endsWith('.sse'),
);

test('every recording is read back after being written again', () => {
  assert.ok(recordings.length > 50);
  for (const name of recordings) {
    const text = readFileSync(join(fixtures, name), 'utf8');
    const {events} = decode([text]);
    assert.deepEqual(decode([events.map(encodeFrame).join('')]).events, events, name);
  }
});

test('recordings without comments and torn ends are written as the bytes they were', () => {
  const exact = recordings
    .map((name) => readFileSync(join(fixtures, name), 'utf8'))
    .filter((text) => !/^:/m.test(text) && text.endsWith('\n\n'));
  assert.ok(exact.length > 30);
  for (const text of exact) assert.equal(decode([text]).events.map(encodeFrame).join(''), text);
});
