/** Sources: where a session comes from, and the addresses that follow from it. */
import type {RunStart} from '../anchor/index.js';
import type {HeadersSource} from '../transport/index.js';

/** Where a session comes from. What is left out is not there. */
export interface SessionSource {
  /** The stream of one run. */
  readonly src?: string | undefined;
  /** The settled session. */
  readonly history?: string | undefined;
  /** The server; with `sessionId` the full form. */
  readonly base?: string | undefined;
  readonly sessionId?: string | undefined;
  /** `auto`, or the name of a wire. */
  readonly wire?: string | undefined;
  /** `none` keeps no recovery copy. */
  readonly cache?: string | undefined;
  /** How much of the history to load at first: messages of Hermes WebUI, turns of a gateway. All when not given. */
  readonly pageSize?: number | undefined;
  /** Request headers; a function is asked again on every attempt. */
  readonly headers?: HeadersSource | undefined;
  readonly credentials?: RequestCredentials | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** All that a source may say; another value of one is another source. */
export const sourceNames = [
  'src',
  'history',
  'base',
  'sessionId',
  'wire',
  'cache',
  'pageSize',
  'headers',
  'credentials',
  'fetch',
] as const satisfies readonly (keyof SessionSource)[];

/** Addresses of a source. */
export interface Routes {
  /** The wire's name, `auto` while the frames must tell. */
  readonly wire: string;
  /** The server, without a slash at its end; null when only addresses are known. */
  readonly root: string | null;
  readonly history: string | undefined;
  /** The stream of a run; without one the stream the source names, if it names one. */
  stream(run?: string | null): string | undefined;
}

const WEBUI = 'hermes-webui';

/** A server's address without the slashes at its end, so that paths can follow. */
export function rootOf(base: string): string {
  return base.replace(/\/+$/, '');
}

/** The addresses of a source: those it spells out, else those its server is known to have. */
export function routesOf({src, history, base, sessionId, wire = 'auto', pageSize}: SessionSource): Routes {
  if (base === undefined || !sessionId) return {wire, root: null, history, stream: () => src};
  const root = rootOf(base);
  const id = encodeURIComponent(sessionId);
  const webui = wire === WEBUI;
  const stream = webui ? '/api/chat/stream?stream_id=' : '/events/';
  // Whole numbers that are one: what servers take.
  const size = pageSize! | 0;
  const page = (limit: string) => (size > 0 ? limit + size : '');
  return {
    wire: wire === 'auto' ? 'hermes-runs' : wire,
    root,
    history:
      history ??
      root +
        (webui
          ? `/api/session?session_id=${id}${page('&msg_limit=')}`
          : `/sessions/${id}${page('?turn_limit=')}`),
    stream: (run) => src ?? (run ? root + stream + encodeURIComponent(run) : undefined),
  };
}

/** True when both name one session, so that one may go on where the other stood. Runs of one session have many `src`. */
export function isSameSession(a: SessionSource, b: SessionSource): boolean {
  return (['base', 'sessionId', 'history'] as const).every((name) => a[name] === b[name]);
}

/** The run a stream's address names: its `stream_id`, else the last segment of its path that is not just "events". */
export function birthOf(url: string): RunStart | null {
  const [path = '', query = ''] = url.split('#')[0]!.split('?', 2);
  const streamId = new URLSearchParams(query).get('stream_id');
  const segment = path.split('/').findLast((part) => part && !/^(?:events|stream)$/.test(part));
  const runId = streamId ?? decode(segment ?? '');
  return runId ? {runId, streamId} : null;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
