/** Stream errors: why a stream is not delivering, as a closed list. */
import {refusalSentences, type RefusalCode} from './refusal.js';

/** Why a stream waits, ended without a terminal, is held back, or is lost. */
export type StreamErrorCode =
  | RefusalCode
  | 'connection-failed'
  | 'cut-short'
  | 'stalled'
  | 'offline'
  | 'buffered'
  | 'not-a-stream'
  | 'frame-too-large'
  | 'handler-failed'
  | 'not-resumable'
  | 'no-terminal'
  | 'gave-up';

/** What is known beside the code. */
export interface StreamErrorDetails {
  /** The HTTP status, when there was an answer. */
  readonly status?: number;
  /** How long the server asks us to stay away, in ms. */
  readonly retryAfter?: number;
  /** What a 409 says is in the way, such as `active_stream_id`. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** Why a stream is not delivering: a code, a sentence that says what to do, the status and the cause if there are any. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  readonly status: number | null;
  readonly retryAfter: number;
  readonly body: unknown;

  constructor(
    readonly code: StreamErrorCode,
    {status, retryAfter, body, cause}: StreamErrorDetails = {},
  ) {
    super(sentences[code], {cause});
    this.status = status ?? null;
    this.retryAfter = retryAfter ?? 0;
    this.body = body;
  }

  /** True when asking again, unchanged, may help. */
  get transient(): boolean {
    return transient.has(this.code);
  }
}

const transient: ReadonlySet<StreamErrorCode> = new Set([
  'server-error',
  'connection-failed',
  'cut-short',
  'stalled',
  'offline',
] as const);

const sentences: Readonly<Record<StreamErrorCode, string>> = {
  ...refusalSentences,
  'connection-failed': 'The server could not be reached. Check the network; it is tried again.',
  'cut-short': 'The connection broke before the end. It is resumed where it broke.',
  stalled: 'Nothing was heard from the server for too long. It is asked again.',
  offline: 'This device is offline. The connection is resumed when the network is back.',
  buffered:
    'Something between here and the server holds the stream back. Turn buffering off for this address.',
  'not-a-stream': 'The server sent no event stream. Check the address; a sign-in page may be in the way.',
  'frame-too-large': 'The server sent a frame over the size limit. Load the history instead.',
  'handler-failed': 'The page failed on what the stream brought. See the cause, then reconnect.',
  'not-resumable':
    'The connection broke, and frames without ids cannot be resumed. Load the history instead.',
  'no-terminal': 'The stream ended without saying how the turn ended. Load the history instead.',
  'gave-up': 'The server could not be reached in many attempts. Check the network, then reconnect.',
};
