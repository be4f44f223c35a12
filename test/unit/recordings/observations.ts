/** The recordings of test/fixtures, read into observations, and the ways a test may deliver them. */
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {adapterFor, readSettled, readStart, type Wire} from '../../../src/adapters/index.js';
import {
  applySettled,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  toSnapshot,
  type FoldedTranscript,
  type RunStart,
  type SettledSession,
  type TurnEvent,
} from '../../../src/anchor/index.js';
import {readRecording, recordingFormat, type SourceEvent} from '../../../src/protocol/index.js';

const root = new URL('../../fixtures/', import.meta.url);

/** What a person expects of a recording; see test/fixtures/expected.json. */
export interface ExpectedTurn {
  readonly prompt: string | null;
  readonly answer: string;
  readonly terminal: string | null;
  readonly status: string;
  readonly tools: readonly {readonly callId: string | null; readonly name: string; readonly status: string}[];
  readonly artifacts: readonly {readonly path: string; readonly change: string}[];
  readonly finalMessageRef: string | null;
}

export interface Expected {
  readonly wire: Wire;
  readonly streams: readonly string[];
  readonly start: readonly string[];
  readonly settled: string | null;
  readonly embedded: boolean;
  readonly full: {readonly turns: readonly ExpectedTurn[]};
  readonly bare: {readonly turns: readonly ExpectedTurn[]};
}

export function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
}

export function readJson(path: string): unknown {
  return JSON.parse(readText(path));
}

/** Every recording's line, by name. */
export const expected = (readJson('expected.json') as {recordings: Readonly<Record<string, Expected>>})
  .recordings;

/** Everything there is to see of one recording. */
export interface Observations {
  readonly streams: readonly (readonly SourceEvent[])[];
  readonly starts: readonly RunStart[];
  readonly settled: SettledSession | null;
  readonly wire: Wire;
}

export function observe(line: Expected): Observations {
  return {
    // Lines of ACP are run events once they are read.
    wire: line.wire === 'acp' ? 'hermes-runs' : line.wire,
    streams: line.streams.map((path) => readRecording(readText(path), recordingFormat(path)).events),
    starts: line.start.map((path) => readStart(readJson(path))).filter((start) => start !== null),
    settled: line.settled === null ? null : readSettled(readJson(line.settled)),
  };
}

/** Which evidence a test uses. */
export type Form = 'bare' | 'embedded' | 'history' | 'starts' | 'full';
export const forms: readonly Form[] = ['bare', 'embedded', 'history', 'starts', 'full'];

/** Frames → turn events; without the sessions inside them where the form says so. */
export function turnEvents(events: readonly SourceEvent[], wire: Wire, form: Form): TurnEvent[] {
  const adapter = adapterFor(wire);
  const embedded = form === 'embedded' || form === 'full';
  return events.map((event) => {
    const normalized = adapter.normalize(event);
    if (embedded || !normalized.session) return normalized;
    const {session: _session, ...bare} = normalized;
    return bare;
  });
}

/** One thing a transcript is told. */
export type Observation = (transcript: FoldedTranscript) => FoldedTranscript;

export function observations(seen: Observations, form: Form): {frames: TurnEvent[][]; others: Observation[]} {
  const frames = seen.streams.map((events) => turnEvents(events, seen.wire, form));
  const others: Observation[] = [];
  if (form === 'starts' || form === 'full') {
    for (const start of seen.starts) others.push((transcript) => beginTurn(transcript, start));
  }
  const {settled} = seen;
  if (settled !== null && (form === 'history' || form === 'full')) {
    others.push((transcript) => applySettled(transcript, settled));
  }
  return {frames, others};
}

/** The plain way: starts first, then the streams as they were recorded, then history. */
export function foldRecording(line: Expected, form: Form): FoldedTranscript {
  const seen = observe(line);
  const {frames, others} = observations(seen, form);
  let transcript = createTranscript();
  const starts = form === 'starts' || form === 'full' ? seen.starts.length : 0;
  for (const other of others.slice(0, starts)) transcript = other(transcript);
  for (const events of frames) transcript = applyTurnEvents(transcript, events);
  for (const other of others.slice(starts)) transcript = other(transcript);
  return transcript;
}

/** The snapshot without what is allowed to differ: statistics. */
export function comparable(transcript: FoldedTranscript): unknown {
  const {session, turns} = toSnapshot(transcript);
  const {stats: _stats, ...rest} = session;
  return JSON.parse(
    JSON.stringify({session: rest, turns: turns.map(({stats: _turnStats, ...turn}) => turn)}),
  ) as unknown;
}
