/**
 * The join: one turn's runs and messages → one anchor. Settlement updates the anchor, it never makes a second one
 * (law 10). Called for a turn only when its evidence changed; for a running turn it costs the same at any length.
 */
import type {TurnPlan} from './bind.js';
import {joinFolds} from './join-runs.js';
import type {RunState} from './run-state.js';
import type {SettledSession} from './settled.js';
import {settledAnswer, settledTerminal} from './settled-turn.js';
import {strongerTerminal, type TerminalFacts} from './terminal-facts.js';
import type {GrowingText} from './text.js';
import type {ActivityItem, TurnAnchor, TurnStatus} from './turn-anchor.js';
import {bodyOf, type Body} from './turn-body.js';
import type {TurnErrorFacts} from './turn-event.js';
import {
  aliasesOf,
  completedAt,
  cursorOf,
  promptOf,
  promptParts,
  sideEffectsOf,
  startedAt,
  statsOf,
} from './turn-facts.js';
import type {Vector} from './vector.js';

export interface TurnInputs {
  readonly plan: TurnPlan;
  readonly runs: readonly RunState[];
  readonly superseded: readonly RunState[];
  readonly meta: SettledSession | null;
  /** A turn from a snapshot, where nothing better is known. */
  readonly archived: TurnAnchor | null;
}

export function buildTurn(inputs: TurnInputs, previous: TurnAnchor | null): TurnAnchor {
  const {plan, runs, superseded, meta} = inputs;
  const turn = plan.turn;
  const answer = turn && settledAnswer(turn);
  const terminal = terminalOf(inputs);
  const stream = joinFolds(runs.map((run) => run.view));
  const body = bodyOf(inputs, stream, terminal, answer);
  const listed = [...superseded, ...runs];
  const first = listed[0] ?? null;
  const index = turn?.index ?? null;
  const awaited = plan.pending && first === null ? (meta?.activeRun ?? null) : null;
  const id = first?.id ?? awaited ?? `m${index ?? meta?.messageCount ?? 0}`;
  const hole = runs.some((run) => run.hole) && (runs[0]?.paint ?? null) === null;
  const state = noResponse(terminal, body.answer, hole) ? 'no_response' : (terminal?.state ?? null);
  const ended = state !== null;
  const built: TurnAnchor = {
    id,
    aliases: aliasesOf(id, listed, index),
    runIds: awaited === null ? listed.map((run) => run.id) : [awaited],
    streamIds: [
      ...new Set(listed.map((run) => run.facts.start?.streamId).filter((stream) => stream != null)),
    ],
    messageRefs: (turn?.messages ?? [])
      .filter(({message}) => message.role !== 'prompt')
      .map(({index: at}) => `m${at}`),
    prompt: promptOf(inputs),
    promptParts: promptParts(turn),
    status: statusOf(inputs, terminal, hole),
    terminal: state,
    evidence: terminal?.evidence ?? null,
    degraded: plan.unplaced || body.degraded,
    error: errorOf(inputs, state),
    startedAt: startedAt(inputs),
    completedAt: ended ? completedAt(inputs, terminal, answer) : null,
    items: body.items,
    answer: body.answer,
    answerComplete:
      (state === 'completed' || state === 'tool_limit_reached') &&
      !(answer?.partial ?? false) &&
      !runs.some((run) => run.facts.terminal?.truncated === true),
    answerMessage: body.answerMessage,
    answerId: body.answerMessage === null ? null : `prose:${body.answerMessage}:0`,
    finalMessageRef: answer ? `m${answer.index}` : null,
    artifacts: body.artifacts,
    sideEffects: sideEffectsOf(runs),
    plan: stream.plan,
    usage: stream.usage,
    cursor: cursorOf(runs),
    stats: statsOf(listed),
    renamed: renamed(previous, body),
  };
  origins.set(built, body.origin);
  return built;
}

/** Held by a payload is settled; what is missing or only guessed is restoring. */
function statusOf({plan, runs}: TurnInputs, terminal: TerminalFacts | null, hole: boolean): TurnStatus {
  if (plan.turn !== null && !plan.pending) return 'settled';
  if (hole || (terminal !== null && weak(terminal))) return 'restoring';
  if (terminal !== null) return 'settled';
  return plan.pending || runs.some((run) => run.seen) ? 'running' : 'created';
}

function weak(terminal: TerminalFacts): boolean {
  return terminal.evidence === 'synthetic' || terminal.evidence === 'inferred';
}

/** The last run's end that is not superseded, joined with what the messages prove. */
function terminalOf({plan, runs, meta}: TurnInputs): TerminalFacts | null {
  const last = runs.at(-1) ?? null;
  let terminal = strongerTerminal(
    last?.facts.terminal ?? null,
    plan.turn && !plan.pending ? settledTerminal(plan.turn) : null,
  );
  const journal = meta?.journal;
  const current = last?.id ?? (plan.pending ? meta?.activeRun : null);
  if (journal?.terminal != null && journal.run === current) {
    const evidence = journal.inferred ? 'inferred' : 'observed';
    const {terminal: state} = journal;
    terminal = strongerTerminal(terminal, {
      state,
      evidence,
      error: null,
      at: null,
      truncated: false,
      seq: Number.MAX_SAFE_INTEGER,
      output: null,
    });
  }
  return terminal;
}

/** Completed without an answer, and nothing is missing: the model gave no response. */
function noResponse(terminal: TerminalFacts | null, answer: GrowingText, hole: boolean): boolean {
  return terminal?.state === 'completed' && !hole && answer.toString().trim() === '';
}

function errorOf({plan, runs, archived}: TurnInputs, state: TurnAnchor['terminal']): TurnErrorFacts | null {
  if (state === null || state === 'completed' || state === 'cancelled') return null;
  const observed = runs.at(-1)?.facts.terminal?.error ?? null;
  const notice = plan.turn === null ? null : settledTerminal(plan.turn)?.error;
  return observed ?? notice ?? archived?.error ?? null;
}

const origins = new WeakMap<TurnAnchor, string>();

/** Ids shift only where items were folded again or come from elsewhere; looking each time would cost the turn's length. */
function renamed(previous: TurnAnchor | null, {items, origin}: Body): TurnAnchor['renamed'] {
  if (previous === null || previous.items === items || origins.get(previous) === origin) return null;
  return renamedIds(previous.items, items);
}

/** Old id → new for items that kept their first position but not their id; null when none did. */
function renamedIds(
  before: Vector<ActivityItem>,
  after: Vector<ActivityItem>,
): ReadonlyMap<string, string> | null {
  const from = before.firstDifference(after);
  if (from >= before.length || (from === before.length - 1 && before.get(from)!.id === after.get(from)?.id))
    return null;
  const byPosition = new Map<number, string>();
  for (const item of after.slice(from)) if (item.from !== null) byPosition.set(item.from, item.id);
  const renamed = new Map<string, string>();
  for (const item of before.slice(from)) {
    const now = item.from === null ? undefined : byPosition.get(item.from);
    if (now !== undefined && now !== item.id) renamed.set(item.id, now);
  }
  return renamed.size > 0 ? renamed : null;
}
