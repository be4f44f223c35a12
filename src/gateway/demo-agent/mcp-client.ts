/** MCP over HTTP, as little of it as the demo agent needs: initialize, list the tools, call one. */
import {createParser} from 'eventsource-parser';

/** An MCP server entry of type http, as `session/new` gives it. */
export interface McpHttpEntry {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly {readonly name: string; readonly value: string}[];
}

export interface McpToolResult {
  /** The texts of the result, joined. */
  readonly text: string;
  /** The JSON that a result is, or ends with. */
  readonly structured: unknown;
  readonly isError: boolean;
}

const PROTOCOL = '2025-06-18';

export class McpClient {
  readonly #entry: McpHttpEntry;
  readonly #fetch: typeof fetch;
  #session: string | null = null;
  #lastId = 0;

  /** Connects. Rejects when the server does not answer as MCP. */
  static async connect(
    entry: McpHttpEntry,
    signal: AbortSignal,
    via: typeof fetch = fetch,
  ): Promise<McpClient> {
    const client = new McpClient(entry, via);
    const clientInfo = {name: 'demo-agent', version: '1'};
    await client.#request('initialize', {protocolVersion: PROTOCOL, capabilities: {}, clientInfo}, signal);
    await client.#post({jsonrpc: '2.0', method: 'notifications/initialized'}, signal);
    return client;
  }

  private constructor(entry: McpHttpEntry, via: typeof fetch) {
    this.#entry = entry;
    this.#fetch = via;
  }

  async tools(signal: AbortSignal): Promise<readonly string[]> {
    const {tools} = (await this.#request('tools/list', {}, signal)) as {tools: {name: string}[]};
    return tools.map(({name}) => name);
  }

  async call(name: string, args: object, signal: AbortSignal): Promise<McpToolResult> {
    const result = (await this.#request('tools/call', {name, arguments: args}, signal)) as {
      content?: {type: string; text?: string}[];
      structuredContent?: unknown;
      isError?: boolean;
    };
    const texts = (result.content ?? []).flatMap(({text}) => (text === undefined ? [] : [text]));
    const structured = result.structuredContent ?? parsed(texts.at(-1));
    return {text: texts.join('\n\n'), structured, isError: result.isError === true};
  }

  async #request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const id = ++this.#lastId;
    const response = await this.#post({jsonrpc: '2.0', id, method, params}, signal);
    const messages = messagesIn(response.headers.get('content-type') ?? '', await response.text());
    const answer = messages.find((message) => message.id === id);
    if (!answer) throw new Error(`The note tools did not answer ${method} (${response.status}).`);
    if (answer.error) throw new Error(`The note tools refused ${method}: ${answer.error.message}`);
    return answer.result;
  }

  async #post(body: object, signal: AbortSignal): Promise<Response> {
    const response = await this.#fetch(this.#entry.url, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(this.#entry.headers.map(({name, value}) => [name, value])),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL,
        ...(this.#session !== null && {'mcp-session-id': this.#session}),
      },
      body: JSON.stringify(body),
      signal,
    });
    this.#session = response.headers.get('mcp-session-id') ?? this.#session;
    return response;
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: {readonly message: string};
}

function messagesIn(contentType: string, text: string): readonly Answer[] {
  if (!contentType.startsWith('text/event-stream')) return [JSON.parse(text) as Answer];
  const messages: Answer[] = [];
  const parser = createParser({onEvent: ({data}) => messages.push(JSON.parse(data) as Answer)});
  parser.feed(text);
  return messages;
}
