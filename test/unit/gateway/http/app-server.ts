/** The app on a real socket, with a fake service over a real journal. */
import {once} from 'node:events';
import {createServer, request as httpRequest, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {getRequestListener} from '@hono/node-server';
import {createApp, type App, type AppOptions} from '../../../../src/gateway/http/app.js';
import type {Journal} from '../../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../../src/gateway/journal/sqlite-journal.js';
import {FakeService} from './fake-service.js';

export const BASE = '/api/hermes/client';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly json: Record<string, unknown>;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export interface AppServer {
  readonly app: App;
  readonly service: FakeService;
  readonly journal: Journal;
  readonly port: number;
  readonly faults: unknown[];
  /** Asks for a path under the base, with JSON where there is a body. */
  ask(path: string, asking?: Asking): Promise<Answer>;
  /** The same, to read from: a stream. */
  open(path: string, asking?: Asking): Promise<IncomingMessage>;
  close(): Promise<void>;
}

/** `web` leaves Node's raw response out, as on other servers. */
export async function startApp(
  options: Partial<AppOptions> = {},
  {web = false}: {web?: boolean} = {},
): Promise<AppServer> {
  const journal = await openSqliteJournal({file: ':memory:'});
  const service = new FakeService(journal);
  const faults: unknown[] = [];
  const app = createApp({service, journal, onFault: (fault) => void faults.push(fault), ...options});
  const handler = (request: Request, env: object) => app.fetch(request, web ? undefined : env);
  const listener = getRequestListener(handler, {overrideGlobalObjects: false});
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const {port} = server.address() as AddressInfo;
  const open = (path: string, asking: Asking = {}) => send(port, path, asking);
  return {
    ...{app, service, journal, port, faults, open},
    async ask(path, asking) {
      const response = await open(path, asking);
      const body = await text(response);
      const isJson = response.headers['content-type']?.startsWith('application/json');
      const json = isJson ? (JSON.parse(body) as Record<string, unknown>) : {};
      return {status: response.statusCode!, headers: response.headers, body, json};
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.endStreams(0);
      await journal.close();
    },
  };
}

async function send(port: number, path: string, {method = 'GET', headers = {}, body}: Asking) {
  const request = httpRequest({
    ...{port, method, host: '127.0.0.1', path: path.startsWith('/') ? path : `${BASE}/${path}`},
    headers: {...(body !== undefined && {'content-type': 'application/json'}), ...headers},
  });
  request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
