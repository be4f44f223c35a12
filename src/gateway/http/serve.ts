/** Serving: a gateway on a socket of its own. A host that has a server mounts `gateway.fetch` there instead. */
import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {getRequestListener} from '@hono/node-server';
import {createGateway, type Gateway, type GatewayOptions} from '../gateway.js';
import {isLoopbackName, safeHeaders} from './gate.js';

export interface ServeOptions extends Omit<GatewayOptions, 'boundHost'> {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** The gateway cannot be served like this; the sentence says what to do. */
export class ServeError extends Error {
  override readonly name = 'ServeError';

  constructor(
    readonly code: 'unprotected' | 'port-taken' | 'not-allowed' | 'no-address',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface GatewayServer {
  /** Where it is reached. */
  readonly url: string;
  readonly gateway: Gateway;
  /** Graceful; the same promise for every caller. */
  stop(): Promise<void>;
}

/** Connections beyond the streams that are allowed: questions, and readers that are about to be refused. */
const SPARE_CONNECTIONS = 1000;

/** Opens a gateway on a socket. Rejects with a `ServeError`, a `ConfigError` or a `JournalError`. */
export async function serveGateway(options: ServeOptions): Promise<GatewayServer> {
  const {host, port, token, authorize, limits} = options;
  if (!isLoopbackName(host) && !token && !authorize) {
    const message = `Whoever reaches ${host} could run agents on this machine. Set a token in HERMES_ELEMENTS_TOKEN, or bind to 127.0.0.1.`;
    throw new ServeError('unprotected', message);
  }
  let gateway: Gateway | null = null;
  const server = createServer(
    {requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 65_000},
    listenerOf((request, env) => gateway?.fetch(request, env) ?? Promise.resolve(starting())),
  );
  server.maxConnections = (limits?.total ?? 4000) + SPARE_CONNECTIONS;
  server.on('clientError', refuseBytes);
  // The port first: a second gateway is told of the first one's port, not of its journal.
  await listen(server, host, port);
  try {
    gateway = await createGateway({...options, boundHost: host});
  } catch (cause) {
    await close(server);
    throw cause;
  }
  const opened = gateway;
  let stopped: Promise<void> | null = null;
  return {
    url: urlOf(server),
    gateway: opened,
    stop: () => (stopped ??= opened.stop().finally(() => close(server))),
  };
}

function listenerOf(fetch: (request: Request, env: object) => Promise<Response>) {
  const listener = getRequestListener(fetch, {
    // The globals belong to whoever runs us.
    overrideGlobalObjects: false,
    errorHandler: () =>
      json(400, 'The request has no usable address or host name. Check both.', 'invalid-request'),
  });
  return (...[incoming, outgoing]: Parameters<typeof listener>) => void listener(incoming, outgoing);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await once(server.listen(port, host.replace(/^\[|\]$/g, '')), 'listening');
  } catch (cause) {
    throw listenError(cause as NodeJS.ErrnoException, host, port);
  }
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (cause.code) {
    case 'EADDRINUSE': {
      const message = `Port ${port} of ${host} is taken. Stop what listens there, or choose another with --port.`;
      return new ServeError('port-taken', message, {cause});
    }
    case 'EACCES': {
      const message = `Port ${port} may not be used by this account. Choose one above 1023 with --port.`;
      return new ServeError('not-allowed', message, {cause});
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL': {
      const message = `${host} is no address of this machine. Choose one that is with --host, such as 127.0.0.1.`;
      return new ServeError('no-address', message, {cause});
    }
    default:
      return cause;
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function urlOf(server: Server): string {
  const {address, family, port} = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function starting(): Response {
  return json(503, 'The gateway is starting. Try again in a moment.', 'overloaded');
}

function json(status: number, error: string, code: string): Response {
  const headers = {...safeHeaders, 'content-type': 'application/json; charset=utf-8', 'retry-after': '1'};
  return new Response(JSON.stringify({error, code}), {status, headers});
}

// What is not HTTP never becomes a request; it is answered here, as JSON like the rest.
function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!(socket as Socket).writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? (['431 Request Header Fields Too Large', 'The headers are too long. Send less of them.'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? (['408 Request Timeout', 'The request did not come to its end in time. Send it again.'] as const)
        : (['400 Bad Request', 'This is not HTTP as it should be. Check what was sent.'] as const);
  const body = JSON.stringify({error: reason, code: 'invalid-request'});
  const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8`;
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
