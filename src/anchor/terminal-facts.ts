/** Terminal claims as a lattice: joined in any order they give the same best one (law 7). */
import {evidenceRank, terminalRank} from './terminal-state.js';
import type {Evidence} from './turn-anchor.js';
import type {TerminalEvent, TerminalState, TurnErrorFacts} from './turn-event.js';

export interface TerminalFacts {
  readonly state: TerminalState;
  readonly evidence: Evidence;
  readonly error: TurnErrorFacts | null;
  readonly at: number | null;
  readonly truncated: boolean;
  /** Position, to decide between equal claims. */
  readonly seq: number;
  readonly output: string | null;
}

/** The stronger of two claims: by evidence, then the more specific state, then the earlier position. */
export function strongerTerminal(a: TerminalFacts | null, b: TerminalFacts | null): TerminalFacts | null {
  if (a === null || b === null) return a ?? b;
  const order =
    evidenceRank(a.evidence) - evidenceRank(b.evidence) ||
    terminalRank(a.state) - terminalRank(b.state) ||
    Number(a.error !== null) - Number(b.error !== null) ||
    b.seq - a.seq;
  return order >= 0 ? a : b;
}

/** Joins an event's claim. Its output is kept also when another claim wins. */
export function betterTerminal(before: TerminalFacts | null, event: TerminalEvent): TerminalFacts | null {
  return strongerTerminal(before, {
    state: event.state,
    evidence: event.strength,
    error: event.error ?? null,
    at: event.at ?? null,
    truncated: event.truncated ?? false,
    seq: event.seq ?? Number.MAX_SAFE_INTEGER,
    output: event.output ?? null,
  });
}
