/** The wire reader: source events in, turn events out, through the adapter of a wire that may have to be found first. */
import {adapterFor, detectWire, type Adapter} from '../adapters/index.js';
import type {TurnEvent} from '../anchor/index.js';
import type {SourceEvent} from '../protocol/index.js';

/** How many frames wait for one that tells the wire. */
const PATIENCE = 50;

export class WireReader {
  #adapter: Adapter | null;
  /** Frames that did not tell whose they are. */
  #waiting: SourceEvent[] = [];

  /** With `auto` the first frame that is known decides. Throws a sentence when the wire is none we know. */
  constructor(wire: string) {
    this.#adapter = wire === 'auto' ? null : adapterFor(wire);
  }

  /** Names of the frames no wire is known for; empty when the wire is known. */
  get unknown(): readonly string[] {
    return [...new Set(this.#waiting.map(({name}) => name ?? 'message'))];
  }

  read(events: readonly SourceEvent[]): TurnEvent[] {
    if (!this.#adapter) {
      const wire = detectOne(events);
      if (!wire) {
        this.#waiting = [...this.#waiting, ...events].slice(-PATIENCE);
        return [];
      }
      this.#adapter = adapterFor(wire);
      events = [...this.#waiting, ...events];
      this.#waiting = [];
    }
    const {normalize} = this.#adapter;
    return events.map((event) => normalize(event));
  }
}

function detectOne(events: readonly SourceEvent[]) {
  for (const event of events) {
    const wire = detectWire(event);
    if (wire) return wire;
  }
  return null;
}
