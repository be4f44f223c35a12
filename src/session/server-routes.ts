/** Addresses of the two servers beyond streams and history. */
import {rootOf} from './source.js';

/** Addresses of Hermes WebUI (reference/hermes-webui.md 1.2). */
export function webuiRoutes(root: string, sessionId: string) {
  const session = `session_id=${encodeURIComponent(sessionId)}`;
  const run = (id: string) => `stream_id=${encodeURIComponent(id)}`;
  return {
    start: `${root}/api/chat/start`,
    steer: `${root}/api/chat/steer`,
    /** A GET, though it acts. */
    cancel: (id: string) => `${root}/api/chat/cancel?${run(id)}`,
    runStatus: (id: string) => `${root}/api/chat/stream/status?${run(id)}`,
    sessionStatus: `${root}/api/session/status?${session}`,
    /** What the server starts by itself, from now on. */
    watch: (knownCount: number | null) =>
      `${root}/api/session/stream?${session}${knownCount === null ? '' : `&known_count=${knownCount}`}`,
    pending: [`${root}/api/approval/pending?${session}`, `${root}/api/clarify/pending?${session}`],
    approval: `${root}/api/approval/respond`,
    clarify: `${root}/api/clarify/respond`,
  };
}

/** Addresses of our gateway that need no session: where sessions are made, and its runtimes. */
export function baseRoutes(base: string) {
  const root = rootOf(base);
  return {
    create: `${root}/sessions`,
    profiles: `${root}/profiles`,
    activeProfile: `${root}/profiles/active`,
  };
}

/** Addresses of our gateway (design.md section 5). */
export function gatewayRoutes(root: string, sessionId: string) {
  const session = `${root}/sessions/${encodeURIComponent(sessionId)}`;
  const run = (id: string) => `${root}/runs/${encodeURIComponent(id)}`;
  return {
    /** What is going on in it, without its turns. */
    state: `${session}?turn_limit=0`,
    /** All runs of the session in one order. */
    events: `${session}/events`,
    start: `${root}/runs`,
    abort: (id: string) => `${run(id)}/abort`,
    steer: (id: string) => `${run(id)}/steer`,
    set: (route: 'mode' | 'config') => `${session}/${route}`,
    permission: (id: string, permission: string) =>
      `${run(id)}/permissions/${encodeURIComponent(permission)}`,
  };
}
