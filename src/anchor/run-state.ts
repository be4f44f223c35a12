/**
 * One run's evidence: what was seen of it, in any order, and the folds it gives.
 *
 * The part without holes is folded and its frames are dropped (checkpoint and watermark); what waits behind a hole is
 * kept and shown from a second fold over the checkpoint. In order an event costs O(1); what comes late refolds from
 * the checkpoint once a batch (law 4). Deduplication is the watermark, the kept positions and the few known borrowers.
 */
import {isActivity, RunFold} from './run-fold.js';
import type {RunStart} from './start.js';
import {betterTerminal, type TerminalFacts} from './terminal-facts.js';
import type {Stats} from './turn-anchor.js';
import type {SettledSession} from './settled.js';
import type {TurnEvent} from './turn-event.js';

interface Waiting {
  readonly seq: number;
  /** 0 for the owner of the position; frames without a position follow what had been seen, 1, 2, … */
  readonly sub: number;
  readonly event: TurnEvent;
}

/** A side effect with the position that orders it. */
export interface PlacedSideEffect {
  readonly seq: number;
  readonly kind: string;
  readonly action: string;
  readonly name: string | null;
  readonly ownId: string | null;
}

/** The newest embedded session's last user message: which message this run answers. */
export interface EmbeddedProof {
  readonly updatedAt: number;
  readonly index: number;
  readonly timestamp: number | null;
}

/** Running counts, shared by all versions of a run: statistics are not part of the value (law 8). */
export interface Counters extends Stats {
  applied: number;
  duplicate: number;
  mismatched: number;
  borrowed: number;
  excluded: Record<string, number>;
}

/** A run's order-free facts as JSON. */
export interface RunMemo extends Pick<
  RunState,
  | 'id'
  | 'start'
  | 'terminal'
  | 'sideEffects'
  | 'home'
  | 'links'
  | 'proof'
  | 'ended'
  | 'startedAt'
  | 'turnId'
  | 'prompt'
  | 'provenEnd'
> {
  readonly lastName: string | null;
  readonly borrowers: readonly string[];
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
  /** What the start answer or `run.started` said. */
  start: RunStart | null = null;
  checkpoint = new RunFold();
  /** Last position of the part without holes, 0 before the first. */
  watermark = 0;
  /** Checkpoint and everything that waits behind a hole, folded. The checkpoint itself when nothing waits. */
  view = this.checkpoint;
  /** The best terminal claim so far, order-free. */
  terminal: TerminalFacts | null = null;
  sideEffects: readonly PlacedSideEffect[] = [];
  /** Sessions its frames name: the one at the lowest position is its home. */
  home: {readonly seq: number; readonly id: string} | null = null;
  links: readonly (readonly string[])[] = [];
  proof: EmbeddedProof | null = null;
  /** The transport said its body is over. */
  ended = false;
  startedAt: number | null = null;
  turnId: string | null = null;
  prompt: string | null = null;
  /** Any frame at all. */
  seen = false;
  /** A lossy picture of the run up to a position, shown until the frames from the start are here. */
  paint: {readonly fold: RunFold; readonly watermark: number} | null = null;
  /** Positions a borrower names: frames up to one before them exist. */
  provenEnd = 0;
  readonly counters: Counters;

  #lastName: string | null = null;
  #waiting: Waiting[] = [];
  #waitingCount = 0;
  #borrowers: readonly string[] = [];
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
    return this.#waitingCount > 0 || (this.watermark < this.provenEnd - 1 && !this.#unpositioned);
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
    next.start = {...next.start, ...definedOnly(start)};
    return next;
  }

  /** What is needed to go on from here, beside the fold: part of `resume` in a snapshot. */
  memo(): RunMemo {
    const {
      id,
      start,
      terminal,
      sideEffects,
      home,
      links,
      proof,
      ended,
      startedAt,
      turnId,
      prompt,
      provenEnd,
    } = this;
    const facts = {
      id,
      start,
      terminal,
      sideEffects,
      home,
      links,
      proof,
      ended,
      startedAt,
      turnId,
      prompt,
      provenEnd,
    };
    return {...facts, lastName: this.#lastName, borrowers: this.#borrowers};
  }

  /** The state that goes on from an exact snapshot, if that reaches further than what is folded. */
  resume(fold: RunFold, watermark: number, memo: RunMemo): RunState {
    if (watermark <= this.watermark) return this;
    const {lastName, borrowers, id: _id, ...facts} = memo;
    const next = this.#fork();
    Object.assign(next, facts, {seen: true, checkpoint: fold.fork(), watermark});
    next.#lastName = lastName;
    next.#borrowers = [...new Set([...borrowers, ...this.#borrowers])];
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
    next.#settle(true);
    return next;
  }

  #fork(): RunState {
    const next = new RunState(this.id, this.counters);
    Object.assign(next, this);
    next.#lastName = this.#lastName;
    next.#waiting = this.#waiting;
    next.#waitingCount = this.#waitingCount;
    next.#borrowers = this.#borrowers;
    next.#viewed = this.#viewed;
    return next;
  }

  /** Edits this fresh fork; true if anything but counters changed. */
  #run(events: readonly TurnEvent[]): boolean {
    const checkpoint = this.checkpoint;
    const viewBehind = this.view !== checkpoint;
    let owned = false;
    let changed = false;
    let late = false;
    for (const event of events) {
      if (event.type === 'text' && event.seq === this.watermark + 1 && this.#waitingCount === 0) {
        // What a long answer is made of: the next delta of a run without holes.
        if (!owned) this.checkpoint = this.checkpoint.fork();
        owned = changed = this.seen = true;
        this.counters.applied++;
        this.#fold(event);
        continue;
      }
      if (event.type === 'excluded') count(this.counters.excluded, event.name);
      if (event.borrows || (event.seq === null && orderFree(event))) {
        if (!this.#borrow(event)) continue;
        changed = true;
        continue;
      }
      if (!this.#admit(event)) continue;
      changed = true;
      this.seen = true;
      if (event.type !== 'excluded') this.counters.applied++;
      this.#learn(event);
      const next = event.seq === null ? this.#waitingCount === 0 : event.seq === this.watermark + 1;
      if (next) {
        if (!owned) this.checkpoint = this.checkpoint.fork();
        owned = true;
        this.#fold(event);
        if (this.#waitingCount > 0) late = true;
      } else {
        late = this.#wait(event) || late;
      }
    }
    if (!changed) return false;
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
    const taken = this.#find(seq);
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

  /** Keeps an event behind the hole; true if it stands before something already viewed. */
  #wait(event: TurnEvent): boolean {
    const last = this.#waitingCount > 0 ? this.#waiting[this.#waitingCount - 1]! : null;
    const entry =
      event.seq === null
        ? {seq: last?.seq ?? this.watermark, sub: (last?.sub ?? 0) + 1, event}
        : {seq: event.seq, sub: 0, event};
    if (last === null || last.seq < entry.seq || entry.sub > 0) {
      if (this.#waiting.length !== this.#waitingCount) this.#keep(this.#waiting.slice(0, this.#waitingCount));
      this.#waiting.push(entry);
      this.#waitingCount++;
      return false;
    }
    const copy = this.#waiting.slice(0, this.#waitingCount);
    copy.splice(this.#lowerBound(entry.seq), 0, entry);
    this.#keep(copy);
    return true;
  }

  /** Takes an event that may share a position: once per name and own id. */
  #borrow(event: TurnEvent): boolean {
    const own = event.type === 'side-effect' ? (event.ownId ?? '') : '';
    const key = `${event.seq ?? ''}:${event.name}:${own}`;
    if (this.#borrowers.includes(key)) {
      this.counters.duplicate++;
      return false;
    }
    this.#borrowers = [...this.#borrowers, key];
    this.counters.applied++;
    this.seen = true;
    if (event.seq !== null) this.provenEnd = Math.max(this.provenEnd, event.seq);
    this.#learn(event);
    return true;
  }

  /** Facts that do not depend on order: terminal claims, sessions, side effects, the birth. */
  #learn(event: TurnEvent): void {
    if (event.sessionId != null) this.#name(event.sessionId, event.seq);
    if (event.session) this.#embed(event.session);
    switch (event.type) {
      case 'terminal':
        this.terminal = betterTerminal(this.terminal, event);
        if (event.linksSessions) this.links = [...this.links, event.linksSessions];
        break;
      case 'lifecycle':
        if (event.linksSessions) this.links = [...this.links, event.linksSessions];
        break;
      case 'side-effect':
        this.sideEffects = placeSideEffect(this.sideEffects, {
          seq: event.seq ?? Number.MAX_SAFE_INTEGER,
          kind: event.kind,
          action: event.action,
          name: event.label,
          ownId: event.ownId ?? null,
        });
        break;
      case 'start':
        this.turnId = event.turnId ?? this.turnId;
        this.prompt = event.prompt ?? this.prompt;
        this.startedAt = event.at ?? this.startedAt;
        if (event.startedAtSeconds != null) {
          this.start = {runId: this.id, startedAtSeconds: event.startedAtSeconds, ...this.start};
        }
        break;
      case 'transport':
        this.ended = true;
        break;
      default: // The rest depends on order and is the fold's.
    }
  }

  #name(id: string, seq: number | null): void {
    const at = seq ?? Number.MAX_SAFE_INTEGER;
    if (this.home === null || at < this.home.seq) this.home = {seq: at, id};
  }

  #embed(session: SettledSession): void {
    const updatedAt = session.updatedAt ?? -Infinity;
    if (this.proof !== null && this.proof.updatedAt >= updatedAt) return;
    const last = session.messages.findLastIndex((message) => message.role === 'prompt');
    if (last < 0) return;
    const {timestamp} = session.messages[last]!;
    this.proof = {updatedAt, index: session.offset + last, timestamp};
  }
}

/** Frames without a position whose effect does not depend on order. */
function orderFree(event: TurnEvent): boolean {
  return event.type === 'side-effect' && event.ownId != null;
}

/** Adds one, ordered by position then name; two copies of one fact (same own id) are one, at the earlier place. */
export function placeSideEffect(
  effects: readonly PlacedSideEffect[],
  effect: PlacedSideEffect,
): readonly PlacedSideEffect[] {
  const twin = effect.ownId === null ? undefined : effects.find(({ownId}) => ownId === effect.ownId);
  if (twin && twin.seq <= effect.seq) return effects;
  return [...effects.filter((other) => other !== twin), effect].sort(
    (a, b) => a.seq - b.seq || compare(a.ownId ?? '', b.ownId ?? ''),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function definedOnly(start: RunStart): RunStart {
  return Object.fromEntries(
    Object.entries(start).filter(([, value]) => value != null),
  ) as unknown as RunStart;
}
