/**
 * Counts over a turn's items. Counting is per item and knows nothing of the mode, so a changed tail is counted by
 * taking the old tail away and adding the new one: no token recounts the turn.
 */
import type {ActivityItem} from '../anchor/turn-anchor.js';
import type {ToolStatus} from '../anchor/turn-event.js';
import type {Vector} from '../anchor/vector.js';
import {toolVerb, toolVerbs, type ToolVerb} from './tool-words.js';

const measures = ['failed', 'active', 'thoughts', 'phases', 'failedPhases', 'pending', 'clarifies'] as const;
/** Calls of `clarify` are counted apart: they do not show beside the question itself. */
const clarifyMeasures = ['clarifyCalls', 'clarifyActive'] as const;

export type Measure = (typeof measures)[number] | (typeof clarifyMeasures)[number] | ToolVerb;
export type Tally = Readonly<Record<Measure, number>>;

export const emptyTally = Object.fromEntries(
  [...measures, ...clarifyMeasures, ...toolVerbs].map((measure) => [measure, 0]),
) as Tally;

/** The tally after the items from `start` on were replaced. The same object when the counts are. */
export function retally(
  tally: Tally,
  start: number,
  before: Vector<ActivityItem>,
  after: Vector<ActivityItem>,
): Tally {
  const next = {...tally};
  count(next, before, start, -1);
  count(next, after, start, 1);
  return sameTally(tally, next) ? tally : next;
}

function sameTally(a: Tally, b: Tally): boolean {
  for (const measure in a) if (a[measure as Measure] !== b[measure as Measure]) return false;
  return true;
}

function count(tally: Record<Measure, number>, items: Vector<ActivityItem>, start: number, by: 1 | -1): void {
  for (let index = start; index < items.length; index++) {
    for (const measure of measuresOf(items.get(index) as ActivityItem)) tally[measure] += by;
  }
}

function measuresOf(item: ActivityItem): readonly Measure[] {
  switch (item.kind) {
    case 'reasoning':
      return item.text.length > 0 ? ['thoughts'] : [];
    case 'lifecycle':
      return item.status === 'error' ? ['phases', 'failedPhases'] : ['phases'];
    case 'tool':
      return toolMeasures(item);
    case 'control':
      return controlMeasures(item);
    default:
      return [];
  }
}

function toolMeasures(item: ActivityItem): readonly Measure[] {
  const tool = item.tool;
  if (tool === null) return [];
  if (isClarifyCall(item))
    return isActive(tool.status) ? ['clarifyCalls', 'clarifyActive'] : ['clarifyCalls'];
  const verb = toolVerb(tool);
  if (isActive(tool.status)) return [verb, 'active'];
  return tool.status === 'error' ? [verb, 'failed'] : [verb];
}

function controlMeasures(item: ActivityItem): readonly Measure[] {
  const out: Measure[] = [];
  if (item.control?.type === 'clarify') out.push('clarifies');
  if (item.control?.status === 'pending') out.push('pending');
  return out;
}

export function isActive(status: ToolStatus): boolean {
  return status === 'pending' || status === 'running';
}

/** True for the call behind a question to the reader. A failed one counts as any tool: its error must stay in sight. */
export function isClarifyCall(item: ActivityItem): boolean {
  return item.tool !== null && item.tool.name === 'clarify' && item.tool.status !== 'error';
}

/** How many calls of each verb there are; calls of `clarify` as questions where no control stands for them. */
export function verbCounts(tally: Tally): Record<ToolVerb, number> {
  const counts = Object.fromEntries(toolVerbs.map((verb) => [verb, tally[verb]])) as Record<ToolVerb, number>;
  if (!hidesClarify(tally)) counts.ask += tally.clarifyCalls;
  return counts;
}

export function hidesClarify(tally: Tally): boolean {
  return tally.clarifies > 0;
}

export function verbTotal(counts: Readonly<Record<ToolVerb, number>>): number {
  return toolVerbs.reduce((sum, verb) => sum + counts[verb], 0);
}
