/**
 * The gate: who may knock at all. A page of another origin cannot use a reader's gateway behind the reader's back, nor can
 * a name that was made to point at this machine (DNS rebinding).
 */
import {isIP} from 'node:net';
import {GatewayError} from '../gateway-error.js';

export interface GateOptions {
  /** The address the server is bound to; null when a host page's server calls us. */
  readonly boundHost?: string | null | undefined;
  /** Names under which readers may reach us, beside those of this machine; `any` where a proxy or the host checks. */
  readonly hosts?: readonly string[] | 'any' | undefined;
  /** Origins of other pages that may read and write here. */
  readonly corsOrigins?: readonly string[] | undefined;
}

/** What goes on every answer, whatever becomes of the request. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'origin',
};

export class Gate {
  readonly #hosts: ReadonlySet<string> | null;
  readonly #takesAddresses: boolean;
  readonly #origins: ReadonlySet<string>;

  constructor({boundHost = null, hosts = [], corsOrigins = []}: GateOptions) {
    this.#hosts = hosts === 'any' ? null : new Set([...hosts, boundHost ?? 'localhost'].map(nameOf));
    // Whoever asks by address was not led here by a name.
    this.#takesAddresses = boundHost !== null && wildcards.has(boundHost);
    this.#origins = new Set(corsOrigins.map(originOf));
  }

  /** The headers of an answer to this request: the safe ones, and those that let a listed page read it. */
  headers(request: Request): Record<string, string> {
    const origin = request.headers.get('origin');
    if (origin === null || !this.#origins.has(origin)) return {...safeHeaders};
    return {
      ...safeHeaders,
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'retry-after',
    };
  }

  /** Refuses a request that came by a foreign name or from a foreign page. */
  check(request: Request): void {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    if (!this.#knowsHost(nameOf(host))) {
      const message = `This gateway does not answer to the name ${quote(host)}. Whoever runs it can allow it with --allow-host.`;
      throw new GatewayError('forbidden', message);
    }
    this.#checkOrigin(request, host);
  }

  /** The headers that answer a listed page's preflight; null when the request is none. */
  preflight(request: Request): Record<string, string> | null {
    const {headers} = request;
    if (request.method !== 'OPTIONS' || !headers.has('access-control-request-method')) return null;
    const wanted = headers.get('access-control-request-headers') ?? '';
    return {
      ...this.headers(request),
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      // The origin is on a list of ours: it may send what it likes, host pages add headers of their own.
      ...(isHeaderList.test(wanted) && {'access-control-allow-headers': wanted}),
      ...(headers.get('access-control-request-private-network') === 'true' && {
        'access-control-allow-private-network': 'true',
      }),
      'access-control-max-age': '600',
      vary: 'origin, access-control-request-headers',
    };
  }

  #knowsHost(name: string): boolean {
    if (this.#hosts === null || isLoopbackName(name) || this.#hosts.has(name)) return true;
    return this.#takesAddresses && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  }

  #checkOrigin({headers}: Request, host: string): void {
    const origin = headers.get('origin');
    if (origin === null) {
      // Images, scripts and forms of other pages send no origin with a GET, but say whence they come.
      const site = headers.get('sec-fetch-site');
      if (site === null || site === 'same-origin' || site === 'none') return;
    } else if (this.#origins.has(origin) || isSameOrigin(origin, host)) return;
    const page = origin === null ? 'another page' : `a page of ${quote(origin)}`;
    const message = `This gateway does not serve ${page}. Whoever runs it can allow an origin with --cors.`;
    throw new GatewayError('forbidden', message);
  }
}

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const isHeaderList = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;

/** Whether a name or an address is this machine and nothing else. */
export function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || name === '::1' || is127(name)
  );
}

function is127(name: string): boolean {
  return isIP(name) === 4 && name.startsWith('127.');
}

/** The name of a `Host` header, without its port; empty when it is none. */
function nameOf(host: string): string {
  const bare = isIP(host) === 6 ? `[${host}]` : host;
  return URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : '';
}

// The scheme is left out: behind a proxy that speaks TLS the page is https and we are http.
function isSameOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  const ours = `${page.protocol}//${host}`;
  return page.host !== '' && URL.canParse(ours) && new URL(ours).host === page.host;
}

function originOf(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null') return origin;
  throw new GatewayError(
    'invalid-request',
    `${quote(text)} is no origin. Give scheme and host, such as https://notes.example.`,
  );
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
