/** Sinks: where the bytes of one stream go, as backpressure sees them. */
import type {ServerResponse} from 'node:http';
import type {Piece} from './frame-bytes.js';

export interface Sink {
  /** Takes a piece. False when the reader must be waited for. */
  write(piece: Piece): boolean;
  /** Resolves when there is room again, or when the reader is gone. */
  room(): Promise<void>;
  end(): void;
  /** Ends it in the middle: the reader sees a broken connection and comes again. */
  cut(): void;
}

/**
 * Writes to the raw response of Node, whose headers are out: half the cost of a web stream a frame. Chunks are made here, so
 * that one is one buffer for all readers and one write; Node would gather each of four parts, for each reader anew.
 */
export function nodeSink(response: ServerResponse, onGone: () => void): Sink {
  const waiting = new Waiting();
  const gone = () => {
    waiting.wake();
    onGone();
  };
  // False for clients of HTTP/1.0, which get the bytes alone.
  const isChunked = response.chunkedEncoding;
  response.chunkedEncoding = false;
  response.on('close', gone).on('error', gone);
  response.on('drain', () => waiting.wake());
  return {
    write: ({bytes, chunk}) => response.write(isChunked ? chunk : bytes),
    room: () => (response.destroyed || !response.writableNeedDrain ? Promise.resolve() : waiting.next()),
    end: () => void (isChunked ? response.end('0\r\n\r\n') : response.end()),
    cut: () => void response.destroy(),
  };
}

/** A web stream, for every other server. */
export function webSink(onGone: () => void): {sink: Sink; body: ReadableStream<Uint8Array>} {
  const waiting = new Waiting();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => waiting.wake(),
      cancel() {
        waiting.wake();
        onGone();
      },
    },
    {highWaterMark: HIGH_WATER, size: ({byteLength}) => byteLength},
  );
  const hasRoom = () => (controller.desiredSize ?? 0) > 0;
  const sink: Sink = {
    write({bytes}) {
      controller.enqueue(bytes);
      return hasRoom();
    },
    room: () => (hasRoom() ? Promise.resolve() : waiting.next()),
    end: () => controller.close(),
    cut() {
      controller.error(new Error('The stream was cut.'));
      waiting.wake();
      onGone();
    },
  };
  return {sink, body};
}

const HIGH_WATER = 64 * 1024;

/** One promise for the next time somebody says so. */
class Waiting {
  #next: Promise<void> | null = null;
  #resolve: () => void = () => undefined;

  next(): Promise<void> {
    return (this.#next ??= new Promise((resolve) => (this.#resolve = resolve)));
  }

  wake(): void {
    this.#next = null;
    this.#resolve();
  }
}
