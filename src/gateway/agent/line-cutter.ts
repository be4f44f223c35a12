/** Cuts bytes into lines at 0x0A, before anything is decoded: no character is ever split (acp.md E21). */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\ufeff';

/** A line longer than the limit. Nothing after it can be trusted to begin at a line's start. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';

  constructor(readonly limit: number) {
    super(`A line is longer than ${limit} bytes.`);
  }
}

/** Pieces wait in a list and are joined once, when their line ends, so a long line costs its length (acp.md E22). */
export class LineCutter {
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(readonly limit: number) {}

  /** The lines that end in this chunk, without their ends. Throws `LineTooLong`, also before a line's end came. */
  *push(chunk: Uint8Array): Generator<string, void> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The last line, if the stream ended without its end. */
  rest(): string | null {
    return this.#length > 0 ? this.#take() : null;
  }

  /** Drops what waits. */
  clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.limit) throw new LineTooLong(this.limit);
    this.#pieces.push(piece);
  }

  #take(): string {
    const [first = new Uint8Array(), ...more] = this.#pieces;
    const line = more.length === 0 ? asBuffer(first) : Buffer.concat(this.#pieces, this.#length);
    this.clear();
    const text = line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length);
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
