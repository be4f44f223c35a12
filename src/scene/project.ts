/**
 * `project`: a turn in one display mode.
 *
 * `bytes → SSE frames → source events → turn events → anchor → **scene** → rows`
 *
 * One more token must cost the same in a long turn as in a short one. So a scene remembers the items it was made from
 * and what it counted; the next one asks the vector where the items differ, keeps the rows before that, and makes only
 * the rest. No text is read.
 */
import type {ActivityItem, TurnAnchor} from '../anchor/turn-anchor.js';
import type {Vector} from '../anchor/vector.js';
import type {DisplayMode} from './display-mode.js';
import {rowsAfter, rowsBefore, type Survey} from './frame-rows.js';
import {endOfAnswer, itemRows, partsTools, type ItemView} from './item-rows.js';
import {projections, type Projection, type Surroundings} from './projections.js';
import {joinRows, reuseRows} from './reuse.js';
import {TracedScene, type Scene} from './scene.js';
import {countedVerb, emptyTally, hidesQuestions, isActive, retally, shownCalls, total} from './tally.js';
import {englishToolWords, toolSummary, type ToolWords} from './tool-words.js';

/** How a scene was made. */
interface Trace extends ItemView {
  readonly survey: Survey;
  /** Where the rows of items begin among the scene's rows. */
  readonly first: number;
  /** Beside each row of an item: the index of the item it begins with. */
  readonly starts: readonly number[];
}

/**
 * The turn as rows. With the `previous` scene of this turn, unchanged rows keep their reference; if nothing that is
 * shown has changed, the previous scene itself is returned.
 */
export function project(
  turn: TurnAnchor,
  mode: DisplayMode,
  previous?: Scene,
  words: ToolWords = englishToolWords,
): Scene {
  const old = previous instanceof TracedScene ? (previous as TracedScene<Trace>) : undefined;
  const last = old?.mode === mode && old.trace.words === words ? old : undefined;
  if (last !== undefined && shown.every((key) => last.trace.turn[key] === turn[key])) return last;
  return next(turn, mode, words, last);
}

/** What of a turn a scene depends on; the rest is bookkeeping of the fold. */
const shown = [
  ...([
    'id',
    'aliases',
    'prompt',
    'promptParts',
    'status',
    'terminal',
    'degraded',
    'error',
    'startedAt',
  ] as const),
  ...([
    'completedAt',
    'items',
    'answer',
    'answerComplete',
    'answerMessage',
    'answerId',
    'finalMessageRef',
  ] as const),
  ...(['artifacts', 'sideEffects', 'plan'] as const),
] satisfies readonly (keyof TurnAnchor)[];

function next(
  turn: TurnAnchor,
  mode: DisplayMode,
  words: ToolWords,
  old: TracedScene<Trace> | undefined,
): Scene {
  const changed = old === undefined ? 0 : turn.items.firstDifference(old.trace.turn.items);
  const survey = surveyItems(turn, words, changed, old?.trace);
  const projection = projections[mode];
  const around = surroundings(turn, projection, survey);
  const view: ItemView = {turn, projection, around, answerEnd: endOfAnswer(turn), words};
  const {start, kept} = old === undefined ? {start: 0, kept: 0} : resumeAt(view, old, changed);

  const first = old?.trace.first ?? 0;
  const reuse = reuseRows(
    old === undefined ? [] : [...old.rows.slice(0, first), ...old.rows.slice(first + kept)],
  );
  const before = rowsBefore(view, survey).map(reuse);
  const made = itemRows(view, start);
  const after = rowsAfter(view, survey, kept + made.rows.length > 0);

  const rest = [...made.rows, ...after].map(reuse);
  const rows = joinRows(old?.rows ?? [], {first, kept}, before, rest);
  const starts = old === undefined ? made.starts : old.trace.starts.slice(0, kept).concat(made.starts);
  return new TracedScene<Trace>(mode, rows, {...view, survey, first: before.length, starts});
}

function surveyItems(turn: TurnAnchor, words: ToolWords, changed: number, old: Trace | undefined): Survey {
  const {items} = turn;
  const tally = retally(old?.survey.tally ?? emptyTally, changed, old?.turn.items, items);
  const latest = (known: number | undefined, count: number, matches: (item: ActivityItem) => boolean) =>
    count === 0 ? -1 : latestIndex(items, matches, changed, known ?? -1);
  const current = latest(old?.survey.current, tally.active, isCurrent);
  const lastError = latest(old?.survey.lastError, tally.failed + tally.failedPhases, isFailed);
  if (old?.survey.tally === tally) return {...old.survey, current, lastError};
  const calls = shownCalls(tally);
  return {tally, tools: total(calls), summary: toolSummary(calls, words), current, lastError};
}

/** The last match. `known` was the last one before the items from `changed` on were replaced. */
function latestIndex(
  items: Vector<ActivityItem>,
  matches: (item: ActivityItem) => boolean,
  changed: number,
  known: number,
): number {
  for (let index = items.length - 1; index >= 0; index--) {
    if (index < changed && known >= 0 && known < changed) return known;
    if (matches(items.get(index) as ActivityItem)) return index;
  }
  return -1;
}

function isCurrent(item: ActivityItem): boolean {
  return item.tool !== null && isActive(item.tool.status) && countedVerb(item.tool) !== 'ask';
}

function isFailed(item: ActivityItem): boolean {
  return item.tool === null
    ? item.kind === 'lifecycle' && item.status === 'error'
    : item.tool.status === 'error';
}

function surroundings(turn: TurnAnchor, projection: Projection, {tally, tools}: Survey): Surroundings {
  const running = turn.status === 'created' || turn.status === 'running';
  const phases = running ? tally.phases : tally.failedPhases;
  return {
    running,
    // Prose alone is no worklog: folding it would hide what the reader came for (hermes-webui bug family 31).
    worklog: projection.folds && tools + tally.thoughts + phases > 0,
    hidesQuestions: hidesQuestions(tally),
    textOnly: !running && turn.answer.length === 0 && tools === 0,
  };
}

/** From which item rows must be made again, and how many rows of items before it stay. */
function resumeAt(view: ItemView, old: TracedScene<Trace>, changed: number): {start: number; kept: number} {
  const {starts, turn, first} = old.trace;
  const start = firstAffected(view, old.trace, changed);
  const kept = rowsBeginningBefore(starts, start);
  const row = old.rows[first + kept - 1];
  const inGroup = kept > 0 && row?.type === 'tool' && row.group !== null;
  if (!inGroup || !joins(view.turn.items, turn.items, start)) return {start, kept};
  const group = starts[kept - 1] as number;
  return {start: group, kept: rowsBeginningBefore(starts, group)};
}

/** True if a group of tools before `start` may reach to it, now or before. */
function joins(items: Vector<ActivityItem>, before: Vector<ActivityItem>, start: number): boolean {
  const ends = (item: ActivityItem | undefined) => item === undefined || partsTools(item);
  return (
    !partsTools(items.get(start - 1) as ActivityItem) && !(ends(items.get(start)) && ends(before.get(start)))
  );
}

function firstAffected(view: ItemView, old: Trace, changed: number): number {
  const {turn, around, answerEnd} = view;
  if (!sameSurroundings(around, old.around)) return 0;
  // The last item is drawn as the one that may still grow.
  const marks = [changed, Math.max(0, Math.min(old.turn.items.length, turn.items.length) - 1)];
  if (answerEnd !== old.answerEnd) marks.push(answerEnd, old.answerEnd);
  if (turn.answerMessage !== old.turn.answerMessage) {
    marks.push(beginOfMessage(turn.items, turn.answerMessage, changed));
    marks.push(beginOfMessage(turn.items, old.turn.answerMessage, changed));
  }
  return Math.min(...marks);
}

function sameSurroundings(a: Surroundings, b: Surroundings): boolean {
  return (
    a.running === b.running &&
    a.worklog === b.worklog &&
    a.hidesQuestions === b.hidesQuestions &&
    a.textOnly === b.textOnly
  );
}

/** The first item of a message before `end`, else `end`. Messages stand in the order of their ordinals. */
function beginOfMessage(items: Vector<ActivityItem>, message: number | null, end: number): number {
  if (message === null) return end;
  let begin = end;
  for (let index = end - 1; index >= 0; index--) {
    const own = items.get(index)?.message ?? null;
    if (own === message) begin = index;
    else if (own !== null && own < message) break;
  }
  return begin;
}

/** How many rows begin before the item at `start`; `starts` is in order. */
function rowsBeginningBefore(starts: readonly number[], start: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
