/**
 * One run's evidence: what was seen of it, in any order, and the folds it gives.
 *
 * The part without holes is folded and its frames are dropped (checkpoint and watermark); what waits behind a hole is
 * kept and shown from a second fold over the checkpoint. In order an event costs O(1); what comes late refolds from
 * the checkpoint once a batch (law 4). Deduplication is the watermark, the kept positions and the few known borrowers.
 */
import {isActivity, RunFold} from './run-fold.js';
import {borrow, isOrderFree, learn, noFacts, type RunFacts} from './run-facts.js';
import type {RunStart} from './start.js';
import type {Stats} from './turn-anchor.js';
import type {TurnEvent} from './turn-event.js';

interface Waiting {
  readonly seq: number;
  /** 0 for the owner of the position; frames without a position follow what had been seen, 1, 2, … */
  readonly sub: number;
  readonly event: TurnEvent;
}

/** Running counts, shared by all versions of a run: statistics are not part of the value (law 8). */
export interface Counters extends Stats {
  applied: number;
  duplicate: number;
  mismatched: number;
  borrowed: number;
  excluded: Record<string, number>;
}

/** What a run remembers beside its fold, as JSON. */
export interface RunMemo {
  readonly id: string;
  readonly lastName: string | null;
  readonly facts: RunFacts;
}

export function newCounters(): Counters {
  return {
    applied: 0,
    duplicate: 0,
    mismatched: 0,
    borrowed: 0,
    excluded: Object.create(null) as Record<string, number>,
  };
}

export class RunState {
  readonly id: string;
  facts = noFacts;
  checkpoint = new RunFold();
  /** Last position of the part without holes, 0 before the first. */
  watermark = 0;
  /** Checkpoint and everything that waits behind a hole, folded. The checkpoint itself when nothing waits. */
  view = this.checkpoint;
  /** Any frame at all. */
  seen = false;
  /** A lossy picture of the run up to a position, shown until the frames from the start are here. */
  paint: {readonly fold: RunFold; readonly watermark: number} | null = null;
  /** How often what was shown was folded again from an earlier point: ids may then have shifted. */
  refolds = 0;
  readonly counters: Counters;

  #lastName: string | null = null;
  #waiting: Waiting[] = [];
  #waitingCount = 0;
  /** Came before something that waits, in this batch; in order. */
  #late: Waiting[] = [];
  /** How many waiting events the view holds. */
  #viewed = 0;

  constructor(id: string, counters = newCounters()) {
    this.id = id;
    this.counters = counters;
  }

  /** Number of events kept behind a hole. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** True if a position before the newest is missing. */
  get hole(): boolean {
    return this.#waitingCount > 0 || (this.watermark < this.facts.provenEnd - 1 && !this.#unpositioned);
  }

  get #unpositioned(): boolean {
    return this.watermark === 0 && this.view.touched;
  }

  /** Ranges of positions applied, for `applied` in the snapshot. */
  get ranges(): readonly (readonly [number, number])[] {
    const ranges: [number, number][] = this.watermark > 0 ? [[1, this.watermark]] : [];
    for (const {seq, sub} of this.#waiting.slice(0, this.#waitingCount)) {
      if (sub > 0) continue;
      const last = ranges.at(-1);
      if (last && last[1] === seq - 1) last[1] = seq;
      else ranges.push([seq, seq]);
    }
    return ranges;
  }

  /** The next state after a batch; this one when the batch brought nothing new. */
  apply(events: readonly TurnEvent[]): RunState {
    const next = this.#fork();
    return next.#run(events) ? next : this;
  }

  /** The next state with a start answer joined in. */
  withStart(start: RunStart): RunState {
    const next = this.#fork();
    next.facts = {...next.facts, start: {...next.facts.start, ...definedOnly(start)}};
    return next;
  }

  /** What is needed to go on from here, beside the fold: part of `resume` in a snapshot. */
  memo(): RunMemo {
    // In an order of their own, so that a snapshot does not tell how its frames arrived.
    const borrowers = this.facts.borrowers.toSorted();
    const links = this.facts.links.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
    return {id: this.id, lastName: this.#lastName, facts: {...this.facts, borrowers, links}};
  }

  /** The state that goes on from an exact snapshot, if that reaches further than what is folded. */
  resume(fold: RunFold, watermark: number, {lastName, facts}: RunMemo): RunState {
    if (watermark <= this.watermark) return this;
    const next = this.#fork();
    next.facts = {...facts, borrowers: [...new Set([...facts.borrowers, ...this.facts.borrowers])]};
    next.seen = true;
    next.checkpoint = fold.fork();
    next.refolds++;
    next.watermark = watermark;
    next.#lastName = lastName;
    next.#keep(next.#waiting.slice(0, next.#waitingCount).filter(({seq}) => seq > watermark));
    next.#drain();
    next.#settle(true);
    return next;
  }

  /** The state with a lossy picture under whatever waits behind a hole. */
  painted(fold: RunFold, watermark: number): RunState {
    if (watermark <= Math.max(this.watermark, this.paint?.watermark ?? 0)) return this;
    const next = this.#fork();
    next.paint = {fold, watermark};
    next.refolds++;
    next.#settle(true);
    return next;
  }

  #fork(): RunState {
    const next = new RunState(this.id, this.counters);
    Object.assign(next, this);
    next.#lastName = this.#lastName;
    next.#waiting = this.#waiting;
    next.#waitingCount = this.#waitingCount;
    next.#viewed = this.#viewed;
    return next;
  }

  /** Edits this fresh fork; true if anything but counters changed. */
  #run(events: readonly TurnEvent[]): boolean {
    const checkpoint = this.checkpoint;
    const viewBehind = this.view !== checkpoint;
    const waited = this.#waitingCount > 0;
    let owned = false;
    let changed = false;
    let late = false;
    for (const event of inOrder(events)) {
      const named = event.sessionId == null || this.facts.home !== null;
      if (event.type === 'text' && named && event.seq === this.watermark + 1 && this.#waitingCount === 0) {
        // What a long answer is made of: the next delta of a run without holes.
        if (!owned) this.checkpoint = this.checkpoint.fork();
        owned = changed = this.seen = true;
        this.counters.applied++;
        this.#fold(event);
        continue;
      }
      if (event.type === 'excluded') count(this.counters.excluded, event.name);
      if (event.seq === null) late = this.#mergeLate() || late;
      if (event.borrows || (event.seq === null && isOrderFree(event))) {
        if (!this.#borrow(event)) continue;
        changed = true;
        continue;
      }
      if (!this.#admit(event)) continue;
      changed = true;
      this.seen = true;
      if (event.type !== 'excluded') this.counters.applied++;
      this.facts = learn(this.facts, event);
      const next = event.seq === null ? this.#waitingCount === 0 : event.seq === this.watermark + 1;
      if (next) {
        if (!owned) this.checkpoint = this.checkpoint.fork();
        owned = true;
        this.#fold(event);
        if (this.#waitingCount > 0) late = true;
      } else {
        this.#wait(event);
      }
    }
    late = this.#mergeLate() || late;
    if (!changed) return false;
    if (late || (owned && waited)) this.refolds++;
    if (owned) this.#drain(); // also writes grown text back
    this.#settle(owned || late || !viewBehind);
    return true;
  }

  /** Folds an event that stands right after the watermark. */
  #fold(event: TurnEvent): void {
    if (this.checkpoint.finished && isActivity(event))
      count(this.counters.excluded, `after the end: ${event.name}`);
    this.checkpoint.apply(event, false);
    if (event.seq === null) return;
    this.watermark = event.seq;
    this.#lastName = event.name;
  }

  /** Folds what no longer waits. */
  #drain(): void {
    let taken = 0;
    for (; taken < this.#waitingCount; taken++) {
      const {seq, sub, event} = this.#waiting[taken]!;
      if (sub === 0 ? seq !== this.watermark + 1 : seq > this.watermark) break;
      this.checkpoint.apply(event, false);
      if (sub > 0) continue;
      this.watermark = seq;
      this.#lastName = event.name;
    }
    this.checkpoint.seal();
    if (taken > 0) this.#keep(this.#waiting.slice(taken, this.#waitingCount));
  }

  /** Brings the view up to date: forward when only the end grew, else again from its base. */
  #settle(again: boolean): void {
    const painted = this.paint !== null && this.paint.watermark > this.watermark;
    const base = painted ? this.paint!.fold : this.checkpoint;
    if (this.#waitingCount === 0) {
      this.view = base;
      this.#viewed = 0;
      return;
    }
    const floor = painted ? this.paint!.watermark : this.watermark;
    const from = again ? 0 : this.#viewed;
    const fold = (again ? base : this.view).fork();
    let end = from === 0 ? floor : this.#waiting[from - 1]!.seq;
    for (let index = from; index < this.#waitingCount; index++) {
      const {seq, event} = this.#waiting[index]!;
      if (seq <= floor) continue;
      fold.apply(event, seq > end + 1);
      end = Math.max(end, seq);
    }
    this.view = fold.seal();
    this.#viewed = this.#waitingCount;
  }

  #keep(waiting: Waiting[]): void {
    this.#waiting = waiting;
    this.#waitingCount = waiting.length;
  }

  /** The gate of identity: false for a duplicate, or for another name at a taken position. */
  #admit(event: TurnEvent): boolean {
    const {seq, name} = event;
    if (seq === null) return true;
    if (seq <= this.watermark) {
      // Only the newest position's name is known; an older one counts as a duplicate.
      if (seq === this.watermark && this.#lastName !== null && name !== this.#lastName)
        this.counters.borrowed++;
      else this.counters.duplicate++;
      return false;
    }
    const twin = this.#late.at(-1);
    const taken = twin?.seq === seq ? twin : this.#find(seq);
    if (taken === null) return true;
    if (taken.event.name === name) this.counters.duplicate++;
    else this.counters.borrowed++;
    return false;
  }

  #find(seq: number): Waiting | null {
    const index = this.#lowerBound(seq);
    const waiting = index < this.#waitingCount ? this.#waiting[index]! : null;
    return waiting !== null && waiting.seq === seq && waiting.sub === 0 ? waiting : null;
  }

  /** First index whose owner position is not before `seq`. */
  #lowerBound(seq: number): number {
    let low = 0;
    let high = this.#waitingCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const {seq: at, sub} = this.#waiting[middle]!;
      if (at < seq || (at === seq && sub < 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Keeps an event behind the hole: at the end, or aside until the batch is over. */
  #wait(event: TurnEvent): void {
    const last = this.#waitingCount > 0 ? this.#waiting[this.#waitingCount - 1]! : null;
    // Its session has been learnt; kept here it would hold a whole history behind the hole.
    const kept = event.session ? {...event, session: null} : event;
    const entry =
      event.seq === null
        ? {seq: last?.seq ?? this.watermark, sub: (last?.sub ?? 0) + 1, event: kept}
        : {seq: event.seq, sub: 0, event: kept};
    if (last !== null && last.seq >= entry.seq && entry.sub === 0) return void this.#late.push(entry);
    if (this.#waiting.length !== this.#waitingCount) this.#keep(this.#waiting.slice(0, this.#waitingCount));
    this.#waiting.push(entry);
    this.#waitingCount++;
  }

  /** Joins what came late to what waits, once a batch; true if there was any. */
  #mergeLate(): boolean {
    const late = this.#late;
    if (late.length === 0) return false;
    this.#late = [];
    const merged: Waiting[] = [];
    let next = 0;
    for (const entry of this.#waiting.slice(0, this.#waitingCount)) {
      while (next < late.length && late[next]!.seq < entry.seq) merged.push(late[next++]!);
      merged.push(entry);
    }
    this.#keep([...merged, ...late.slice(next)]);
    return true;
  }

  /** Takes an event that may share a position: once per name and own id. */
  #borrow(event: TurnEvent): boolean {
    const facts = borrow(this.facts, event);
    if (facts === this.facts) {
      this.counters.duplicate++;
      return false;
    }
    this.counters.applied++;
    this.seen = true;
    this.facts = learn(facts, event);
    return true;
  }
}

/** The batch by position, so that it is joined in one go. Frames without a position keep their place among the others. */
function inOrder(events: readonly TurnEvent[]): readonly TurnEvent[] {
  let end = -1;
  for (const {seq} of events) {
    if (seq !== null && seq < end) return sortSegments(events);
    end = seq ?? -1;
  }
  return events;
}

function sortSegments(events: readonly TurnEvent[]): TurnEvent[] {
  const sorted: TurnEvent[] = [];
  let segment: TurnEvent[] = [];
  const close = () => {
    // Stable: of two names at one position the one that came first stays first.
    sorted.push(...segment.sort((a, b) => a.seq! - b.seq!));
    segment = [];
  };
  for (const event of events) {
    if (event.seq !== null) segment.push(event);
    else {
      close();
      sorted.push(event);
    }
  }
  close();
  return sorted;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function definedOnly(start: RunStart): RunStart {
  return Object.fromEntries(
    Object.entries(start).filter(([, value]) => value != null),
  ) as unknown as RunStart;
}
