/**
 * Bytes → anchor, per event, against the floor: eventsource-parser and `JSON.parse` over the same bytes. Then one more
 * token and its projection in a turn of 80,000 events. Floor and model alternate in one run; ratios count.
 */
import {performance} from 'node:perf_hooks';
import {createParser} from 'eventsource-parser';
import {adapterFor} from '../../src/adapters/index.js';
import {
  applyTurnEvents,
  createTranscript,
  type FoldedTranscript,
  type TurnEvent,
} from '../../src/anchor/index.js';
import {createFrameDecoder, type SourceEvent} from '../../src/protocol/index.js';
import {project, type DisplayMode} from '../../src/scene/index.js';
import {chunksOf, longTurn, median} from './workload.js';

const rounds = 9;
const adapter = adapterFor('hermes-webui');

function floor(chunks: readonly Uint8Array[]): number {
  let seen = 0;
  const utf8 = new TextDecoder();
  const parser = createParser({
    onEvent: ({data}) => {
      if (JSON.parse(data) !== null) seen++;
    },
  });
  for (const chunk of chunks) parser.feed(utf8.decode(chunk, {stream: true}));
  return seen;
}

function ingest(chunks: readonly Uint8Array[]): FoldedTranscript {
  let transcript = createTranscript();
  let events: SourceEvent[] = [];
  const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
  const decoder = createFrameDecoder({onEvent: (event) => events.push(event)});
  for (const chunk of chunks) {
    decoder.push(utf8.decode(chunk, {stream: true}));
    const batch = events.map((event) => adapter.normalize(event));
    events = [];
    transcript = applyTurnEvents(transcript, batch);
  }
  return transcript;
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

for (const events of [5_000, 20_000, 80_000, 200_000]) {
  const chunks = chunksOf(longTurn(events));
  const warm = Math.max(2, Math.ceil(200_000 / events));
  for (let n = 0; n < warm; n++) {
    floor(chunks);
    ingest(chunks);
  }
  const floors: number[] = [];
  const models: number[] = [];
  for (let n = 0; n < rounds; n++) {
    floors.push(timed(() => floor(chunks)));
    models.push(timed(() => ingest(chunks)));
  }
  const perEvent = (ms: number) => Number(((ms * 1000) / events).toFixed(3));
  const us = perEvent(median(models));
  const floorUs = perEvent(median(floors));
  const ratio = Number((us / floorUs).toFixed(2));
  console.log(JSON.stringify({case: 'ingest', events, us_per_event: us, floor_us_per_event: floorUs, ratio}));
}

/** One more token, then the projection of the turn. */
function projectCase(events: number, mode: DisplayMode): void {
  let transcript = ingest(chunksOf(longTurn(events)));
  let scene = project(transcript.turns[0]!, mode);
  const times: number[] = [];
  for (let seq = events + 1; seq <= events + 200; seq++) {
    const base = {run: transcript.turns[0]!.id, seq, name: 'token'};
    const event: TurnEvent = {...base, type: 'text', channel: 'prose', text: 'more '};
    transcript = applyTurnEvents(transcript, [event]);
    times.push(timed(() => (scene = project(transcript.turns[0]!, mode, scene))));
  }
  console.log(JSON.stringify({case: 'project', mode, events, ms: Number(median(times).toFixed(4))}));
}

for (const mode of ['compact-worklog', 'transparent-stream', 'answer-only'] as const)
  projectCase(80_000, mode);
