/** A fetch that answers from a script, one answer a request, and remembers what was asked. */

export type Answer = (request: AskedRequest) => Response | Promise<Response>;

export interface AskedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly init: RequestInit;
}

/** A body the test writes by hand. */
export class HandBody {
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  cancelled = false;
  readonly stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      this.#controller = controller;
    },
    cancel: () => {
      this.cancelled = true;
    },
  });

  write(text: string | Uint8Array): void {
    this.#controller.enqueue(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  }

  end(): void {
    this.#controller.close();
  }

  cut(): void {
    this.#controller.error(new TypeError('network error'));
  }
}

/** A stream's answer around a body. */
export function stream(body: ReadableStream<Uint8Array> | string, init: ResponseInit = {}): Response {
  return new Response(body, {headers: {'content-type': 'text/event-stream; charset=utf-8'}, ...init});
}

/** An answer that brings these pieces, one network chunk each, and ends, or breaks. */
export function pieces(texts: readonly (string | Uint8Array)[], how: 'ends' | 'breaks' = 'ends'): Answer {
  return () => {
    const left = [...texts];
    return stream(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = left.shift();
          if (next !== undefined) {
            controller.enqueue(typeof next === 'string' ? new TextEncoder().encode(next) : next);
          } else if (how === 'ends') controller.close();
          else controller.error(new TypeError('network error'));
        },
      }),
    );
  };
}

/** An answer that is only a status. */
export function status(code: number): Answer {
  return () =>
    new Response(code === 204 ? null : '{"error":"…"}', {
      status: code,
      headers: {'content-type': 'application/json'},
    });
}

/** No answer: the network is down. */
export const down: Answer = () => {
  throw new TypeError('fetch failed');
};

export class ScriptedFetch {
  readonly asked: AskedRequest[] = [];
  readonly #answers: readonly Answer[];

  /** The last answer is given again for ever. */
  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  readonly fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const request = {url: String(input), headers: new Headers(init.headers), init};
    this.asked.push(request);
    const answer = this.#answers[Math.min(this.asked.length, this.#answers.length) - 1]!;
    return answer(request);
  };
}
