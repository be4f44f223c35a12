/**
 * Every recording cut anywhere in its bytes: at every byte where it is small, at 300 seeded places where it is not.
 * A chunk may end there, or the connection: what was torn is asked for again by the last whole frame's id.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {adapterFor} from '../../../src/adapters/index.js';
import {applyTurnEvents, createTranscript, type TurnEvent} from '../../../src/anchor/index.js';
import {createFrameDecoder, encodeFrame, type SourceEvent} from '../../../src/protocol/index.js';
import {comparable, expected, observe} from './observations.js';
import {random} from './random.js';

const small = 6_000;
const seed = Number(process.env['CUT_SEED'] ?? 20_261_129);
const fixtures = new URL('../../fixtures/', import.meta.url);

/** The bytes of a stream; hand-made recordings are written as the server would. */
function bytesOf(path: string, events: readonly SourceEvent[]): Uint8Array {
  if (path.endsWith('.sse')) return readFileSync(new URL(path, fixtures));
  return new TextEncoder().encode(events.map(encodeFrame).join(''));
}

/** Whole frames of these chunks, each chunk decoded by itself as a network would bring it. */
function decode(chunks: readonly Uint8Array[]): SourceEvent[] {
  const events: SourceEvent[] = [];
  const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
  const decoder = createFrameDecoder({onEvent: (event) => events.push(event)});
  for (const chunk of chunks) decoder.push(utf8.decode(chunk, {stream: true}));
  decoder.end();
  return events;
}

function cutsOf(length: number): number[] {
  if (length <= small) return Array.from({length: length + 1}, (_, at) => at);
  const next = random(seed);
  return Array.from({length: 300}, () => Math.floor(next() * (length + 1)));
}

const paths = new Set(Object.values(expected).flatMap(({streams}) => streams));

for (const path of paths) {
  const line = Object.values(expected).find(({streams}) => streams.includes(path))!;
  const {wire, streams} = observe(line);
  const {normalize} = adapterFor(wire);
  const bytes = bytesOf(path, streams[line.streams.indexOf(path)]!);
  const whole = decode([bytes]);

  test(`${path}: a chunk may end at any byte (seed ${seed})`, () => {
    for (const cut of cutsOf(bytes.length)) {
      assert.deepEqual(decode([bytes.subarray(0, cut), bytes.subarray(cut)]), whole, `cut at ${cut}`);
    }
  });

  test(`${path}: the connection may end at any byte and go on after the last whole frame (seed ${seed})`, () => {
    const turnEvents: TurnEvent[] = whole.map(normalize);
    const undisturbed = comparable(applyTurnEvents(createTranscript(), turnEvents));
    const seen = new Set<number>();
    for (const cut of cutsOf(bytes.length)) {
      const first = decode([bytes.subarray(0, cut)]).length;
      if (seen.has(first)) continue; // The same frames were whole: the same two connections.
      seen.add(first);
      const before = applyTurnEvents(createTranscript(), turnEvents.slice(0, first));
      assert.deepEqual(
        comparable(applyTurnEvents(before, turnEvents.slice(first))),
        undisturbed,
        `cut at ${cut}`,
      );
      // A server that does not know the cursor sends all again.
      if (turnEvents.some(({seq}) => seq === null)) continue;
      assert.deepEqual(comparable(applyTurnEvents(before, turnEvents)), undisturbed, `replayed at ${cut}`);
    }
  });
}
