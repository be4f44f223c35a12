/** Rows around the items: before them the prompt and the worklog's disclosure, after them the answer and outcomes. */
import type {ToolDetails, TurnAnchor} from '../anchor/turn-anchor.js';
import {isAnswerItem} from '../anchor/turn-anchor.js';
import {controlsAfterAnswer, type ItemView} from './item-rows.js';
import type {
  AnswerRow,
  ConditionRow,
  ErrorRow,
  Row,
  StatusPhase,
  StatusRow,
  WorklogSummaryRow,
} from './row.js';
import type {Tally} from './tally.js';

/** What was counted over the items. */
export interface Survey {
  readonly tally: Tally;
  readonly tools: number;
  /** All calls of the turn in words. */
  readonly summary: string;
  /** Index of the newest tool at work, -1 without one. */
  readonly current: number;
  /** Index of the newest failed tool or phase, -1 without one. */
  readonly lastError: number;
}

export function rowsBefore(view: ItemView, survey: Survey): readonly Row[] {
  const {prompt, promptParts} = view.turn;
  const rows: Row[] = [];
  if (prompt !== null || promptParts.length > 0) {
    rows.push({id: 'prompt', type: 'prompt', worklog: false, text: prompt ?? '', parts: promptParts});
  }
  if (view.around.worklog) rows.push(summaryRow(view, survey));
  return rows;
}

/** `shown`: whether the items already gave rows. */
export function rowsAfter(view: ItemView, survey: Survey, shown: boolean): readonly Row[] {
  const {turn, projection} = view;
  const rows: (Row | null)[] = [
    projection.lastError ? errorRow(view, survey) : null,
    projection.extras && turn.plan !== null && turn.plan.length > 0
      ? {id: 'plan', type: 'plan', worklog: false, entries: turn.plan}
      : null,
    answerRow(view),
    ...controlsAfterAnswer(view),
    turn.artifacts.length > 0
      ? {id: 'artifacts', type: 'artifacts', worklog: false, artifacts: turn.artifacts}
      : null,
    projection.extras && turn.sideEffects.length > 0
      ? {id: 'side-effects', type: 'side-effects', worklog: false, effects: turn.sideEffects}
      : null,
    turn.terminal !== null && turn.terminal !== 'completed'
      ? {id: 'terminal', type: 'terminal', worklog: false, state: turn.terminal, error: turn.error}
      : null,
  ];
  const drawn = rows.filter((row) => row !== null);
  const life = view.around.running ? statusRow(view, survey) : conditionRow(turn, shown || drawn.length > 0);
  return life === null ? drawn : [...drawn, life];
}

function summaryRow(view: ItemView, survey: Survey): WorklogSummaryRow {
  const {turn, around} = view;
  const {tally} = survey;
  return {
    id: 'worklog',
    type: 'worklog-summary',
    worklog: false,
    words: survey.summary,
    counts: {
      tools: survey.tools,
      errors: tally.failed + tally.failedPhases,
      running: tally.active,
      thoughts: tally.thoughts,
    },
    current: currentTool(view, survey),
    running: around.running,
    // Folded only when the answer makes up for it. The error family opens because a failed turn must not look empty;
    // a turn that was stopped keeps what was shown, since stopping must not take the work away (hermes-webui #5941, #4076).
    defaultOpen: turn.terminal !== 'completed' || turn.answer.length === 0,
  };
}

function currentTool({turn}: ItemView, survey: Survey): ToolDetails | null {
  return turn.items.get(survey.current)?.tool ?? null;
}

function errorRow({turn}: ItemView, {tally, lastError}: Survey): ErrorRow | null {
  const item = turn.items.get(lastError);
  if (item === undefined) return null;
  const {id: itemId, tool, text} = item;
  return {
    id: 'error',
    type: 'error',
    worklog: false,
    itemId,
    tool,
    text,
    count: tally.failed + tally.failedPhases,
  };
}

function answerRow({turn, around}: ItemView): AnswerRow | null {
  if (turn.answer.length === 0) return null;
  const live = around.running && isWriting(turn);
  const {answer: text, answerComplete: complete} = turn;
  return {id: turn.answerId ?? 'answer', type: 'answer', worklog: false, text, live, complete};
}

function statusRow(view: ItemView, survey: Survey): StatusRow {
  const current = currentTool(view, survey);
  return {id: 'status', type: 'status', worklog: false, phase: phaseOf(view.turn, survey), current};
}

function phaseOf(turn: TurnAnchor, {tally, current}: Survey): StatusPhase {
  if (tally.pending > 0) return 'waiting';
  if (current >= 0) return 'tool';
  if (isWriting(turn)) return 'writing';
  const last = turn.items.at(-1);
  if (last === undefined) return 'starting';
  return last.kind === 'reasoning' ? 'thinking' : 'working';
}

function isWriting(turn: TurnAnchor): boolean {
  const last = turn.items.at(-1);
  return turn.answer.length > 0 && (last === undefined || isAnswerItem(turn, last));
}

/** A finished turn of which nothing is known says so: it is never an empty shell. */
function conditionRow(turn: TurnAnchor, shown: boolean): ConditionRow | null {
  if (turn.status === 'restoring')
    return {id: 'condition', type: 'condition', worklog: false, condition: 'restoring'};
  if (!turn.degraded && shown) return null;
  return {id: 'condition', type: 'condition', worklog: false, condition: 'degraded'};
}
