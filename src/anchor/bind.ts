/**
 * Which run answers which user message: by proof only, never by the text of a prompt (law 10).
 *
 * Proofs in turn: the start answer's time, the last user message of the payload in the run's own terminal frame, ids
 * that messages and the payload name; then, from the last run back, the last unbound turn whose end fits.
 */
import type {MessageBase, MessageTurn} from './message-base.js';
import type {RunState} from './run-state.js';
import {settledTerminal} from './settled-turn.js';
import type {TerminalState} from './turn-event.js';

export interface TurnPlan {
  /** Position in the message turns; null for a turn no payload places. */
  readonly turn: MessageTurn | null;
  /** True for the turn of `pending_user_message`. */
  readonly pending: boolean;
  readonly runs: readonly string[];
  /** Runs whose user message was replaced: listed, they show nothing. */
  readonly superseded: readonly string[];
  /** A payload is here, but nothing proves where this run belongs. */
  readonly unplaced: boolean;
}

type Places = Map<RunState, {slot: number; superseded: boolean}>;

const superseded = -2;
const unbound = -1;

/** Plans every turn, in the order of the session. */
export function planTurns(
  base: MessageBase,
  turns: readonly MessageTurn[],
  runs: readonly RunState[],
): TurnPlan[] {
  const pending = base.meta?.pending != null && !alreadyHeld(base, turns);
  const slots = turns.length + (pending ? 1 : 0);
  const places: Places = new Map();
  for (const run of runs) {
    const place = proof(base, turns, pending, run);
    if (place !== null) places.set(run, place);
  }
  bindWholeSeconds(turns, runs, places);
  fitFromTheEnd(base, turns, pending, runs, places);
  const plans: {runs: RunState[]; superseded: string[]}[] = Array.from({length: slots}, () => ({
    runs: [],
    superseded: [],
  }));
  const loose: RunState[] = [];
  for (const run of runs) {
    const place = places.get(run);
    if (!place) {
      // A run that was only painted makes no turn of its own.
      if (run.seen || run.facts.start !== null) loose.push(run);
    } else if (place.superseded) plans[place.slot]!.superseded.push(run.id);
    else plans[place.slot]!.runs.push(run);
  }
  const known = base.top !== null && base.entries.length > 0;
  return [
    ...plans.map((plan, slot) => ({
      turn: turns[slot] ?? null,
      pending: slot >= turns.length || (slot === turns.length - 1 && base.meta?.pending != null && !pending),
      runs: inOrder(plan.runs).map(({id}) => id),
      superseded: plan.superseded,
      unplaced: false,
    })),
    ...inOrder(loose).map((run) => ({
      turn: null,
      pending: false,
      runs: [run.id],
      superseded: [],
      unplaced: known && !startedAfter(run, base),
    })),
  ];
}

/** True if the pending user message stands among the messages already. */
function alreadyHeld(base: MessageBase, turns: readonly MessageTurn[]): boolean {
  const started = base.meta!.pending!.startedAt;
  const last = turns.at(-1);
  const stamp = last?.prompt?.timestamp;
  return started !== null && stamp != null && (stamp === started || stamp === Math.floor(started));
}

/** By start time where every one has one, else as first seen. */
function inOrder(runs: RunState[]): RunState[] {
  if (!runs.every((run) => startTime(run) !== null)) return runs;
  return [...runs].sort((a, b) => startTime(a)! - startTime(b)!);
}

function startTime(run: RunState): number | null {
  return (
    run.facts.start?.startedAtSeconds ??
    (run.facts.start?.startedAt != null ? run.facts.start.startedAt / 1000 : null)
  );
}

/** A run that began after the payload was written is not expected in it. */
function startedAfter(run: RunState, base: MessageBase): boolean {
  const started = startTime(run);
  return started !== null && base.metaVersion !== null && started > base.metaVersion.updatedAt;
}

function proof(
  base: MessageBase,
  turns: readonly MessageTurn[],
  pending: boolean,
  run: RunState,
): {slot: number; superseded: boolean} | null {
  const slot =
    byStart(base, turns, pending, run) ?? byEmbedded(turns, run) ?? byNamedId(base, turns, pending, run);
  if (slot === null || slot === unbound) return null;
  if (slot <= superseded) return {slot: superseded - slot, superseded: true};
  return {slot, superseded: false};
}

/** `pending_started_at` equals the message's timestamp. */
function byStart(
  base: MessageBase,
  turns: readonly MessageTurn[],
  pending: boolean,
  {facts: {start}}: RunState,
): number | null {
  const started = start?.startedAtSeconds;
  if (started == null) return null;
  if (pending && base.meta!.pending!.startedAt === started) return turns.length;
  const exact = turns.findLastIndex(({prompt}) => prompt?.timestamp === started);
  return exact >= 0 ? exact : null;
}

/**
 * Runs whose start falls in the whole second that a message has: in their order, one a message while there are any, as
 * two may have been asked within a second.
 */
function bindWholeSeconds(turns: readonly MessageTurn[], runs: readonly RunState[], places: Places): void {
  const taken = takenSlots(places);
  const starting = runs.filter((run) => !places.has(run) && run.facts.start?.startedAtSeconds != null);
  for (const run of starting.toSorted((a, b) => startTime(a)! - startTime(b)!)) {
    const whole = Math.floor(run.facts.start!.startedAtSeconds!);
    const slots = [...turns.keys()].filter((slot) => turns[slot]!.prompt?.timestamp === whole);
    const slot = slots.find((free) => !taken.has(free)) ?? slots.at(-1);
    if (slot === undefined) continue;
    places.set(run, {slot, superseded: false});
    taken.add(slot);
  }
}

function takenSlots(places: Places): Set<number> {
  return new Set([...places.values()].filter((place) => !place.superseded).map(({slot}) => slot));
}

/** The last user message of the payload in its own terminal frame; replaced at its index = superseded. */
function byEmbedded(turns: readonly MessageTurn[], run: RunState): number | null {
  if (run.facts.proof === null) return null;
  const {index, timestamp} = run.facts.proof;
  const at = turns.findIndex((turn) => turn.index === index && turn.prompt !== null);
  if (at >= 0 && turns[at]!.prompt!.timestamp === timestamp) return at;
  const moved = timestamp === null ? -1 : turns.findLastIndex(({prompt}) => prompt?.timestamp === timestamp);
  if (moved >= 0) return moved;
  return at >= 0 ? superseded - at : null;
}

function byNamedId(
  base: MessageBase,
  turns: readonly MessageTurn[],
  pending: boolean,
  run: RunState,
): number | null {
  const ids = new Set([run.id, run.facts.start?.streamId ?? run.id]);
  const marked = turns.findLastIndex(({messages}) =>
    messages.some(({message}) => message.runs.some((id) => ids.has(id))),
  );
  if (marked >= 0) return marked;
  const {meta} = base;
  const named = [meta?.activeRun, meta?.journal?.run].some((id) => id != null && ids.has(id));
  if (!named) return null;
  return pending ? turns.length : turns.length - 1;
}

/** From the last unproven run back, the last unbound turn whose end fits; unproven runs keep their order. */
function fitFromTheEnd(
  base: MessageBase,
  turns: readonly MessageTurn[],
  pending: boolean,
  runs: readonly RunState[],
  places: Places,
): void {
  const taken = takenSlots(places);
  let ceiling = turns.length + (pending ? 1 : 0);
  const unproven = inOrder(runs.filter((run) => !places.has(run) && !startedAfter(run, base)));
  for (const run of unproven.toReversed()) {
    for (let slot = ceiling - 1; slot >= 0; slot--) {
      if (taken.has(slot) || !fits(run, turns[slot] ?? null)) continue;
      places.set(run, {slot, superseded: false});
      taken.add(slot);
      ceiling = slot;
      break;
    }
  }
}

/** A running run fits only the pending turn; an ended one a turn whose end is of the same family. */
function fits(run: RunState, turn: MessageTurn | null): boolean {
  const over = run.facts.terminal !== null || run.facts.ended;
  if (turn === null) return !over;
  if (!over) return false;
  const settled = settledTerminal(turn);
  if (run.facts.terminal === null || run.facts.terminal.evidence === 'synthetic' || settled === null)
    return true;
  // A notice without a mark says only that something went wrong.
  if (settled.evidence === 'inferred')
    return run.facts.terminal.state !== 'completed' && run.facts.terminal.state !== 'cancelled';
  return endFamily(run.facts.terminal.state) === endFamily(settled.state);
}

/** Families of ends that one producer may tell apart and another not. */
function endFamily(state: TerminalState): 'answered' | 'stopped' | 'failed' {
  if (state === 'completed' || state === 'tool_limit_reached') return 'answered';
  return state === 'cancelled' || state === 'interrupted' ? 'stopped' : 'failed';
}
