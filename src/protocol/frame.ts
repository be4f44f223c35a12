/**
 * Frames: the one file that knows how a source event looks as server-sent-events text, both ways.
 *
 * `bytes → **SSE frames → source events** → turn events → anchor → scene → rows`
 *
 * Encode and decode are neighbours so that they are changed and tested together. Text only: whoever holds bytes decodes
 * them first (a streaming `TextDecoder` with `ignoreBOM: true`; the byte order mark is this file's business).
 */
import {createParser} from 'eventsource-parser';
import type {SourceEvent} from './source-event.js';

/** Why a frame could not be written or read. */
export type FrameErrorCode = 'frame-too-large' | 'unencodable';

/** A frame that cannot be written, or will not be read. */
export class FrameError extends Error {
  override readonly name = 'FrameError';

  constructor(
    readonly code: FrameErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The text of one frame: id, name, data, blank line. Line breaks of any kind inside the data part it into several
 * `data:` lines, which a reader joins with LF; everything else comes back as it was.
 */
export function encodeFrame({id, name, data}: SourceEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return (
    (id ? `id: ${oneLine(id)}\n` : '') +
    (name ? `event: ${oneLine(name)}\n` : '') +
    `data: ${text.replace(/\r\n?|\n/g, '\ndata: ')}\n\n`
  );
}

/** The text of a comment, which readers count as a sign of life and nothing else. */
export function encodeComment(text: string): string {
  return `: ${oneLine(text)}\n\n`;
}

// A NUL in an id makes readers ignore the id, and a frame that lost its identity is worse than an error here.
function oneLine(text: string): string {
  if (!/[\r\n\0]/.test(text)) return text;
  throw new FrameError(
    'unencodable',
    `Remove line breaks and NUL from ${JSON.stringify(text)}: it must fit one line of a frame.`,
  );
}

/** What a decoder calls, and how much it will hold. */
export interface FrameDecoderOptions {
  /** Called once a complete frame, in order. */
  onEvent(event: SourceEvent): void;
  /** Called once a comment: a heartbeat, usually. */
  onComment?(text: string): void;
  /** Called when the server asks for another reconnection delay, in ms. */
  onRetry?(ms: number): void;
  /** The longest data of one frame, in characters, before it is refused; 32 Mi when not given. */
  maxFrameLength?: number | undefined;
}

/** Reads frames from text that is cut anywhere. */
export interface FrameDecoder {
  /** Reads the next piece. Throws a `FrameError` at an oversized frame, after which this decoder is of no more use. */
  push(text: string): void;
  /** Ends the body. True when it ended inside a frame, which is then dropped, never guessed. */
  end(): boolean;
}

const DEFAULT_MAX_FRAME_LENGTH = 32 * 1024 * 1024;

// The parser's buffer also holds field names and, beside the data, one unfinished id or event line.
const OTHER_LINES = 1024;

/** A decoder for one body. Lines end at CR, LF or CRLF only; U+2028, U+2029, U+0085 and U+FEFF are text. */
export function createFrameDecoder(options: FrameDecoderOptions): FrameDecoder {
  const {onEvent, onComment, onRetry, maxFrameLength = DEFAULT_MAX_FRAME_LENGTH} = options;
  const refuse = (): never => {
    throw new FrameError(
      'frame-too-large',
      `A frame is longer than ${maxFrameLength} characters. Raise the limit, or load the settled session instead.`,
    );
  };
  const parser = createParser({
    onEvent({id, event, data}) {
      // A frame that arrives whole never stands in the parser's buffer; the limit must not depend on the cut.
      if (data.length > maxFrameLength) refuse();
      onEvent({id: id || null, name: event ?? null, data});
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') refuse();
    },
    onComment,
    onRetry,
    maxBufferSize: maxFrameLength + OTHER_LINES,
  });
  let tail = '';
  return {
    push(text) {
      parser.feed(text);
      tail = (tail + text.slice(-LONGEST_END)).slice(-LONGEST_END);
    },
    end() {
      parser.reset();
      const torn = tail !== '' && !BLANK_LINE_AT_END.test(tail);
      tail = '';
      return torn;
    },
  };
}

// A frame is over at a blank line: two line ends in a row, of which the CR and LF of one CRLF are not two.
const BLANK_LINE_AT_END = /(?:\n\n|\n\r|\r\r|\n\r\n|\r\r\n)$/;
const LONGEST_END = 3;
