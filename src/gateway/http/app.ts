/**
 * The app: requests in, answers and streams out. A Web-standard handler, so that any server can carry it.
 *
 * `agent stdio → ACP lines → recorder → journal → **SSE frames**`
 *
 * In order: the gate (name, origin), preflight, who asks, the route's own checks, the route. All refusals are JSON and come
 * from one table.
 */
import type {ServerResponse} from 'node:http';
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response';
import {Hono, type Context} from 'hono';
import {formatEventId} from '../../protocol/index.js';
import {systemClock, type Clock} from '../clock.js';
import {GatewayError} from '../gateway-error.js';
import type {Journal, JournalScope} from '../journal/journal.js';
import type {Caller, SessionService} from '../sessions/session-service.js';
import type {ToolServer} from '../tools/tool-host.js';
import {authorizationOf, callerOf, type Authorize} from './authorization.js';
import {cursorOf} from './cursor.js';
import {Gate, type GateOptions} from './gate.js';
import {OpenStream, type StreamLimits} from './open-stream.js';
import {refusalOf} from './refusals.js';
import {checkId, routes, streamRoutes, type Call, type Route, type StreamRoute} from './routes.js';
import {nodeSink, webSink} from './sink.js';
import {Streams, type ConnectionLimits} from './streams.js';

export interface HttpLimits extends StreamLimits, ConnectionLimits {
  /** The longest body, in bytes. */
  readonly body: number;
}

export const defaultHttpLimits: HttpLimits = {
  body: 1024 * 1024,
  perSubject: 2000,
  total: 4000,
  heartbeatMs: 15_000,
  stallMs: 30_000,
  retryMs: 2000,
};

export const defaultBasePath = '/api/hermes/client';

export interface AppOptions extends GateOptions {
  readonly service: SessionService;
  readonly journal: Journal;
  readonly tools?: ToolServer | null | undefined;
  /** `/api/hermes/client` when not given. */
  readonly basePath?: string | undefined;
  /** What readers must send as bearer token. */
  readonly token?: string | null | undefined;
  /** The host's own answer to who asks; goes before the token. */
  readonly authorize?: Authorize | null | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  readonly clock?: Clock | undefined;
  /** Hears what went wrong on our side. */
  onFault(fault: unknown): void;
}

export interface App {
  /** `env` is what `@hono/node-server` gives: streams then write to the raw response. */
  fetch(request: Request, env?: object): Promise<Response>;
  readonly openStreams: number;
  /** Refuses whatever would begin something new. */
  refuseNew(): void;
  /** Ends the open streams after what the journal holds; those that take longer than `ms` are cut. */
  endStreams(ms: number): Promise<void>;
}

/** What every route finds beside the request. */
interface Environment {
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string>>;
  readonly response: ServerResponse | null;
}

type RouteContext = Context<{Bindings: Environment}>;

export function createApp(options: AppOptions): App {
  return new HttpApp(options);
}

class HttpApp implements App {
  readonly #options: AppOptions;
  readonly #limits: HttpLimits;
  readonly #basePath: string;
  readonly #clock: Clock;
  readonly #gate: Gate;
  readonly #authorize: Authorize;
  readonly #streams: Streams;
  readonly #router: Hono<{Bindings: Environment}>;
  #isStopping = false;

  constructor(options: AppOptions) {
    this.#options = options;
    this.#limits = {...defaultHttpLimits, ...options.limits};
    this.#basePath = options.basePath ?? defaultBasePath;
    this.#clock = options.clock ?? systemClock;
    this.#gate = new Gate(options);
    this.#authorize = authorizationOf(options.token ?? null, options.authorize ?? null);
    this.#streams = new Streams(this.#limits);
    this.#router = this.#createRouter();
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  async fetch(request: Request, env?: object): Promise<Response> {
    const headers = this.#gate.headers(request);
    try {
      this.#gate.check(request);
      const preflight = this.#gate.preflight(request);
      if (preflight) return new Response(null, {status: 204, headers: preflight});
      if (this.#isLivenessCheck(request)) return await this.#live(request, headers);
      const caller = await callerOf(request, this.#authorize);
      return await this.#router.fetch(request, {caller, headers, response: rawResponseOf(env)});
    } catch (thrown) {
      return this.#refuse(thrown, headers);
    }
  }

  refuseNew(): void {
    this.#isStopping = true;
  }

  async endStreams(ms: number): Promise<void> {
    const patience = this.#clock.setTimeout(() => this.#streams.cut(), ms);
    await this.#streams.end();
    this.#clock.clearTimeout(patience);
  }

  #createRouter(): Hono<{Bindings: Environment}> {
    const router = new Hono<{Bindings: Environment}>({strict: false}).basePath(this.#basePath);
    const methods = new Map<string, string[]>();
    const add = (method: string, path: string, handler: (context: RouteContext) => Promise<Response>) => {
      router.on(method, path, handler);
      methods.set(path, [...(methods.get(path) ?? []), method]);
    };
    for (const route of routes) add(route.method, route.path, (context) => this.#answer(route, context));
    for (const route of streamRoutes) add('GET', route.path, (context) => this.#stream(route, context));
    for (const [path, known] of methods) router.all(path, (context) => refuseMethod(context, known));
    router.notFound((context) => this.#refuse(unknownPath(), context.env.headers));
    router.onError((thrown, context) => this.#refuse(thrown, context.env.headers));
    return router;
  }

  async #answer(route: Route, context: RouteContext): Promise<Response> {
    if (this.#isStopping && route.method !== 'GET') throw stopping();
    const value = await route.handle(this.#call(context));
    return json(value, route.status ?? 200, context.env.headers);
  }

  async #stream(route: StreamRoute, context: RouteContext): Promise<Response> {
    if (this.#isStopping) throw stopping();
    const {caller, headers, response} = context.env;
    const {service, journal} = this.#options;
    const request = context.req.raw;
    const asked = route.scope(this.#call(context));
    const cursor = cursorOf(request, asked);
    const scope = await service.readable(caller, asked);
    if (await this.#isOver(scope, cursor)) return new Response(null, {status: 204, headers});
    const streamHeaders = {...headers, ...sseHeaders};
    if (request.method === 'HEAD') return new Response(null, {headers: streamHeaders});
    this.#streams.checkRoom(caller.subject);
    const named = new URL(request.url).searchParams.get('named') === '1';
    const stream = new OpenStream({
      journal,
      scope,
      cursor,
      named,
      clock: this.#clock,
      limits: this.#limits,
    });
    const open = (sink: Parameters<OpenStream['run']>[0]) => {
      const run = stream.run(sink).catch(this.#options.onFault).finally(service.reads(scope));
      this.#streams.add(stream, caller.subject, run);
    };
    if (request.signal.aborted || response?.destroyed) stream.gone();
    if (response) {
      response.writeHead(200, streamHeaders);
      response.flushHeaders();
      open(nodeSink(response, stream.gone));
      return RESPONSE_ALREADY_SENT;
    }
    const {sink, body} = webSink(stream.gone);
    request.signal.addEventListener('abort', stream.gone, {once: true});
    open(sink);
    return new Response(body, {headers: streamHeaders});
  }

  /** A run of which the reader has everything: 204 is how an `EventSource` is told to come no more. */
  async #isOver(scope: JournalScope, cursor: string | null): Promise<boolean> {
    if (cursor === null || !('run' in scope)) return false;
    const run = await this.#options.journal.run(scope.run);
    return run !== null && run.ended && cursor === formatEventId(run.id, run.lastSeq);
  }

  #call(context: RouteContext): Call {
    const {service, tools} = this.#options;
    return {
      request: context.req.raw,
      caller: context.env.caller,
      service,
      tools: tools ?? null,
      bodyLimit: this.#limits.body,
      param: (name) => checkId(context.req.param(name)),
    };
  }

  #isLivenessCheck({method, url}: Request): boolean {
    return (method === 'GET' || method === 'HEAD') && new URL(url).pathname === `${this.#basePath}/health`;
  }

  // A load balancer has no token: it learns that we live, and only a caller learns what runs.
  async #live(request: Request, headers: Readonly<Record<string, string>>): Promise<Response> {
    const caller = await this.#authorize(request);
    const status = this.#isStopping ? 'stopping' : 'ok';
    const details = caller ? {...(await this.#options.service.health()), streams: this.#streams.size} : {};
    return json({...details, status}, this.#isStopping ? 503 : 200, headers);
  }

  #refuse(thrown: unknown, headers: Readonly<Record<string, string>>): Response {
    const refusal = refusalOf(thrown);
    if (refusal.isFault) this.#options.onFault(thrown);
    return json(refusal.body, refusal.status, {...headers, ...refusal.headers});
  }
}

/** Proxies must neither keep nor gather what belongs to one reader, now. */
const sseHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

function json(value: object, status: number, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: {...headers, 'content-type': 'application/json; charset=utf-8'},
  });
}

function stopping(): GatewayError {
  return new GatewayError('stopping', 'The gateway is stopping. Try again when it is back.');
}

function unknownPath(): GatewayError {
  return new GatewayError('not-found', 'There is nothing at this address. Check it, and the base path.');
}

function refuseMethod({req}: RouteContext, known: readonly string[]): never {
  const message = `${req.method} is not possible here; ${known.join(' and ')} is.`;
  throw new GatewayError('method-not-allowed', message, {allow: known});
}

function rawResponseOf(env: object | undefined): ServerResponse | null {
  const {outgoing} = (env ?? {}) as {outgoing?: ServerResponse};
  return outgoing && typeof outgoing.writeHead === 'function' ? outgoing : null;
}
