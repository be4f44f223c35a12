/**
 * The note tool server: the tools of every session on one loopback port, each session with a token of its own.
 *
 * `/mcp` is MCP over HTTP for agents that have it. `/call` takes what the host takes (`{toolName, args}`) and is for the
 * stdio bridge, which serves MCP to agents that have not. Both end in the same checked calls.
 */
import {randomBytes} from 'node:crypto';
import type {Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {createAdaptorServer} from '@hono/node-server';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  readRequestBody,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import {systemClock, type Clock} from '../clock.js';
import {bridgeCommand, type BridgeCommand} from './bridge-command.js';
import {callHost, defaultToolLimits, type ToolLimits} from './host-client.js';
import {createMcpServer} from './mcp-server.js';
import {checkedCalls, type CallTool} from './note-calls.js';
import {noteTools} from './note-tools.js';
import {ToolError} from './tool-error.js';
import type {McpServerEntry, NoteTool, ToolServer} from './tool-host.js';
import {Turns} from './turns.js';

export interface NoteToolServerOptions {
  /** The host's endpoint; null where the host has no tools. See `noteToolsUrl`. */
  readonly url: string | null;
  /** Headers of our own for the host. A session's token goes as `authorization` unless they name one. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How the host is called, where it lives in this process. */
  readonly fetch?: typeof fetch;
  readonly limits?: ToolLimits;
  readonly clock?: Clock;
  readonly bridge?: BridgeCommand;
}

/** Where the host's tools are: `/api/hermes/tools/mnote/call` of the host's address, or of the path given. */
export function noteToolsUrl(webUrl: string, path = '/api/hermes/tools/mnote/call'): string {
  return new URL(path, webUrl).href;
}

/** A session's side: what its agent shows us, and what we show the host. */
interface ToolSession {
  readonly id: string;
  readonly agentToken: string;
  readonly hostToken: string;
  readonly mcp: McpHttpHandler;
  readonly call: CallTool;
  readonly ended: AbortController;
}

export class NoteToolServer implements ToolServer {
  readonly tools: readonly NoteTool[];
  readonly #url: string | null;
  readonly #options: NoteToolServerOptions;
  readonly #turns = new Turns();
  readonly #sessions = new Map<string, ToolSession>();
  readonly #byToken = new Map<string, ToolSession>();
  #listening: Promise<Server> | null = null;
  #stopped = false;

  constructor(options: NoteToolServerOptions) {
    this.#url = options.url;
    this.#options = options;
    this.tools = options.url === null ? [] : noteTools;
  }

  async open(session: string, {http}: {readonly http: boolean}): Promise<McpServerEntry | null> {
    if (this.#url === null || this.#stopped) return null;
    const {port} = (await (this.#listening ??= this.#listen())).address() as AddressInfo;
    // A session that is opened again (another process of its agent) gets another token.
    await this.close(session);
    const {agentToken} = this.#admit(session, this.#url);
    const address = `http://127.0.0.1:${port}`;
    return http ? httpEntry(address, agentToken) : this.#stdioEntry(address, agentToken);
  }

  async close(session: string): Promise<void> {
    const closing = this.#sessions.get(session);
    if (!closing) return;
    this.#sessions.delete(session);
    this.#byToken.delete(closing.agentToken);
    closing.ended.abort();
    await closing.mcp.close();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#sessions.keys()].map((session) => this.close(session)));
    const server = await this.#listening;
    if (!server?.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** The session whose calls of the host carry this token; null for any other. For a host in this process. */
  sessionOf(hostToken: string): string | null {
    return [...this.#sessions.values()].find((session) => session.hostToken === hostToken)?.id ?? null;
  }

  #admit(id: string, url: string): ToolSession {
    const ended = new AbortController();
    const hostToken = newToken();
    const options = {
      url,
      headers: {authorization: `Bearer ${hostToken}`, ...this.#options.headers},
      fetch: this.#options.fetch ?? fetch,
      limits: this.#options.limits ?? defaultToolLimits,
      clock: this.#options.clock ?? systemClock,
    };
    const call = checkedCalls(this.tools, this.#turns, ({hostName}, args, signal) => {
      const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
      return callHost({toolName: hostName, args, signal: both}, options);
    });
    const mcp = createMcpHandler(() => createMcpServer(this.tools, call), {
      maxRequestBodySize: options.limits.maxArgumentBytes,
    });
    const session = {id, agentToken: newToken(), hostToken, mcp, call, ended};
    this.#sessions.set(id, session);
    this.#byToken.set(session.agentToken, session);
    return session;
  }

  #stdioEntry(address: string, token: string): McpServerEntry {
    const {command, args} = this.#options.bridge ?? bridgeCommand();
    // In the environment, not among the arguments: those are shown to every user of the machine.
    const env = [
      {name: 'HERMES_TOOLS_URL', value: `${address}/call`},
      {name: 'HERMES_TOOLS_TOKEN', value: token},
    ];
    return {name: 'notes', command, args, env};
  }

  async #listen(): Promise<Server> {
    const server = createAdaptorServer({
      fetch: (request) => this.#answer(request),
      overrideGlobalObjects: false,
    }) as Server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', () => resolve());
    });
    // The sessions hold the process open, not this port.
    server.unref();
    return server;
  }

  async #answer(request: Request): Promise<Response> {
    const foreign =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (foreign) return foreign;
    const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    const session = this.#byToken.get(token);
    if (!session) return refusal(401, new ToolError('forbidden', 'This token is of no open session.'));
    const {pathname} = new URL(request.url);
    if (pathname === '/mcp') return session.mcp.fetch(request);
    if (pathname === '/call' && request.method === 'POST') return this.#called(session, request);
    return refusal(404, new ToolError('not-found', 'Nothing is here.'));
  }

  async #called({call}: ToolSession, request: Request): Promise<Response> {
    const limits = this.#options.limits ?? defaultToolLimits;
    const body = await readRequestBody(request, limits.maxArgumentBytes);
    if (body.tooLarge) return refusal(413, new ToolError('too-large', 'The arguments are too long.'));
    try {
      const {toolName, args} = JSON.parse(body.text) as {toolName: string; args: unknown};
      return Response.json({result: await call({name: toolName, args, signal: request.signal})});
    } catch (error) {
      if (error instanceof ToolError) return refusal(422, error);
      return refusal(400, new ToolError('invalid', 'The call is not JSON of a tool name and arguments.'));
    }
  }
}

function httpEntry(address: string, token: string): McpServerEntry {
  return {
    type: 'http',
    name: 'notes',
    url: `${address}/mcp`,
    headers: [{name: 'Authorization', value: `Bearer ${token}`}],
  };
}

function refusal(status: number, {code, message, current}: ToolError): Response {
  return Response.json({error: {code, message, ...(current && {current})}}, {status});
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
