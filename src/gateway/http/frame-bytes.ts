/** Frame bytes: a journal frame as it goes over the wire, encoded once for all its readers. */
import {encodeFrame, formatEventId} from '../../protocol/index.js';
import type {JournalFrame} from '../journal/journal.js';

const encoder = new TextEncoder();
const plain = new WeakMap<JournalFrame, Uint8Array>();
const named = new WeakMap<JournalFrame, Uint8Array>();

/** The bytes of a frame; with an `event:` line where a reader asked for it. */
export function frameBytes(frame: JournalFrame, isNamed: boolean): Uint8Array {
  const known = isNamed ? named : plain;
  let bytes = known.get(frame);
  if (bytes === undefined) known.set(frame, (bytes = encode(frame, isNamed)));
  return bytes;
}

function encode({run, seq, data}: JournalFrame, isNamed: boolean): Uint8Array {
  const name = isNamed ? (JSON.parse(data) as {event: string}).event : null;
  return encoder.encode(encodeFrame({id: formatEventId(run, seq), name, data}));
}

const PIECE = 64 * 1024;
type Pieces = readonly Uint8Array[];
type KnownPieces = WeakMap<readonly JournalFrame[], Pieces>;

const plainPieces: KnownPieces = new WeakMap();
const namedPieces: KnownPieces = new WeakMap();

/**
 * A batch in as few pieces as may be, none much longer than 64 KiB unless one frame is. Readers that keep up bring the same
 * array, and share what was made of it.
 */
export function batchBytes(frames: readonly JournalFrame[], isNamed: boolean): Pieces {
  const known = isNamed ? namedPieces : plainPieces;
  let pieces = known.get(frames);
  if (pieces === undefined) known.set(frames, (pieces = [...inPieces(frames, isNamed)]));
  return pieces;
}

function* inPieces(frames: readonly JournalFrame[], isNamed: boolean): Generator<Uint8Array> {
  let open: Uint8Array[] = [];
  let size = 0;
  for (const frame of frames) {
    const bytes = frameBytes(frame, isNamed);
    open.push(bytes);
    size += bytes.byteLength;
    if (size < PIECE) continue;
    yield joined(open, size);
    open = [];
    size = 0;
  }
  if (size > 0) yield joined(open, size);
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts, size);
}
