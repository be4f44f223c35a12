/** Routes: the table of what can be asked, under the base path. Each answers with a value, which goes out as JSON. */
import type {z} from 'zod';
import {GatewayError} from '../gateway-error.js';
import type {JournalScope} from '../journal/journal.js';
import type {Caller, SessionService} from '../sessions/session-service.js';
import type {ToolServer} from '../tools/tool-host.js';
import {bodies, readBody, refuseForms} from './bodies.js';
import {turnWindowOf} from './turn-window.js';

/** One request, as a route sees it. */
export interface Call {
  readonly request: Request;
  readonly caller: Caller;
  readonly service: SessionService;
  readonly tools: ToolServer | null;
  readonly bodyLimit: number;
  /** A part of the path; refused when it can be no id. */
  param(name: string): string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** 200 when not given. */
  readonly status?: 201 | 202;
  handle(call: Call): Promise<object>;
}

export interface StreamRoute {
  readonly path: string;
  scope(call: Call): JournalScope;
}

const done = {ok: true};

export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/sessions',
    handle: async ({service, caller}) => ({sessions: await service.list(caller)}),
  },
  {
    method: 'POST',
    path: '/sessions',
    status: 201,
    handle: async (call) => call.service.create(call.caller, await body(call, bodies.createSession)),
  },
  {
    method: 'GET',
    path: '/sessions/:id',
    handle: ({request, service, caller, param}) => service.get(caller, param('id'), turnWindowOf(request)),
  },
  {
    method: 'DELETE',
    path: '/sessions/:id',
    async handle({service, caller, param}) {
      await service.remove(caller, param('id'));
      return done;
    },
  },
  {
    method: 'GET',
    path: '/sessions/:id/diagnostics',
    handle: ({service, caller, param}) => service.diagnostics(caller, param('id')),
  },
  {
    method: 'POST',
    path: '/sessions/:id/mode',
    async handle(call) {
      const {mode} = await body(call, bodies.mode);
      await call.service.setMode(call.caller, call.param('id'), mode);
      return done;
    },
  },
  {
    method: 'POST',
    path: '/sessions/:id/config',
    async handle(call) {
      const {id, value} = await body(call, bodies.option);
      await call.service.setOption(call.caller, call.param('id'), id, value);
      return done;
    },
  },
  {
    method: 'POST',
    path: '/runs',
    status: 202,
    handle: async (call) => call.service.start(call.caller, await body(call, bodies.startRun)),
  },
  {
    method: 'POST',
    path: '/runs/:id/abort',
    status: 202,
    async handle({request, bodyLimit, service, caller, param}) {
      await refuseForms(request, bodyLimit);
      await service.abort(caller, param('id'));
      return done;
    },
  },
  {
    method: 'POST',
    path: '/runs/:id/steer',
    status: 202,
    async handle(call) {
      const {text} = await body(call, bodies.steer);
      await call.service.steer(call.caller, call.param('id'), text);
      return done;
    },
  },
  {
    method: 'POST',
    path: '/runs/:id/permissions/:permission',
    async handle(call) {
      const {optionId} = await body(call, bodies.answer);
      await call.service.answer(call.caller, call.param('id'), call.param('permission'), optionId);
      return done;
    },
  },
  {
    method: 'GET',
    path: '/profiles',
    handle: async ({service, caller}) => ({profiles: await service.profiles(caller)}),
  },
  {
    method: 'PUT',
    path: '/profiles/active',
    async handle(call) {
      const {profile} = await body(call, bodies.selectProfile);
      return {profiles: await call.service.selectProfile(call.caller, profile)};
    },
  },
  {
    method: 'GET',
    path: '/tools',
    handle: ({tools}) => Promise.resolve({tools: tools?.tools ?? []}),
  },
];

export const streamRoutes: readonly StreamRoute[] = [
  {path: '/events/:id', scope: ({param}) => ({run: param('id')})},
  {path: '/sessions/:id/events', scope: ({param}) => ({session: param('id')})},
];

/** Checks a part of a path: visible characters, and few. */
export function checkId(value: string | undefined): string {
  if (value !== undefined && /^[\x21-\x7e]{1,200}$/.test(value)) return value;
  throw new GatewayError('not-found', 'There is nothing of that name here. Check the address.');
}

function body<T>({request, bodyLimit}: Call, schema: z.ZodType<T>): Promise<T> {
  return readBody(request, schema, bodyLimit);
}
