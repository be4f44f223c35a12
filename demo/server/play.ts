/** Plays: a recording as a run that goes on by the server's clock, whether or not anybody reads. */
import {faults, planCuts, type Cut, type Fault, type FaultName} from './faults.js';
import type {JournalFrame} from './journal.js';
import {randomFrom, type Random} from './random.js';
import type {Recording} from './recordings.js';
import {resumeIndex, type ResumeRequest} from './resume.js';

/** How the recorded times are taken. */
export const paces = {real: 1, fast: 0.1, instant: 0} as const;

/** The name of a pace. */
export type PaceName = keyof typeof paces;

/** What was chosen for a play. */
export interface PlayOptions {
  readonly pace: PaceName;
  readonly fault: FaultName;
  readonly seed: number;
  /** Breaks of the connection in place of the fault's own number. */
  readonly cuts?: number | undefined;
  /** The clock, in ms. */
  readonly now?: () => number;
}

/** What one connection gets. */
export interface Reading {
  /** The index of the first frame it gets. */
  readonly from: number;
  /** Chance for this connection alone, the same at every play of the seed. */
  readonly random: Random;
}

/** One run, from its first request on. */
export class Play {
  readonly recording: Recording;
  readonly fault: Fault;
  readonly #now: () => number;
  readonly #scale: number;
  readonly #seed: number;
  readonly #cuts: Map<number, Cut>;
  readonly #begun: number;
  #connections = 0;

  constructor(recording: Recording, {pace, fault, seed, cuts, now = Date.now}: PlayOptions) {
    this.recording = recording;
    this.fault = {...faults[fault], ...(cuts !== undefined && {cuts})};
    this.#now = now;
    this.#seed = seed;
    this.#scale = paces[pace] * (this.fault.stretch ?? 1);
    this.#cuts = planCuts(this.frames.length, this.fault.cuts ?? 0, randomFrom(seed));
    this.#begun = now() - (this.fault.late ? this.#at(this.#middle) : 0);
  }

  get frames(): readonly JournalFrame[] {
    return this.recording.frames;
  }

  /** How many frames there are by now. */
  get length(): number {
    const passed = this.#now() - this.#begun;
    const next = this.frames.findIndex((_, index) => this.#at(index) > passed);
    return next < 0 ? this.frames.length : next;
  }

  /** True when the last frame is there. */
  get finished(): boolean {
    return this.length === this.frames.length;
  }

  /** How long until a frame is there, in ms; 0 when it is. */
  untilFrame(index: number): number {
    return Math.max(0, this.#begun + this.#at(index) - this.#now());
  }

  /** Begins a connection. */
  attach(request: ResumeRequest): Reading {
    const connection = this.#connections++;
    const random = randomFrom(this.#seed * 1009 + connection);
    return {from: this.#start(request, connection, random), random};
  }

  /** The break that stands before a frame; each happens once. */
  takeCut(index: number): Cut | undefined {
    const cut = this.#cuts.get(index);
    this.#cuts.delete(index);
    return cut;
  }

  #start(request: ResumeRequest, connection: number, random: Random): number {
    const {stale, late, repeats} = this.fault;
    if (stale) return 0;
    const {frames, length, recording} = this;
    const asked = resumeIndex(request, {run: recording.run, frames, length});
    if (asked === null) return late && connection === 0 ? this.#middle : 0;
    return repeats && asked < frames.length ? Math.max(0, asked - random.whole(1, 5)) : asked;
  }

  get #middle(): number {
    return Math.floor(this.frames.length / 2);
  }

  #at(index: number): number {
    return (this.frames[index]?.at ?? 0) * this.#scale;
  }
}
