/** Stops that were asked for. One is enough: the next can be asked for when it was refused, or when it changed nothing. */

/** How long a run may go on after a stop before the reader can ask again, in ms. */
export const STOP_AGAIN_MS = 5000;

export type StopPhase = 'ready' | 'pending' | 'again';

export interface AskedStop {
  readonly turn: string;
  readonly at: number;
}

export class AskedStops {
  readonly #asked = new WeakMap<object, AskedStop>();

  ask(session: object, turn: string, at: number): AskedStop {
    const asked = {turn, at};
    this.#asked.set(session, asked);
    return asked;
  }

  /** It was refused. One that was asked for since stands. */
  drop(session: object, asked: AskedStop): void {
    if (this.#asked.get(session) === asked) this.#asked.delete(session);
  }

  /** What the reader can do about the run of this turn, which goes by these ids. */
  phaseOf(session: object, turns: readonly string[], now: number): StopPhase {
    const asked = this.#asked.get(session);
    if (!asked || !turns.includes(asked.turn)) return 'ready';
    return now - asked.at < STOP_AGAIN_MS ? 'pending' : 'again';
  }

  /** When it can be asked for again; null when that is so already. */
  dueAt(session: object, turns: readonly string[], now: number): number | null {
    if (this.phaseOf(session, turns, now) !== 'pending') return null;
    return this.#asked.get(session)!.at + STOP_AGAIN_MS;
  }
}
