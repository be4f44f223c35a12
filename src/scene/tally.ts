/**
 * Counts over a turn's items. Counting is per item and knows nothing of the mode, so a changed tail is counted by
 * taking the old tail away and adding the new one: no token recounts the turn.
 */
import type {ActivityItem, ToolDetails} from '../anchor/turn-anchor.js';
import type {ToolStatus} from '../anchor/turn-event.js';
import type {Vector} from '../anchor/vector.js';
import {toolVerb, toolVerbs, type ToolCounts, type ToolVerb} from './tool-words.js';

const measures = ['failed', 'active', 'thoughts', 'phases', 'failedPhases', 'pending', 'clarifies'] as const;

type Measure = (typeof measures)[number] | ToolVerb;
export type Tally = Readonly<Record<Measure, number>>;

export const emptyTally = Object.fromEntries(
  [...measures, ...toolVerbs].map((measure) => [measure, 0]),
) as Tally;

/** The tally after the items from `start` on were replaced. The same object when the counts are. */
export function retally(
  tally: Tally,
  start: number,
  before: Vector<ActivityItem> | undefined,
  after: Vector<ActivityItem>,
): Tally {
  const next = {...tally};
  if (before !== undefined) count(next, before, start, -1);
  count(next, after, start, 1);
  for (const measure in next) if (next[measure as Measure] !== tally[measure as Measure]) return next;
  return tally;
}

function count(tally: Record<Measure, number>, items: Vector<ActivityItem>, start: number, by: 1 | -1): void {
  for (let index = start; index < items.length; index++) {
    for (const measure of measuresOf(items.get(index) as ActivityItem)) tally[measure] += by;
  }
}

function measuresOf({kind, text, status, tool, control}: ActivityItem): readonly Measure[] {
  if (tool !== null) return toolMeasures(tool);
  if (control !== null) {
    const asks = control.type === 'clarify' ? (['clarifies'] as const) : [];
    return control.status === 'pending' ? [...asks, 'pending'] : asks;
  }
  if (kind === 'lifecycle') return status === 'error' ? ['phases', 'failedPhases'] : ['phases'];
  return kind === 'reasoning' && text.length > 0 ? ['thoughts'] : [];
}

function toolMeasures(tool: ToolDetails): readonly Measure[] {
  const verb = countedVerb(tool);
  if (tool.status === 'error') return [verb, 'failed'];
  return isActive(tool.status) && verb !== 'ask' ? [verb, 'active'] : [verb];
}

export function isActive(status: ToolStatus): boolean {
  return status === 'pending' || status === 'running';
}

/**
 * The verb a call is counted under; what was refused was not done. Those of `ask` do not show beside the question they ask
 * (`hidesQuestions`); a failed one shows like any tool, since its error must stay in sight.
 */
export function countedVerb(tool: ToolDetails): ToolVerb {
  if (tool.status === 'denied') return 'deny';
  const verb = toolVerb(tool);
  return verb === 'ask' && tool.status === 'error' ? 'use' : verb;
}

/** True when a control asks the reader, in place of the call behind it. */
export function hidesQuestions(tally: Tally): boolean {
  return tally.clarifies > 0;
}

/** How many calls of each verb are shown. */
export function shownCalls(tally: Tally): ToolCounts {
  return hidesQuestions(tally) ? {...tally, ask: 0} : tally;
}

export function total(counts: ToolCounts): number {
  return toolVerbs.reduce((sum, verb) => sum + counts[verb], 0);
}
