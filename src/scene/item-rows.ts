/** Rows of items, in true order; neighbouring tools of a worklog under a heading in words. */
import type {ActivityItem, ToolDetails, TurnAnchor} from '../anchor/turn-anchor.js';
import {isAnswerItem} from '../anchor/turn-anchor.js';
import type {ToolStatus} from '../anchor/turn-event.js';
import type {ControlRow, Row, ToolGroupRow, ToolRow} from './row.js';
import type {Projection, Surroundings} from './projections.js';
import {countedVerb, emptyTally, isActive} from './tally.js';
import {toolSummary, type ToolWords} from './tool-words.js';

/** Rows with, beside each, the index of the item from which it and its heading were made. */
export interface ItemRows {
  readonly rows: Row[];
  readonly starts: number[];
}

export interface ItemView {
  readonly turn: TurnAnchor;
  readonly projection: Projection;
  readonly around: Surroundings;
  /** Controls from here on follow the answer. */
  readonly answerEnd: number;
  readonly words: ToolWords;
}

/** Rows of the items from `start` on, where no group of tools is open. */
export function itemRows(view: ItemView, start: number): ItemRows {
  const {items} = view.turn;
  const out: ItemRows = {rows: [], starts: []};
  for (let index = start; index < items.length;) {
    const item = items.get(index) as ActivityItem;
    if (view.around.worklog && item.kind === 'tool' && shows(view, item)) index = pushGroup(view, index, out);
    else pushRow(out, index, rowOf(view, item, index++));
  }
  return out;
}

/** Controls that follow the answer, such as the reader's next instruction. */
export function controlsAfterAnswer(view: ItemView): readonly ControlRow[] {
  return view.turn.items.slice(view.answerEnd).flatMap((item) => controlRow(item) ?? []);
}

/** Where the answer's last part ends; the number of items if it has none. */
export function endOfAnswer(turn: TurnAnchor): number {
  const {items, answerMessage} = turn;
  if (answerMessage === null) return items.length;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items.get(index) as ActivityItem;
    if (isAnswerItem(turn, item)) return index + 1;
    if (item.message !== null && item.message < answerMessage) break;
  }
  return items.length;
}

/** True for items that part neighbouring tools, whether they are drawn or not. */
export function partsTools(item: ActivityItem): boolean {
  return item.kind !== 'tool' && item.kind !== 'lifecycle';
}

function shows(view: ItemView, item: ActivityItem): boolean {
  const behindQuestion = view.around.hidesQuestions && item.tool !== null && countedVerb(item.tool) === 'ask';
  return !behindQuestion && view.projection.shows(item, view.around);
}

function pushRow(out: ItemRows, start: number, row: Row | null): void {
  if (row === null) return;
  out.rows.push(row);
  out.starts.push(start);
}

/** Pushes a heading and its tools; returns the index after the last of them. */
function pushGroup(view: ItemView, start: number, out: ItemRows): number {
  const members: ActivityItem[] = [];
  const {items} = view.turn;
  let index = start;
  for (; index < items.length; index++) {
    const item = items.get(index) as ActivityItem;
    if (item.kind === 'tool' && shows(view, item)) members.push(item);
    else if (partsTools(item) || shows(view, item)) break;
  }
  const heading = groupRow(members, view.words);
  for (const row of [heading, ...members.map((item) => toolRow(item, heading.id))]) pushRow(out, start, row);
  return index;
}

function rowOf(view: ItemView, item: ActivityItem, index: number): Row | null {
  if (isAnswerItem(view.turn, item) || !shows(view, item)) return null;
  const {id, text, at, status} = item;
  const {worklog, running} = view.around;
  switch (item.kind) {
    case 'prose':
      return text.length > 0 ? {id, type: 'prose', worklog, text, at} : null;
    case 'reasoning':
      if (text.length === 0) return null;
      return {
        id,
        type: 'reasoning',
        worklog,
        text,
        at,
        live: running && index === view.turn.items.length - 1,
      };
    case 'tool':
      return toolRow(item, null);
    case 'lifecycle':
      return {id, type: 'lifecycle', worklog, status, text, at};
    case 'notice':
      return {id, type: 'notice', worklog, text, at};
    case 'control':
      return index < view.answerEnd ? controlRow(item) : null;
    case 'terminal':
      return null; // The turn's own terminal state is the row.
    default:
      return unreachable(item.kind);
  }
}

function toolRow(item: ActivityItem, group: string | null): ToolRow {
  const tool = item.tool as ToolDetails;
  return {id: item.id, type: 'tool', worklog: group !== null, tool, at: item.at, group};
}

function controlRow(item: ActivityItem): ControlRow | null {
  const {id, control, text, at} = item;
  return control === null ? null : {id, type: 'control', worklog: false, control, text, at};
}

function groupRow(members: readonly ActivityItem[], words: ToolWords): ToolGroupRow {
  const tools = members.map((item) => item.tool as ToolDetails);
  const counts = {...emptyTally};
  for (const tool of tools) counts[countedVerb(tool)]++;
  return {
    id: `group:${(members[0] as ActivityItem).id}`,
    type: 'tool-group',
    worklog: true,
    words: toolSummary(counts, words),
    members: members.map((item) => item.id),
    errors: tools.filter((tool) => tool.status === 'error').length,
    status: groupStatus(tools),
    current: tools.findLast((tool) => isActive(tool.status)) ?? null,
  };
}

function groupStatus(tools: readonly ToolDetails[]): ToolStatus {
  if (tools.some((tool) => isActive(tool.status))) return 'running';
  if (tools.some((tool) => tool.status === 'error')) return 'error';
  return (tools.at(-1) as ToolDetails).status;
}

function unreachable(kind: never): never {
  throw new Error(`No row for an item of kind ${String(kind)}.`);
}
