/** Terminal states: how every producer spells the nine ways a run can end, and which claim of an end wins (law 7). */
import type {Evidence} from './turn-anchor.js';
import type {TerminalState} from './turn-event.js';

/** Who uses a spelling: Hermes WebUI's own model, its journal, its `apperror.type`, or the run events. */
export type TerminalSource = 'webui' | 'journal' | 'apperror' | 'runs';

/** The nine states from least to most specific: within one strength of evidence the later one wins. */
export const TERMINAL_STATES: readonly TerminalState[] = [
  'connection_lost',
  'degraded',
  'completed',
  'error',
  'no_response',
  'tool_limit_reached',
  'compression_exhausted',
  'interrupted',
  'cancelled',
];

/** Evidence from weakest to strongest. */
export const EVIDENCE: readonly Evidence[] = ['inferred', 'synthetic', 'observed', 'settled'];

/**
 * Every spelling, normalised: state, who uses it, spellings. Rows of `webui` are the aliases of its own model; the others
 * hold what that model forgot. A stop by the reader is `interrupted-by-user` in the journal: there it means cancelled.
 */
export const TERMINAL_SPELLINGS: readonly (readonly [TerminalState, TerminalSource, string])[] = [
  ['completed', 'webui', 'completed complete done'],
  ['completed', 'runs', 'end_turn'],
  ['cancelled', 'webui', 'cancelled canceled cancel'],
  ['cancelled', 'journal', 'interrupted_by_user'],
  ['interrupted', 'webui', 'interrupted interrupted_by_user'],
  ['interrupted', 'journal', 'interrupted_by_crash'],
  ['no_response', 'webui', 'no_response no_response_generated'],
  ['no_response', 'apperror', 'silent_failure gateway_empty_response'],
  ['tool_limit_reached', 'webui', 'tool_limit_reached max_iterations'],
  ['tool_limit_reached', 'runs', 'max_turn_requests'],
  ['compression_exhausted', 'webui', 'compression_exhausted'],
  ['connection_lost', 'webui', 'connection_lost lost_worker_bookkeeping'],
  ['degraded', 'webui', 'degraded'],
  ['error', 'webui', 'error failed apperror'],
  ['error', 'journal', 'errored'],
  [
    'error',
    'apperror',
    'rate_limit quota_exhausted credential_pool_empty auth_mismatch model_not_found compression_snapshot_stale gateway_auth_error gateway_error',
  ],
];

const states = new Map<string, TerminalState>();
for (const [state, source, spellings] of TERMINAL_SPELLINGS) {
  for (const spelling of spellings.split(' ')) {
    states.set(`${source} ${spelling}`, state);
    if (source === 'webui' || !states.has(spelling)) states.set(spelling, state);
  }
}

/** The key under which a spelling is looked up: trimmed, lower case, spaces and hyphens as `_`. */
export function terminalKey(spelling: string): string {
  return spelling
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

/** The state a value spells; a source reads its own spellings first. Null for what nobody spells so. */
export function normalizeTerminalState(value: unknown, source?: TerminalSource): TerminalState | null {
  if (typeof value !== 'string') return null;
  const key = terminalKey(value);
  return states.get(`${source} ${key}`) ?? states.get(key) ?? null;
}

/** How a state is shown: folded when completed, error-family worklogs open by themselves. */
export type TerminalGroup = 'completed' | 'cancelled' | 'interrupted' | 'error';

/** The display group of a state. */
export function terminalGroup(state: TerminalState): TerminalGroup {
  return state === 'completed' || state === 'cancelled' || state === 'interrupted' ? state : 'error';
}

/** Rank of a state within one strength of evidence; the higher wins. */
export function terminalRank(state: TerminalState): number {
  return TERMINAL_STATES.indexOf(state);
}

/** Rank of a strength of evidence; the higher wins. */
export function evidenceRank(evidence: Evidence): number {
  return EVIDENCE.indexOf(evidence);
}
