/** The runtimes of a gateway: which there are, and which one new sessions get. */
import {requestJson} from '../transport/index.js';
import {baseRoutes} from './server-routes.js';
import type {SessionSource} from './source.js';

/** A runtime as the gateway shows it. */
export interface Runtime {
  readonly name: string;
  readonly runtimeType: string;
  /** True for the one that new sessions get. */
  readonly active: boolean;
  readonly available: boolean;
  /** Why it is not available, and what to do. */
  readonly reason: string | null;
}

/** All runtimes, or, with a name, all of them after that one was chosen. Rejects with a sentence. */
export async function runtimesOf(source: SessionSource, choose?: string): Promise<readonly Runtime[]> {
  const {base = '', headers, credentials, fetch} = source;
  const {profiles: all, activeProfile} = baseRoutes(base);
  const options = {headers, credentials, fetch};
  const answer = await (choose === undefined
    ? requestJson(all, options)
    : requestJson(activeProfile, {...options, method: 'PUT', body: {profile: choose}}));
  const {profiles} = (answer ?? {}) as {profiles?: readonly Runtime[]};
  return Array.isArray(profiles) ? (profiles as readonly Runtime[]).filter(isRuntime) : [];
}

function isRuntime(value: Runtime | null): boolean {
  return typeof value?.name === 'string';
}
