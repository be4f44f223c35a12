/** A stream under the test's hand: `element.fetch = feed.fetch`, then `await feed.send(…)` one network chunk at a time. */
import {encodeFrame} from '../../../src/protocol/index.js';

export interface Feed {
  readonly fetch: typeof globalThis.fetch;
  /** How often something was asked for. */
  readonly asked: readonly string[];
  /** Whether the newest request was given up. */
  readonly aborted: boolean;
  /** One chunk with these frames of Hermes WebUI, numbered in order; resolves when it has been read. */
  send(...frames: readonly (readonly [name: string, data: object])[]): Promise<void>;
  end(): Promise<void>;
}

export function createFeed(run = 'run_1'): Feed {
  const asked: string[] = [];
  let body: ReadableStreamDefaultController<Uint8Array> | null = null;
  let signal: AbortSignal | null | undefined;
  let seq = 0;
  const opened: (() => void)[] = [];
  const encoder = new TextEncoder();
  const ready = () => (body ? Promise.resolve() : new Promise<void>((resolve) => opened.push(resolve)));
  return {
    asked,
    get aborted() {
      return signal?.aborted ?? false;
    },
    fetch(input, init) {
      asked.push(input as string);
      signal = init?.signal;
      const stream = new ReadableStream<Uint8Array>({start: (controller) => void (body = controller)});
      for (const resolve of opened.splice(0)) resolve();
      return Promise.resolve(new Response(stream, {headers: {'content-type': 'text/event-stream'}}));
    },
    async send(...frames) {
      await ready();
      const text = frames.map(([name, data]) => encodeFrame({id: `${run}:${++seq}`, name, data})).join('');
      body?.enqueue(encoder.encode(text));
      await settled();
    },
    async end() {
      await ready();
      body?.close();
      await settled();
    },
  };
}

/** After everything that is on its way has been read, folded and drawn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
}

export const token = (text: string) => ['token', {text}] as const;
export const reasoning = (text: string) => ['reasoning', {text}] as const;
export const tool = (tid: string, name: string, args: object) =>
  ['tool', {event_type: 'tool.started', name, tid, args, preview: ''}] as const;
export const toolEnd = (tid: string, name: string, preview: string, more: object = {}) =>
  [
    'tool_complete',
    {event_type: 'tool.completed', name, tid, preview, duration: 0.5, is_error: false, ...more},
  ] as const;
export const done = ['done', {session: null}] as const;
