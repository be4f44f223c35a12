/** Cuts bytes into lines at 0x0A, before anything is decoded: no character is ever split (acp.md E21). */

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';

/** A line longer than the limit. Nothing after it can be trusted to begin at a line's start. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';

  constructor(readonly limit: number) {
    super(`A line is longer than ${limit} bytes.`);
  }
}

/**
 * Pieces of an open line wait in a list and are joined once, when its end comes, so a long line costs its length (acp.md
 * E22). All lines that end in one chunk are decoded at once: 0x0A is never part of another character.
 */
export class LineCutter {
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** The longest line, in bytes. */
  constructor(readonly limit: number) {}

  /** The lines that end in this chunk, without their ends. Throws `LineTooLong`, also before a line's end came. */
  push(chunk: Uint8Array): readonly string[] {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end === -1) {
      this.#keep(chunk);
      return [];
    }
    this.#checkLengths(chunk);
    const text = this.#take(chunk.subarray(0, end));
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1));
    return text.split('\n').map(withoutMarks);
  }

  /** The last line, if the stream ended without its end. */
  rest(): string | null {
    return this.#length > 0 ? withoutMarks(this.#take(new Uint8Array())) : null;
  }

  #keep(piece: Uint8Array): void {
    if (this.#length + piece.length > this.limit) throw new LineTooLong(this.limit);
    this.#length += piece.length;
    this.#pieces.push(piece);
  }

  #take(last: Uint8Array): string {
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#length = 0;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }

  /** Only where one of them could be too long: a chunk is mostly far below the limit. */
  #checkLengths(chunk: Uint8Array): void {
    if (this.#length + chunk.length <= this.limit) return;
    let start = -this.#length;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, end + 1)) {
      if (end - start > this.limit) throw new LineTooLong(this.limit);
      start = end + 1;
    }
  }
}

/** A carriage return before the end, and a byte order mark, are no part of a line. */
function withoutMarks(line: string): string {
  const start = line.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}
