/**
 * A mock model server on loopback, for real agents in tests: OpenAI chat completions and responses over SSE.
 *
 * The last message of the user decides. `TOOL:name {json} END` calls a tool, several of them one after the other, and
 * `$revision` in the arguments is the revision that the last tool result had; afterwards, and by default, it says a text.
 * `SLOW` says the beginning, and the rest when `release()` is called; `HTTP401` and `HTTP500` are refused; `HANG` gets no
 * answer at all; `HELLO` is a marker, too, which ends what earlier ones said.
 */
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {chatCompletions, responses, type Asked, type ModelRequest} from './dialects.js';

/** As DeepSeek counts. */
export interface MockUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_cache_hit_tokens: number;
  readonly prompt_cache_miss_tokens: number;
}

export interface MockModelOptions {
  /** What a request is said to cost; the number of requests before it is given too. */
  readonly usage?: (request: ModelRequest, before: number) => MockUsage;
  /** Between two pieces of text, in ms. */
  readonly pieceMs?: number;
}

export interface MockModel {
  /** Base URL for an OpenAI client: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Lets everything slow go on to its end, now and later. */
  release(): void;
  stop(): Promise<void>;
}

export const mockAnswer = 'Hello — this is the **mock** model. 你好 🌍';
export const mockAnswerAfterTools = 'Done: the tool result was received. ✅';

const plainUsage: MockUsage = {
  prompt_tokens: 1200,
  completion_tokens: 12,
  prompt_cache_hit_tokens: 1024,
  prompt_cache_miss_tokens: 176,
};

export async function startMockModel(options: MockModelOptions = {}): Promise<MockModel> {
  const {usage = () => plainUsage, pieceMs = 0} = options;
  const requests: ModelRequest[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const dialect = incoming.url?.endsWith('/responses') ? responses : chatCompletions;
    const request = JSON.parse(await bodyOf(incoming)) as ModelRequest;
    const before = requests.push(request) - 1;
    const asked = dialect.read(request);
    if (/\bHANG\b/.test(asked.text)) return;
    const [, status] = /\bHTTP(401|500)\b/.exec(asked.text) ?? [];
    if (status) return refuse(response, Number(status));
    response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'});
    const send = async (frames: readonly object[]) => {
      for (const frame of frames) response.write(frameOf(frame));
      if (pieceMs > 0) await new Promise((resolve) => setTimeout(resolve, pieceMs));
    };
    await send(dialect.begin());
    await send(dialect.thought('Thinking '));
    await send(dialect.thought('briefly.'));
    const call = nextCall(asked);
    const text = call ? 'Calling the tool. ' : asked.results.length > 0 ? mockAnswerAfterTools : mockAnswer;
    const [first = '', ...rest] = text.match(/\S+\s*/g) ?? [];
    await send(dialect.text(first));
    if (/\bSLOW\b/.test(asked.text)) await Promise.race([released, gone(response)]);
    for (const piece of rest) await send(dialect.text(piece));
    if (call) await send(dialect.call(`call_${before}_${asked.results.length}`, call.name, call.args));
    await send(dialect.end(call ? 'tool_calls' : 'stop', text, usage(request, before)));
    response.end(dialect.last);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    release: () => release(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The responses API names its events twice. */
function frameOf(frame: object): string {
  const event = 'type' in frame ? `event: ${String(frame.type)}\n` : '';
  return `${event}data: ${JSON.stringify(frame)}\n\n`;
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, {'content-type': 'application/json'});
  response.end(JSON.stringify({error: {message: `mock refusal ${status}`, type: 'mock'}}));
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** The call whose turn it is. */
function nextCall({text, results}: Asked): {readonly name: string; readonly args: string} | null {
  const calls = [...text.matchAll(/TOOL:(\S+) (\{.*?\}) END/gs)];
  const [, name, args] = calls[results.length] ?? [];
  if (name === undefined || args === undefined) return null;
  // Results may be JSON in JSON, whose quotes are escaped.
  const revisions = [...results.join('\n').matchAll(/"revision\\*":\s*\\*"([^"\\]+)/g)];
  return {name, args: args.replaceAll('$revision', revisions.at(-1)?.[1] ?? 'none')};
}

function gone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}
