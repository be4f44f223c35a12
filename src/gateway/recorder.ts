/**
 * The recorder: folds what is seen on an agent's connection into run events and has them journaled, each with the message
 * it came from, before any reader sees them.
 *
 * `agent stdio → ACP lines → **recorder** → journal → SSE frames`
 */
import {step, type AcpObservation, type AcpState} from '../protocol/index.js';
import type {Fence, Journal} from './journal/journal.js';

export interface RecorderOptions {
  readonly journal: Journal;
  readonly fence: Fence;
  /** Where the fold begins; `sessionSeq` and `runs` must be the journal's. */
  readonly state: AcpState;
  /** Called once when something could not be kept. The session must end then: what follows would stand behind a hole. */
  readonly onFailure?: (error: Error) => void;
}

/** Observations waiting for the journal before whoever brings them is asked to wait. */
const ROOM = 512;

export class Recorder {
  readonly #options: RecorderOptions;
  #state: AcpState;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #failure: Error | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  /** What all observations so far have come to; the journal may be a moment behind. */
  get state(): AcpState {
    return this.#state;
  }

  /** Takes in what happened, at once and in order. A promise asks whoever brings it to wait before bringing more. */
  observe(observation: AcpObservation): void | Promise<void> {
    // Nothing may follow what was lost; the session has been told.
    if (this.#failure !== null) return;
    try {
      const [state, events] = step(this.#state, observation);
      this.#state = state;
      const at = Number.isFinite(observation.at) ? observation.at : 0;
      this.#append({events, source: sourceLine(observation), at});
    } catch (cause) {
      this.#fail(cause as Error);
    }
    if (this.#waiting > ROOM) return this.flushed().catch(() => {});
  }

  /** When all that was observed is in the journal. Rejects when it could not be kept. */
  async flushed(): Promise<void> {
    await this.#last;
    if (this.#failure !== null) throw this.#failure;
  }

  #append(entry: Parameters<Journal['append']>[1]): void {
    const {journal, fence} = this.#options;
    this.#waiting++;
    // Appends settle in the order of the calls, so the last one stands for all.
    this.#last = journal.append(fence, entry).then(this.#kept, this.#lost);
  }

  readonly #kept = (): void => void this.#waiting--;

  readonly #lost = (cause: unknown): void => {
    this.#waiting--;
    this.#fail(cause as Error);
  };

  #fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#options.onFailure?.(error);
  }
}

/** An observation as a line of a recording, which `hermes-elements fold` reads; facts of ours stand beside. */
function sourceLine(observation: AcpObservation): string {
  const {from, at: t} = observation;
  if (from === 'gateway') return JSON.stringify({t, fact: observation.fact});
  return JSON.stringify({t, dir: from === 'agent' ? 'in' : 'out', msg: observation.message});
}
