/** A server as a table of paths, in one process: what was asked is kept, streams are written by hand. */
import {encodeFrame} from '../../../src/protocol/index.js';
import {loadModel, Session, type SessionOptions, type SessionSource} from '../../../src/session/index.js';
import {loadServer} from '../../../src/session/load-server.js';
import {ManualClock, settled} from '../transport/manual-clock.js';
import {HandBody, stream} from '../transport/scripted-fetch.js';

// Loaded first, so that what a session does at once can be asked at once; `load-model.test.ts` does without.
await Promise.all([loadModel(), loadServer()]);

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly method: string;
  readonly body: unknown;
  readonly headers: Headers;
  readonly signal: AbortSignal | null;
}

export type Handler = (asked: Asked) => Response | Promise<Response>;

export const json = (value: unknown, status = 200): Response => Response.json(value, {status});
export const frame = (name: string | null, data: object, id: string | null = null) =>
  encodeFrame({id, name, data});

export class FakeServer {
  readonly asked: Asked[] = [];
  /** Open streams by path, newest last. */
  readonly bodies: {readonly path: string; readonly body: HandBody}[] = [];
  readonly #handlers = new Map<string, Handler>();

  /** Answers a path from now on. What no handler answers is 404. */
  on(path: string, answer: Handler | Response | object): this {
    const handler: Handler =
      typeof answer === 'function'
        ? (answer as Handler)
        : () => (answer instanceof Response ? answer.clone() : json(answer));
    this.#handlers.set(path, handler);
    return this;
  }

  /** Answers a path with a stream that `write` fills. */
  streams(path: string): this {
    return this.on(path, () => {
      const body = new HandBody();
      this.bodies.push({path, body});
      return stream(body.stream);
    });
  }

  body(path: string): HandBody {
    return this.bodies.findLast((opened) => opened.path === path)!.body;
  }

  async write(path: string, ...frames: string[]): Promise<void> {
    this.body(path).write(frames.join(''));
    await settled();
  }

  /** What was asked of a path. */
  of(path: string): Asked[] {
    return this.asked.filter((asked) => asked.path === path);
  }

  get paths(): string[] {
    return this.asked.map(({path}) => path);
  }

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const [path = '', query = ''] = (input as string).split('?', 2);
    const {method = 'GET', body, signal = null} = init;
    signal?.throwIfAborted();
    const asked = {
      path,
      query: new URLSearchParams(query),
      method,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : null,
      headers: new Headers(init.headers),
      signal,
    };
    this.asked.push(asked);
    return (await this.#handlers.get(path)?.(asked)) ?? json({error: 'not found'}, 404);
  };
}

/** A session of a server, opened, with a clock that stands still. */
export async function openSession(
  server: FakeServer,
  source: SessionSource,
  options: SessionOptions = {},
): Promise<{session: Session; clock: ManualClock}> {
  const clock = new ManualClock();
  const session = new Session({clock, random: () => 0, ...options});
  session.open({fetch: server.fetch, ...source});
  await settled();
  return {session, clock};
}

/** Storage in memory. */
export class MemoryStorage {
  readonly items = new Map<string, string>();
  full = false;

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.full) throw new DOMException('full', 'QuotaExceededError');
    this.items.set(key, value);
  }

  removeItem(key: string): void {
    this.items.delete(key);
  }
}

export const answers = ({transcript}: Session) => transcript.turns.map(({answer}) => String(answer));
