/** Recordings: streams kept as files, read back into source events. Lines of ACP become the frames of their run events. */
import {readAcpLine} from './acp/line.js';
import {AcpReader} from './acp/acp-reader.js';
import {formatEventId} from './event-id.js';
import {createFrameDecoder} from './frame.js';
import type {SourceEvent} from './source-event.js';

/** How a recording is kept: `sse` the bytes of a body, `jsonl` one event a line (journal files too), `ndjson` ACP lines `{t, dir, msg}`. */
export type RecordingFormat = 'sse' | 'jsonl' | 'ndjson';

/** What a recording holds, and what of it could not be read. */
export interface Recording {
  readonly events: readonly SourceEvent[];
  /** Lines that are not an event. They are skipped, as the server skips them in its journal. */
  readonly malformed: number;
  /** True when the recording ends inside a frame; that frame is dropped. */
  readonly torn: boolean;
}

/** Why a recording cannot be read at all. */
export type RecordingErrorCode = 'unknown-format';

/** A recording that cannot be read at all. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';

  constructor(
    readonly code: RecordingErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The format a file name promises by its ending. */
export function recordingFormat(fileName: string): RecordingFormat {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  if (Object.hasOwn(readers, ending)) return ending as RecordingFormat;
  throw new RecordingError(
    'unknown-format',
    `${fileName}: name the file .sse (a stream's bytes), .jsonl (one {id, event, data} a line) or .ndjson (ACP lines).`,
  );
}

/** The source events of a recording's text. */
export function readRecording(text: string, format: RecordingFormat): Recording {
  return readers[format](text);
}

const readers = {
  sse: readFrames,
  jsonl: (text) => readLines(text, readRow),
  ndjson: readAcp,
} satisfies Record<RecordingFormat, (text: string) => Recording>;

/** The run events of recorded ACP lines: as a gateway would have told them, whose grace windows all end. */
function readAcp(text: string): Recording {
  const {events: lines, malformed} = readLines(text, readAcpRow);
  const reader = new AcpReader();
  return {events: [...reader.read(lines), ...reader.finish()], malformed, torn: false};
}

function readAcpRow(line: string): SourceEvent | null {
  const data = parseObject(line);
  return data && readAcpLine(data) && {id: null, name: null, data};
}

function readFrames(text: string): Recording {
  const events: SourceEvent[] = [];
  const decoder = createFrameDecoder({onEvent: (event) => events.push(event), maxFrameLength: Infinity});
  decoder.push(text);
  return {events, torn: decoder.end(), malformed: 0};
}

function readLines(text: string, read: (line: string) => SourceEvent | null): Recording {
  // Lines end at LF only: U+2028 stands raw inside the strings of these files. JSON.parse takes a CR for a space.
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const rows = lines.map(read);
  const events = rows.filter((event) => event !== null);
  return {events, malformed: rows.length - events.length, torn: false};
}

/** One line: `{id, event, data}`, or a journal row with `event_id`, `event` or `type`, and `payload`. */
function readRow(line: string): SourceEvent | null {
  const row = parseObject(line);
  if (row === null) return null;
  const data = 'data' in row ? row['data'] : row['payload'];
  if (data === undefined) return null;
  return {
    id: rowId(row),
    name: textOrNull(row['event'] ?? row['type']),
    data:
      typeof data === 'string' || (typeof data === 'object' && data !== null) ? data : JSON.stringify(data),
  };
}

function rowId(row: Row): string | null {
  const id = textOrNull(row['id'] ?? row['event_id']);
  if (id !== null) return id;
  const {run_id: run, seq} = row;
  return typeof run === 'string' && typeof seq === 'number' ? formatEventId(run, seq) : null;
}

type Row = Readonly<Record<string, unknown>>;

function parseObject(line: string): Row | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
  } catch {
    return null;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
