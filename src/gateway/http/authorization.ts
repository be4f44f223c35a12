/** Authorization: who asks, told by a bearer token or by the host's own hook. */
import {createHash, timingSafeEqual} from 'node:crypto';
import {GatewayError} from '../gateway-error.js';
import type {Caller} from '../sessions/session-service.js';

/** The host's own answer to who asks; null refuses. */
export type Authorize = (request: Request) => Promise<Caller | null> | Caller | null;

/** Everyone, where there is one reader: the person at this machine, or whoever has the token. */
const local: Caller = {subject: 'local'};

/** What decides: the hook, else the token, else nothing, which is right on loopback alone. */
export function authorizationOf(token: string | null, hook: Authorize | null): Authorize {
  if (hook) return hook;
  if (token === null) return () => local;
  const expected = digest(token);
  // Digests have one length, so the time taken tells nothing of the token, not even its length.
  return ({headers}) => (timingSafeEqual(digest(bearerOf(headers)), expected) ? local : null);
}

/** The caller of a request; refuses it when there is none. */
export async function callerOf(request: Request, authorize: Authorize): Promise<Caller> {
  const caller = await authorize(request);
  if (caller) return caller;
  const message = request.headers.has('authorization')
    ? 'This token is not valid here. Check it, or sign in again.'
    : 'This gateway wants a token. Send it as "authorization: Bearer …", or sign in again.';
  throw new GatewayError('unauthorized', message);
}

function bearerOf(headers: Headers): string {
  return /^bearer +(.*)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
