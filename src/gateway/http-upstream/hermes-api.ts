/**
 * Hermes Agent's HTTP API, as far as runs need it (reference/hermes-agent-api.md). Each call is one request; what is
 * refused or does not come is an `UpstreamError`.
 */
import type {JsonRpcObject} from '../agent/agent.js';
import {parseObject} from '../agent/json-rpc.js';
import {redactor, type Redact} from '../agent/redact.js';
import type {Clock} from '../clock.js';
import {Countdown} from '../sessions/countdown.js';
import {objectAt, textAt} from '../sessions/loose.js';
import {createFrameDecoder} from '../../protocol/index.js';
import {upstreamRoot} from './upstream-root.js';

/** `unreachable`: no answer, or one that broke off. `conflict`: it is not, or no longer, as the request takes it to be. */
export type UpstreamErrorCode =
  'unreachable' | 'unauthorized' | 'not-found' | 'conflict' | 'busy' | 'refused' | 'failed';

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    readonly code: UpstreamErrorCode,
    /** What Hermes said, or what became of the request. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface HermesApiOptions {
  /** Its address; a path such as `/p/<profile>` belongs to it, `/v1` may. */
  readonly url: string;
  readonly key: string | null;
  readonly clock: Clock;
  /** A stream without a byte for this long is broken, in ms. Hermes says something every 30 s. */
  readonly silenceMs: number;
}

export class HermesApi {
  readonly #options: HermesApiOptions;
  readonly #base: string;
  readonly #redact: Redact;

  constructor(options: HermesApiOptions) {
    this.#options = options;
    this.#base = upstreamRoot(options.url);
    this.#redact = redactor(options.key === null ? {} : {API_SERVER_KEY: options.key});
  }

  get(path: string, signal: AbortSignal): Promise<JsonRpcObject> {
    return this.#json('GET', path, signal);
  }

  post(
    path: string,
    body: object,
    signal: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonRpcObject> {
    return this.#json('POST', path, signal, body, headers);
  }

  /** The data of each frame, in batches as they come. Ends with the stream; a stream that breaks is `unreachable`. */
  async *events(path: string, signal: AbortSignal): AsyncGenerator<readonly string[]> {
    const {clock, silenceMs} = this.#options;
    const silent = new AbortController();
    const countdown = new Countdown(clock, silenceMs, () => silent.abort());
    countdown.start();
    try {
      const response = await this.#fetch('GET', path, AbortSignal.any([signal, silent.signal]));
      if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
        await response.body?.cancel();
        throw new UpstreamError('unreachable', 'It is no stream of events.');
      }
      yield* framesOf(response.body!, () => countdown.touch());
    } catch (cause) {
      throw upstreamError(cause);
    } finally {
      countdown.stop();
    }
  }

  async #json(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonRpcObject> {
    const response = await this.#fetch(method, path, signal, body, headers);
    const text = await response.text().catch((cause: unknown) => Promise.reject(upstreamError(cause)));
    const answer = parseObject(text);
    if (answer) return answer;
    throw new UpstreamError('refused', 'It answered with something that is not JSON.');
  }

  async #fetch(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: object,
    more?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const {key} = this.#options;
    const headers = {
      ...more,
      ...(key !== null && {authorization: `Bearer ${key}`}),
      ...(body && {'content-type': 'application/json'}),
    };
    // A redirect would lead the key to somebody else.
    const init = {
      method,
      headers,
      signal,
      redirect: 'error' as const,
      ...(body && {body: JSON.stringify(body)}),
    };
    const response = await fetch(this.#base + path, init).catch((cause: unknown) =>
      Promise.reject(upstreamError(cause)),
    );
    if (response.ok) return response;
    const said = parseObject(await response.text().catch(() => ''));
    const message = said && textAt(objectAt(said, 'error'), 'message');
    throw new UpstreamError(
      codeOf(response.status),
      this.#redact(message ?? `It answered with ${response.status}.`),
    );
  }
}

function codeOf(status: number): UpstreamErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not-found';
  if (status === 409) return 'conflict';
  if (status === 429) return 'busy';
  return status >= 500 ? 'failed' : 'refused';
}

function upstreamError(cause: unknown): UpstreamError {
  return cause instanceof UpstreamError
    ? cause
    : new UpstreamError('unreachable', 'The connection to it broke, or there was none.', {cause});
}

async function* framesOf(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  const decoder = createFrameDecoder({
    onEvent: ({data}) => void batch.push(typeof data === 'string' ? data : ''),
  });
  const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    heard();
    decoder.push(utf8.decode(bytes, {stream: true}));
    if (batch.length > 0) yield batch;
    batch = [];
  }
}
