/** Requests: one JSON question and its answer, for settled sessions and controls. */
import {systemClock, type Clock} from './clock.js';
import {currentHeaders, type HeadersSource} from './headers.js';
import {refusalOf, refusalSentences, type RefusalCode} from './refusal.js';

/** Why a request has no answer. */
export type RequestErrorCode = RefusalCode | 'connection-failed' | 'timed-out' | 'not-json';

/** A request without a usable answer: a code, a sentence that says what to do, and what the server sent. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly code: RequestErrorCode,
    message: string,
    /** The HTTP status; null when nothing was heard. */
    readonly status: number | null,
    /** The body, parsed if it is JSON, else its text; a 409 says here what is in the way. */
    readonly body: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How to ask. */
export interface RequestOptions {
  /** POST when there is a body, else GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
  /** What to send, as JSON. */
  readonly body?: object | undefined;
  readonly headers?: HeadersSource | undefined;
  readonly credentials?: RequestCredentials | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  /** After how long without an answer it has failed, in ms; its body may take four times as long. Never when left out. */
  readonly longestSilence?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The JSON a server answers with; null for an empty answer. Fails with a `RequestError`, or with the signal's reason. */
export async function requestJson(url: string, options: RequestOptions = {}): Promise<unknown> {
  let {response, text} = await exchange(url, options);
  // A token may have expired: headers that are made anew are worth one more question.
  if (response.status === 401 && typeof options.headers === 'function')
    ({response, text} = await exchange(url, options));
  const {status} = response;
  const body = parse(text);
  const refusal = refusalOf(status);
  if (refusal !== null) throw new RequestError(refusal, refusalSentences[refusal], status, body ?? text);
  if (body === undefined) {
    throw new RequestError(
      'not-json',
      'The server sent no JSON. Check the address; a sign-in page may be in the way.',
      status,
      text,
    );
  }
  return body;
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

async function exchange(url: string, options: RequestOptions): Promise<Answer> {
  const {signal, longestSilence, clock = systemClock} = options;
  const attempt = new AbortController();
  const abort = () => attempt.abort();
  let isLate = false;
  let timer: unknown;
  const allow = (ms: number) => {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => {
      isLate = true;
      abort();
    }, ms);
  };
  // Also where the page's own fetch, or its headers, hear of no end.
  const ended = new Promise<never>((_, reject) => attempt.signal.addEventListener('abort', reject));
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    if (longestSilence) allow(longestSilence);
    const onHead = () => longestSilence && allow(4 * longestSilence);
    return await Promise.race([answerOf(url, options, attempt.signal, onHead), ended]);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new RequestError(
      isLate ? 'timed-out' : 'connection-failed',
      `The server ${isLate ? 'did not answer in time' : 'could not be reached'}. Check the network, then retry.`,
      null,
      null,
      {cause},
    );
  } finally {
    clock.clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function answerOf(
  url: string,
  options: RequestOptions,
  signal: AbortSignal,
  onHead: () => void,
): Promise<Answer> {
  const {body, method = body ? 'POST' : 'GET', credentials} = options;
  const headers = await currentHeaders(options.headers);
  headers.set('accept', 'application/json');
  if (body) headers.set('content-type', 'application/json');
  // Called without an owner: the browser's own fetch refuses to be a method of our options.
  const ask = options.fetch ?? fetch;
  const response = await ask(url, {
    method,
    headers,
    signal,
    ...(body && {body: JSON.stringify(body)}),
    ...(credentials && {credentials}),
  });
  onHead();
  return {response, text: await response.text()};
}

/** The value of a JSON text; null when it is empty, undefined when it is not JSON. */
function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
