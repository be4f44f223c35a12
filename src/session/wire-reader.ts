/**
 * The wire reader: source events in, turn events out, through the adapter of a wire that may have to be found first. Raw ACP
 * lines have none: they are folded to run events here, in their order, and those are read.
 */
import {adapterFor, detectWire, type Adapter} from '../adapters/index.js';
import type {TurnEvent} from '../anchor/index.js';
import type {AcpReader, SourceEvent} from '../protocol/index.js';
import {loadAcp, loadedAcp} from './load-acp.js';

/** How many frames wait for one that tells the wire. */
const PATIENCE = 50;

export class WireReader {
  #adapter: Adapter | null;
  /** True for raw ACP lines. */
  #isAcp = false;
  #acp: AcpReader | null = null;
  /** Frames that did not tell whose they are, or wait for what reads them. */
  #waiting: SourceEvent[] = [];
  #loading: Promise<void> | null = null;

  /** With `auto` the first frame that is known decides. Throws a sentence when the wire is none we know. */
  constructor(wire: string) {
    this.#adapter = wire === 'auto' ? null : this.#adapterFor(wire);
  }

  /** Names of the frames no wire is known for; empty when the wire is known. */
  get unknown(): readonly string[] {
    return this.#adapter ? [] : [...new Set(this.#waiting.map(({name}) => name ?? 'message'))];
  }

  get isAcp(): boolean {
    return this.#isAcp;
  }

  /** What reads ACP lines is on its way; null when it is here, or not needed. */
  get loading(): Promise<void> | null {
    return this.#isAcp && !this.#acp ? this.#loading : null;
  }

  /** True while the end of a run of raw lines is known and not told. */
  get isDue(): boolean {
    return this.#acp?.isDue ?? false;
  }

  read(events: readonly SourceEvent[]): TurnEvent[] {
    if (!this.#adapter) {
      const wire = detectOne(events);
      if (!wire) {
        this.#waiting = [...this.#waiting, ...events].slice(-PATIENCE);
        return [];
      }
      this.#adapter = this.#adapterFor(wire);
    }
    if (this.#waiting.length > 0) events = [...this.#waiting, ...events];
    this.#waiting = [];
    return this.#isAcp ? this.#readLines(events) : this.#normalize(events);
  }

  /** The end of a run of raw lines, if it is due. */
  finish(): TurnEvent[] {
    return this.#acp ? this.#normalize(this.#acp.finish()) : [];
  }

  #normalize(events: readonly SourceEvent[]): TurnEvent[] {
    const {normalize} = this.#adapter!;
    return events.map((event) => normalize(event));
  }

  #readLines(lines: readonly SourceEvent[]): TurnEvent[] {
    const Reader = loadedAcp();
    if (Reader) return this.#normalize((this.#acp ??= new Reader()).read(lines));
    this.#waiting = [...lines];
    this.#loading ??= loadAcp().finally(() => (this.#loading = null));
    return [];
  }

  #adapterFor(wire: string): Adapter {
    this.#isAcp = wire === 'acp';
    return adapterFor(this.#isAcp ? 'hermes-runs' : wire);
  }
}

function detectOne(events: readonly SourceEvent[]) {
  for (const event of events) {
    const wire = detectWire(event);
    if (wire) return wire;
  }
  return null;
}
