/** Runs that are told as the test goes along: any number of readers, each from where its cursor stands. */
import {encodeFrame, parseEventId} from '../../../src/protocol/index.js';

type Body = ReadableStreamDefaultController<Uint8Array>;

export class Flow {
  readonly #journals = new Map<string, string[]>();
  readonly #bodies = new Map<Body, string>();
  readonly #encoder = new TextEncoder();
  /** How many requests were made. */
  asked = 0;

  /** How many readers are connected. */
  get open(): number {
    return this.#bodies.size;
  }

  readonly fetch: typeof globalThis.fetch = (input, init) => {
    this.asked++;
    const run = (input as string).split('/').at(-1)!;
    const cursor = new Headers(init?.headers).get('last-event-id');
    let body!: Body;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (body = controller),
      cancel: () => void this.#bodies.delete(body),
    });
    this.#bodies.set(body, run);
    init?.signal?.addEventListener('abort', () => this.#bodies.delete(body));
    const told = this.#journal(run).slice(parseEventId(cursor ?? '')?.seq ?? 0);
    body.enqueue(this.#encoder.encode(['retry: 5\n\n', ...told].join('')));
    return Promise.resolve(new Response(stream, {headers: {'content-type': 'text/event-stream'}}));
  };

  /** Tells all readers of the run one more frame. */
  tell(run: string, [name, data]: readonly [name: string, data: object]): void {
    const journal = this.#journal(run);
    const text = encodeFrame({id: `${run}:${journal.length + 1}`, name, data});
    journal.push(text);
    for (const [body, reads] of this.#bodies) if (reads === run) body.enqueue(this.#encoder.encode(text));
  }

  /** Ends all connections, in the middle of a frame. */
  cut(): void {
    for (const body of this.#bodies.keys()) {
      body.enqueue(this.#encoder.encode('event: tok'));
      body.close();
    }
    this.#bodies.clear();
  }

  #journal(run: string): string[] {
    const journal = this.#journals.get(run) ?? [];
    this.#journals.set(run, journal);
    return journal;
  }
}
