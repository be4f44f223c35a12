/**
 * What is known of a run that does not depend on order: how it ended, whose it is, what it did outside the transcript.
 * Joined in any order the same facts come out, so they may be learnt as frames arrive.
 */
import type {SettledSession} from './settled.js';
import type {RunStart} from './start.js';
import {betterTerminal, type TerminalFacts} from './terminal-facts.js';
import type {TurnEvent} from './turn-event.js';

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

/** A value; the same reference when an event taught nothing. */
export interface RunFacts {
  /** What the start answer, or a start frame, said. */
  readonly start: RunStart | null;
  /** The best terminal claim so far. */
  readonly terminal: TerminalFacts | null;
  readonly sideEffects: readonly PlacedSideEffect[];
  /** The session named at the lowest position. */
  readonly home: {readonly seq: number; readonly id: string} | null;
  readonly links: readonly (readonly string[])[];
  readonly proof: EmbeddedProof | null;
  /** The transport said its body is over. */
  readonly ended: boolean;
  readonly startedAt: number | null;
  readonly turnId: string | null;
  readonly prompt: string | null;
  /** Highest position a borrower named: frames up to one before it exist. */
  readonly provenEnd: number;
  /** Borrowers seen, by position, name and own id. */
  readonly borrowers: readonly string[];
}

export const noFacts: RunFacts = {
  start: null,
  terminal: null,
  sideEffects: [],
  home: null,
  links: [],
  proof: null,
  ended: false,
  startedAt: null,
  turnId: null,
  prompt: null,
  provenEnd: 0,
  borrowers: [],
};

/** Facts with an event that may share a position: once per name and own id, else the same reference. */
export function borrow(facts: RunFacts, event: TurnEvent): RunFacts {
  // Without identity: append, never drop.
  const own = event.type === 'side-effect' ? (event.ownId ?? event.label ?? '') : '';
  const anonymous = event.type === 'side-effect' && event.ownId == null && event.seq === null;
  const key = `${event.seq ?? ''}:${event.name}:${own}${anonymous ? `#${facts.borrowers.length}` : ''}`;
  if (facts.borrowers.includes(key)) return facts;
  const provenEnd = Math.max(facts.provenEnd, event.seq ?? 0);
  return {...facts, provenEnd, borrowers: [...facts.borrowers, key]};
}

/** Frames without a position whose effect does not depend on order. */
export function isOrderFree(event: TurnEvent): boolean {
  return event.type === 'side-effect' && event.ownId != null;
}

/** Facts with what an event teaches. */
export function learn(before: RunFacts, event: TurnEvent): RunFacts {
  let facts = before;
  if (event.sessionId != null) facts = nameHome(facts, event.sessionId, event.seq);
  if (event.session) facts = embed(facts, event.session);
  switch (event.type) {
    case 'terminal':
      return {...facts, terminal: betterTerminal(facts.terminal, event), links: linked(facts, event)};
    case 'lifecycle':
      return event.linksSessions ? {...facts, links: linked(facts, event)} : facts;
    case 'side-effect': {
      const {seq, kind, action, label: name, ownId = null} = event;
      const placed = {seq: seq ?? Number.MAX_SAFE_INTEGER, kind, action, name, ownId};
      return {...facts, sideEffects: placeSideEffect(facts.sideEffects, placed)};
    }
    case 'start':
      return begun(facts, event);
    case 'transport':
      return {...facts, ended: true};
    default: // The rest depends on order and is the fold's.
      return facts;
  }
}

function begun(facts: RunFacts, event: Extract<TurnEvent, {type: 'start'}>): RunFacts {
  const {startedAtSeconds: seconds, run} = event;
  const start = seconds == null ? facts.start : {runId: run ?? '', startedAtSeconds: seconds, ...facts.start};
  return {
    ...facts,
    start,
    turnId: event.turnId ?? facts.turnId,
    prompt: event.prompt ?? facts.prompt,
    startedAt: event.at ?? facts.startedAt,
  };
}

function linked(facts: RunFacts, {linksSessions}: {linksSessions?: readonly string[]}): RunFacts['links'] {
  return linksSessions ? [...facts.links, linksSessions] : facts.links;
}

function nameHome(facts: RunFacts, id: string, seq: number | null): RunFacts {
  const at = seq ?? Number.MAX_SAFE_INTEGER;
  return facts.home === null || at < facts.home.seq ? {...facts, home: {seq: at, id}} : facts;
}

function embed(facts: RunFacts, session: SettledSession): RunFacts {
  const updatedAt = session.updatedAt ?? -Infinity;
  if (facts.proof !== null && facts.proof.updatedAt >= updatedAt) return facts;
  const last = session.messages.findLastIndex((message) => message.role === 'prompt');
  if (last < 0) return facts;
  return {
    ...facts,
    proof: {updatedAt, index: session.offset + last, timestamp: session.messages[last]!.timestamp},
  };
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
