/** Observations: the files a person names, each read and folded into one transcript. */
import {adapterFor, detectSettled, detectWire, readSettled, readStart} from '../adapters/index.js';
import {
  applySettled,
  applySnapshot,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  TRANSCRIPT_FORMAT,
  UnreadableError,
  type FoldedTranscript,
  type TurnEvent,
} from '../anchor/index.js';
import {
  AcpReader,
  readRecording,
  recordingFormat,
  RecordingError,
  type Recording,
  type RecordingFormat,
  type SourceEvent,
} from '../protocol/index.js';
import {CommandError} from './command-error.js';
import type {CommandIo} from './command-io.js';
import type {FoldOptions} from './fold-options.js';

/** The transcript that the named files lead to. */
export async function foldObservations(
  {files, settled, start, wire}: FoldOptions,
  io: CommandIo,
): Promise<FoldedTranscript> {
  let transcript = createTranscript();
  for (const path of start) transcript = begin(transcript, path, await readJson(path, io));
  for (const path of settled) transcript = settle(transcript, path, await readJson(path, io));
  const wrong: string[] = [];
  for (const path of files) {
    const {events, fault} = await readEvents(path, io);
    if (fault !== null) wrong.push(fault);
    transcript = stream(transcript, path, events, wire);
  }
  // Of several observations one may hold nothing: who has read a run to its end and asks again is sent nothing.
  const isAll = wrong.length === files.length && start.length + settled.length === 0;
  if (isAll && wrong.length > 0) throw new CommandError('failure', wrong.join(' '));
  for (const fault of wrong) io.warn(fault);
  return transcript;
}

function begin(transcript: FoldedTranscript, path: string, payload: unknown): FoldedTranscript {
  const answer = readStart(payload);
  if (answer) return beginTurn(transcript, answer);
  throw new CommandError('failure', `${path} is no answer to a start request: it names no run.`);
}

function settle(transcript: FoldedTranscript, path: string, payload: unknown): FoldedTranscript {
  switch (detectSettled(payload)) {
    case 'transcript':
      try {
        return applySnapshot(
          transcript,
          (payload as {transcript?: unknown}).transcript ?? payload,
          'history',
        );
      } catch (cause) {
        if (!(cause instanceof UnreadableError)) throw cause;
        throw new CommandError('failure', `${path}: ${cause.message}`);
      }
    case 'hermes-webui':
      return applySettled(transcript, readSettled(payload)!);
    case null:
      throw new CommandError('failure', `${path} is neither ${TRANSCRIPT_FORMAT} nor a settled session.`);
  }
}

function stream(
  transcript: FoldedTranscript,
  path: string,
  events: readonly SourceEvent[],
  wire: FoldOptions['wire'],
): FoldedTranscript {
  // Messages of ACP may be none of any run.
  if (events.length === 0) return transcript;
  const known = wire === 'auto' ? wireOf(path, events) : wire;
  const turnEvents = known === 'acp' ? runEvents(events) : events.map(adapterFor(known).normalize);
  if (
    turnEvents.every(({type}) => type === 'excluded') &&
    !events.some((event) => detectWire(event) === known)
  )
    throw new CommandError('failure', `${path}: none of its ${events.length} frames is one of ${known}.`);
  // Frames without an id belong to the run whose stream they came on; a file tells that by its other frames.
  const run = turnEvents.find((event) => event.run !== null)?.run ?? null;
  return applyTurnEvents(transcript, turnEvents, {run});
}

/** Raw ACP lines in frames, as a relay sends them; those of a file (.ndjson) are run events already. */
function runEvents(events: readonly SourceEvent[]): TurnEvent[] {
  if (events.some((event) => detectWire(event) === 'hermes-runs'))
    return events.map(adapterFor('hermes-runs').normalize);
  const reader = new AcpReader();
  return [...reader.read(events), ...reader.finish()].map(adapterFor('hermes-runs').normalize);
}

function wireOf(path: string, events: readonly SourceEvent[]) {
  for (const event of events) {
    const wire = detectWire(event);
    if (wire) return wire;
  }
  const names = [...new Set(events.map(({name}) => name ?? 'message'))].slice(0, 8).join(', ');
  throw new CommandError('failure', `${path}: no known wire has frames named ${names}. Name it with --wire.`);
}

/** The events of a file, or why there are none. What of it could not be read is said at once. */
async function readEvents(
  path: string,
  io: CommandIo,
): Promise<{readonly events: readonly SourceEvent[]; readonly fault: string | null}> {
  const {events, malformed, torn, isEmpty, holdsNothing} = await readStream(path, io);
  const skipped = malformed === 1 ? '1 line that is no event' : `${malformed} lines that are no events`;
  if (holdsNothing) {
    const what = isEmpty ? 'is empty' : `holds ${malformed > 0 ? skipped : 'no whole frame'}`;
    return {events, fault: `${nameOf(path)} is no recording of a stream: it ${what}.`};
  }
  if (malformed > 0) io.warn(`${path}: skipped ${skipped}.`);
  if (torn) io.warn(`${path}: ends inside a frame, which is left out.`);
  return {events, fault: null};
}

const nameOf = (path: string) => (path === '-' ? 'Standard input' : path);

/** A recording, and whether nothing of a stream is in it: a wrong file rather than a damaged one. */
type Read = Recording & {readonly isEmpty: boolean; readonly holdsNothing: boolean};

async function readStream(path: string, io: CommandIo): Promise<Read> {
  try {
    if (path === '-') return readInput(await io.readInput());
    // What is refused by its name is refused whether or not it can be read.
    const format = recordingFormat(path);
    return read(await readText(path, io), format);
  } catch (cause) {
    if (!(cause instanceof RecordingError)) throw cause;
    const hint = path.endsWith('.json')
      ? ' A settled session is given with --settled, a start answer with --start.'
      : '';
    throw new CommandError('failure', cause.message + hint, {cause});
  }
}

/** Standard input has no name to tell its format: rows are objects, and no line of a stream begins with a brace. */
function readInput(text: string): Read {
  const isRows = /^\uFEFF?\s*\{/.test(text);
  const isAcp =
    isRows && /^\uFEFF?\s*\{[^\n]*"jsonrpc"/.test(text) && !/^[^\n]*"(?:event|event_id)"/.test(text);
  return read(text, isAcp ? 'ndjson' : isRows ? 'jsonl' : 'sse');
}

function read(text: string, format: RecordingFormat): Read {
  const recording = readRecording(text, format);
  const isEmpty = /^\uFEFF?\s*$/.test(text);
  // Whole lines of ACP that tell of no run are read all the same.
  const isSilent = format === 'ndjson' && recording.malformed === 0 && !isEmpty;
  return {...recording, isEmpty, holdsNothing: recording.events.length === 0 && !isSilent};
}

async function readJson(path: string, io: CommandIo): Promise<unknown> {
  const text = await readText(path, io);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandError('failure', `${path} is not JSON.`, {cause});
  }
}

async function readText(path: string, io: CommandIo): Promise<string> {
  try {
    return await io.readFile(path);
  } catch (cause) {
    const {code} = cause as {code?: string};
    const reason =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : (cause as Error).message;
    throw new CommandError('failure', `${path} cannot be read: ${reason}.`, {cause});
  }
}
