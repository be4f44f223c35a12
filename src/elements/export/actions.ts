/** What a reader takes along, copies, quotes, links, archives, and what stands under a turn. One lazy chunk, loaded beside the turns it is for. */
import {nothing} from 'lit';
import type {TurnAnchor} from '../../anchor/index.js';
import type {HermesTranscript} from '../hermes-transcript.js';
import type {HermesTurn} from '../hermes-turn.js';
import type {RowView} from '../rows.js';
import {watchCopies} from './copied.js';
import * as actions from './turn-actions.js';
import * as usage from './usage-line.js';

export {LinkFollower, reveal} from './deep-links.js';
export {exported, type ExportFormat} from './exported.js';
export {stepTurn} from './step.js';

/** Finds in a transcript: a chunk of its own, loaded when somebody looks for something. */
export async function find(host: HermesTranscript, text?: string): Promise<number> {
  return (await import('../find/find.js')).find(host, text);
}

/** The line under a turn. Where one is drawn, something can be selected. */
export function turnActions(host: HermesTurn, turn: TurnAnchor, view: RowView) {
  watchCopies();
  return actions.turnActions(host, turn, view);
}

/** What a finished turn took. */
export function usageLine(host: HermesTurn, turn: TurnAnchor, view: RowView) {
  watchCopies();
  return turn.terminal === null ? nothing : usage.usageLine(host, turn, view);
}
