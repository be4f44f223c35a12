/** Faults: what may go wrong between a server and its reader, each decided by a seed alone. */
import type {Random} from './random.js';

/** What a fault does; what is left out it does not do. */
export interface Fault {
  /** How often the connection breaks in one run. */
  readonly cuts?: number;
  /** Frames are sent again: some right away, and some that were read before a break. */
  readonly repeats?: boolean;
  /** Frames are written in pieces of any length, also inside a character. */
  readonly torn?: boolean;
  /** Cursors are ignored: every connection begins at the first frame. */
  readonly stale?: boolean;
  /** The first reader comes in the middle and is not told what was before. */
  readonly late?: boolean;
  /** How many times slower than recorded. */
  readonly stretch?: number;
}

/** The faults by name. */
export const faults = {
  none: {},
  drop: {cuts: 4},
  duplicate: {cuts: 2, repeats: true},
  torn: {torn: true},
  mixed: {cuts: 4, repeats: true, torn: true},
  stale: {cuts: 3, stale: true},
  late: {late: true},
  slow: {stretch: 6},
} satisfies Record<string, Fault>;

/** The name of a fault. */
export type FaultName = keyof typeof faults;

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name);
}

/** One break of the connection. */
export interface Cut {
  /** How much of the next frame still goes out; null for none of it. */
  readonly inside: number | null;
  /** True for a broken socket, false for a body that just ends. */
  readonly broken: boolean;
}

/** The frames before which a run's connections break, each once. The first frame always arrives, so each attempt brings something. */
export function planCuts(frames: number, count: number, random: Random): Map<number, Cut> {
  const places = Array.from({length: Math.max(0, frames - 1)}, (_, n) => n + 1);
  const cuts = new Map<number, Cut>();
  while (cuts.size < count && places.length > 0) {
    const [place] = places.splice(random.whole(0, places.length - 1), 1);
    const inside = random.next() < 0.4 ? random.next() : null;
    cuts.set(place!, {inside, broken: random.next() < 0.5});
  }
  return cuts;
}

/** Bytes in pieces of any length, none of them empty. */
export function tear(bytes: Uint8Array, random: Random): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + random.whole(1, Math.max(2, Math.ceil(bytes.length / 3)));
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}
