/** The recordings of test/fixtures, as a server would hold them: a journal a run, and the settled session. */
import {existsSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {readRecording, recordingFormat} from '../../src/protocol/index.js';
import {journalOf, runsOf, type JournalFrame, type RecordedStream} from './journal.js';

/** One recording, ready to be played. */
export interface Recording {
  readonly name: string;
  readonly title: string;
  readonly wire: string;
  /** The run of its frames; null when none has an id. */
  readonly run: string | null;
  readonly frames: readonly JournalFrame[];
  /** What the server answered when that was no stream. */
  readonly refusal: {readonly status: number; readonly body: string} | null;
  /** What it means; see test/fixtures/README.md. */
  readonly expected: ExpectedRecording;
}

/** One entry of expected.json. */
export interface ExpectedRecording {
  readonly wire: string;
  readonly streams: readonly string[];
  readonly start: readonly string[];
  readonly settled: string | null;
  readonly embedded: boolean;
  readonly full: {readonly turns: readonly ExpectedTurn[]};
  readonly bare: {readonly turns: readonly ExpectedTurn[]};
}

/** What a page compares a turn with. */
export interface ExpectedTurn {
  readonly prompt: string | null;
  readonly answer: string;
  readonly terminal: string | null;
  readonly tools: readonly {readonly callId: string | null; readonly name: string; readonly status: string}[];
}

const folder = new URL('../../test/fixtures/', import.meta.url);

/** The time between two frames where none was recorded, in ms. */
const USUAL_GAP = 40;

const expected = lazily(
  () => (JSON.parse(readText('expected.json')) as {recordings: Record<string, ExpectedRecording>}).recordings,
);

/** All that can be played over one connection, in the order of expected.json. */
export const allRecordings = lazily((): ReadonlyMap<string, Recording> => {
  const entries = Object.entries(expected()).map(([name, entry]) => load(name, entry));
  return new Map(entries.filter(isOneStream).map((recording) => [recording.name, recording]));
});

/** The recording whose frames are of a run; the first of several. */
export function recordingOfRun(run: string): Recording | undefined {
  return [...allRecordings().values()].find((recording) => recording.run === run);
}

/** The text of a file that expected.json names. */
export function readText(path: string): string {
  return readFileSync(new URL(path, folder), 'utf8');
}

function load(name: string, entry: ExpectedRecording): Recording {
  const refusal = refusalOf(entry);
  const frames = refusal ? [] : journalOf(entry.streams.map(readStream));
  return {
    name,
    title: titleOf(name),
    wire: entry.wire,
    run: runsOf(frames)[0] ?? null,
    frames,
    refusal,
    expected: entry,
  };
}

// Several runs, or a run with a side channel, are several connections; each run's stream is listed by itself. A side
// channel alone is no run.
function isOneStream({frames, refusal, expected: {streams, settled}}: Recording): boolean {
  if (frames.length === 0) return refusal !== null || streams.length > 0 || settled !== null;
  return runsOf(frames).length === 1 && frames.every(({event}) => event.id !== null);
}

function readStream(path: string): RecordedStream {
  const {events} = readRecording(readText(path), recordingFormat(path));
  const arrivals = exchangeOf(path)?.arrival_ms ?? events.map((_, n) => n * USUAL_GAP);
  return {events, arrivals};
}

function refusalOf({streams}: ExpectedRecording): Recording['refusal'] {
  const path = streams.length === 1 ? streams[0]! : '';
  const status = exchangeOf(path)?.response.status ?? 200;
  return status === 200 ? null : {status, body: readText(path)};
}

interface Exchange {
  readonly response: {readonly status: number};
  readonly arrival_ms?: readonly number[];
}

/** What was noted of the request beside a recording of the real server. */
function exchangeOf(path: string): Exchange | null {
  const notes = path.replace(/\.sse$/, '.http.json');
  if (notes === path || !existsSync(fileURLToPath(new URL(notes, folder)))) return null;
  return JSON.parse(readText(notes)) as Exchange;
}

/** `hermes-webui-real/error/rate-live` is read as "Error: rate". */
function titleOf(name: string): string {
  const [, ...path] = name.split('/');
  const parts = path.map((part) =>
    part
      .replace(/^\d+-|-?live(?=$|-\d)/g, '')
      .replace(/[-.]+/g, ' ')
      .trim(),
  );
  const words = parts.filter((part) => part !== '').join(': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lazily<T>(make: () => T): () => T {
  let made: {readonly value: T} | undefined;
  return () => (made ??= {value: make()}).value;
}
