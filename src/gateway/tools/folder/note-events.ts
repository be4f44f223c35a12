/** The changes of a folder as SSE: one frame a change, heartbeats, and an end for every stream. */
import type {Clock} from '../../clock.js';
import type {NoteEvent, NoteWatch} from './note-watch.js';

const HEARTBEAT_MS = 15_000;
// A reader this many frames behind is gone or asleep; it asks for the list again when it comes back.
const MAX_WAITING = 1_000;

/** Opens streams and ends them all. */
export class NoteEventStreams {
  readonly #watch: NoteWatch;
  readonly #clock: Clock;
  readonly #ends = new Set<() => void>();

  constructor(watch: NoteWatch, clock: Clock) {
    this.#watch = watch;
    this.#clock = clock;
  }

  get size(): number {
    return this.#ends.size;
  }

  /** A stream whose first line comes when changes from then on are told. */
  open(): Response {
    let release = () => {};
    const body = new ReadableStream<string>({
      start: (controller) => {
        release = this.#start(controller);
      },
      cancel: () => release(),
    });
    return new Response(body.pipeThrough(new TextEncoderStream()), {
      headers: {'content-type': 'text/event-stream', 'cache-control': 'no-store'},
    });
  }

  stop(): void {
    for (const end of [...this.#ends]) end();
  }

  #start(controller: ReadableStreamDefaultController<string>): () => void {
    const tell = (events: readonly NoteEvent[]) => {
      for (const event of events) send(`data: ${JSON.stringify(event)}\n\n`);
    };
    const beat = () => {
      send(':\n\n');
      timer = this.#clock.setTimeout(beat, HEARTBEAT_MS);
    };
    let timer = this.#clock.setTimeout(beat, HEARTBEAT_MS);
    const release = () => {
      this.#ends.delete(end);
      this.#clock.clearTimeout(timer);
      this.#watch.remove(tell);
    };
    const end = () => {
      release();
      controller.close();
    };
    const send = (text: string) => {
      if (!this.#ends.has(end)) return;
      if ((controller.desiredSize ?? 0) < -MAX_WAITING) end();
      else controller.enqueue(text);
    };
    this.#ends.add(end);
    void this.#watch.add(tell).then(() => send(': watching\n\n'));
    return release;
  }
}
