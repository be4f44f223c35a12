/** A transcript whose server fails as it is told to, by a clock that the test moves on. */
import '../../../src/define.js';
import {Session, type HermesTranscript} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {inSight} from '../journeys/stage.js';

export const RUN = '2f0a6f4c9b1d4a3e8c7b2d5e6f708102';

/** The longest that is waited for a fact, in ms. */
const PATIENCE = 20_000;

/** Waits until it is so; `what` is said when it never is. */
export async function until(isSo: () => unknown, what: () => string): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!isSo()) {
    assert.ok(performance.now() < end, `never came: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The real time, which can be moved on. */
export class JumpingClock {
  #ahead = 0;
  readonly #timers = new Set<{readonly at: number; readonly run: () => void; real: number}>();

  readonly now = () => Date.now() + this.#ahead;

  readonly setTimeout = (run: () => void, ms: number) => {
    const timer = {at: this.now() + ms, run, real: 0};
    this.#arm(timer);
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimeout = (timer: unknown) => {
    const known = [...this.#timers].find((each) => each === timer);
    if (!known) return;
    clearTimeout(known.real);
    this.#timers.delete(known);
  };

  /** What is due until then runs now, in its order. */
  jump(ms: number): void {
    this.#ahead += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      clearTimeout(timer.real);
      if (!this.#timers.has(timer)) continue;
      if (timer.at > this.now()) this.#arm(timer);
      else this.#fire(timer);
    }
  }

  /** How many timers wait. */
  get size(): number {
    return this.#timers.size;
  }

  #arm(timer: {at: number; run: () => void; real: number}) {
    timer.real = window.setTimeout(() => this.#fire(timer), timer.at - this.now());
  }

  #fire(timer: {at: number; run: () => void; real: number}) {
    if (this.#timers.delete(timer)) timer.run();
  }
}

export interface StageOptions {
  readonly fault: string;
  readonly headers?: () => Record<string, string>;
  readonly history?: boolean;
  readonly random?: number;
  /** Hands bytes on in pieces of this size. */
  readonly pieces?: number;
}

let plays = 0;

/** A transcript that reads the turn with this fault. */
export class Stage {
  readonly clock = new JumpingClock();
  readonly session: Session;
  readonly element: HermesTranscript = document.createElement('hermes-transcript');
  /** How many network chunks were heard. */
  chunks = 0;
  /** How often the connection broke. */
  breaks = 0;
  /** The errors that were told, in order. */
  readonly codes: string[] = [];
  readonly #play = `${performance.timeOrigin}-${++plays}`;

  constructor({fault, headers, history, random = 0, pieces}: StageOptions) {
    this.session = new Session({clock: this.clock, random: () => random});
    let known = this.session.connection;
    this.session.subscribe(() => {
      const {connection} = this.session;
      if (connection === known) return;
      known = connection;
      if (connection.phase === 'waiting') this.breaks++;
      if (connection.error) this.codes.push(connection.error.code);
    });
    this.element.session = this.session;
    inSight(this.element);
    document.body.append(this.element);
    this.session.open({
      src: `/fault/${fault}/events/${RUN}?play=${this.#play}`,
      history: history ? `/fault/${fault}/history?play=${this.#play}` : undefined,
      headers,
      fetch: async (input, init) => this.#counted(await fetch(input, init), pieces),
    });
  }

  #counted(response: Response, pieces = Infinity): Response {
    // Some engines give a 204 a body, and none lets us make one.
    if (!response.body || response.status === 204) return response;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        this.chunks++;
        const size = Math.min(pieces, bytes.length);
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      },
    });
    const {status, headers} = response;
    return new Response(response.body.pipeThrough(count), {status, headers});
  }

  /** Tells the server something; the cursors that were asked for so far. */
  async server(what: 'go' | 'heal' | 'asked'): Promise<(string | null)[]> {
    return (await (await fetch(`/fault/${this.#play}/${what}`)).json()) as (string | null)[];
  }

  /** Until the server was asked so often. */
  async asked(count: number): Promise<void> {
    let asked = 0;
    await until(
      () => {
        void this.server('asked').then(({length}) => (asked = length));
        return asked >= count;
      },
      () => `${count} requests, but ${asked}`,
    );
  }

  /** Until this many frames were heard. */
  heard(count: number): Promise<void> {
    return until(
      () => this.session.frames.length >= count,
      () => `${count} frames, but ${this.session.frames.length} and ${this.#said}`,
    );
  }

  phase(...wanted: string[]): Promise<void> {
    return until(
      () => wanted.includes(this.session.connection.phase),
      () => `${wanted.join(' or ')}, but ${this.#said}`,
    );
  }

  /** Until the newest turn is known to be over. */
  settled(): Promise<void> {
    return until(
      () => {
        const turn = this.session.transcript.turns.at(-1);
        return turn?.status === 'settled' && (turn.evidence === 'settled' || turn.evidence === 'observed');
      },
      () => `the end of the turn, but ${this.#said}`,
    );
  }

  get #said(): string {
    const {connection, problem, transcript} = this.session;
    const turns = transcript.turns.map(({status, evidence}) => `${status}/${evidence}`);
    return `${connection.phase} ${connection.error?.code} ${problem?.code} [${turns.join()}]`;
  }

  remove(): void {
    this.session.disconnect();
    this.element.remove();
  }
}
