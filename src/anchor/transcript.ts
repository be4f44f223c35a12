/** A session's transcript as a value: turns in order and what belongs to the session itself. */
import type {JsonObject} from './json.js';
import type {SideEffect, Stats, TurnAnchor, Usage} from './turn-anchor.js';

export interface SessionFacts {
  /** The newest id of the session; null until a frame or payload names one. */
  readonly id: string | null;
  readonly aliases: readonly string[];
  readonly title: string | null;
  readonly usage: Usage | null;
  readonly context: JsonObject | null;
  readonly sideEffects: readonly SideEffect[];
  readonly notices: readonly {readonly text: string; readonly topic: string | null}[];
  readonly stats: Stats;
}

/** What views read. The same reference means nothing changed; an unchanged turn keeps its own. */
export interface Transcript {
  readonly session: SessionFacts;
  readonly turns: readonly TurnAnchor[];
}

/** A session nothing is known of. */
export const emptySession: SessionFacts = Object.freeze({
  id: null,
  aliases: [],
  title: null,
  usage: null,
  context: null,
  sideEffects: [],
  notices: [],
  stats: {applied: 0, duplicate: 0, mismatched: 0, borrowed: 0, excluded: {}},
});
