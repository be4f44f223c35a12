/** Frame bytes: journal frames as they go over the wire, made once for all readers that get the same batch. */
import {encodeFrame, formatEventId} from '../../protocol/index.js';
import type {JournalFrame} from '../journal/journal.js';

/** Bytes of a stream, alone and as a chunk of HTTP/1.1, in the same memory. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** The same behind their length and before a line end, as `transfer-encoding: chunked` has it. */
  readonly chunk: Uint8Array;
}

/** Text as a piece; not empty, which would be the end of the stream. */
export function pieceOf(text: string): Piece {
  const length = Buffer.byteLength(text);
  const head = `${length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(head.length + length + 2);
  chunk.write(head, 0, 'latin1');
  chunk.write(text, head.length, 'utf8');
  chunk.write('\r\n', head.length + length, 'latin1');
  return {chunk, bytes: chunk.subarray(head.length, head.length + length)};
}

const PIECE = 64 * 1024;
type KnownPieces = WeakMap<readonly JournalFrame[], readonly Piece[]>;

const plainPieces: KnownPieces = new WeakMap();
const namedPieces: KnownPieces = new WeakMap();

/**
 * A batch in as few pieces as may be, none much longer than 64 KiB unless one frame is; with `event:` lines where a reader
 * asked for them. Readers that keep up bring the same array, and share what was made of it.
 */
export function batchPieces(frames: readonly JournalFrame[], isNamed: boolean): readonly Piece[] {
  const known = isNamed ? namedPieces : plainPieces;
  let pieces = known.get(frames);
  if (pieces === undefined) known.set(frames, (pieces = [...inPieces(frames, isNamed)]));
  return pieces;
}

// Nothing is kept beside a single frame: frames live long in the tail, and what lives long costs each collection of garbage.
function* inPieces(frames: readonly JournalFrame[], isNamed: boolean): Generator<Piece> {
  let text = '';
  for (const frame of frames) {
    text += frameText(frame, isNamed);
    if (text.length < PIECE) continue;
    yield pieceOf(text);
    text = '';
  }
  if (text !== '') yield pieceOf(text);
}

function frameText({run, seq, data}: JournalFrame, isNamed: boolean): string {
  const name = isNamed ? (JSON.parse(data) as {event: string}).event : null;
  return encodeFrame({id: formatEventId(run, seq), name, data});
}
