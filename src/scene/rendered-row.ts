/** What should be on the page: rows as an element reports them, so that a screen can be compared with its scene. */
import type {ItemKind} from '../anchor/turn-anchor.js';
import type {Row, RowType} from './row.js';
import type {Scene} from './scene.js';
import {digestText} from './text-digest.js';

/** One row as it is on the page, or as it should be. */
export interface RenderedRow {
  readonly id: string;
  readonly type: string;
  /** The kind of item it shows, null for rows that are not made of an item. */
  readonly kind: string | null;
  readonly status: string | null;
  readonly toolCallId: string | null;
  /** Folded out of sight by the worklog or its group. */
  readonly hidden: boolean;
  /** `3 characters, #d6f5a8b1`: the text by length and hash; null when the row has none or it is not reported. */
  readonly text: string | null;
}

/** What the reader chose: row id of a worklog summary or tool group → open. */
export interface RowView {
  readonly open?: ReadonlyMap<string, boolean>;
}

const kinds: Readonly<Partial<Record<RowType, ItemKind>>> = {
  prose: 'prose',
  answer: 'prose',
  reasoning: 'reasoning',
  tool: 'tool',
  lifecycle: 'lifecycle',
  control: 'control',
  notice: 'notice',
  terminal: 'terminal',
};

/** The rows that belong on the page. Reads whole texts: for tests and reports, not for every token. */
export function expectedRows(scene: Scene, view: RowView = {}): RenderedRow[] {
  return scene.rows.map((row) => ({
    id: row.id,
    type: row.type,
    kind: rowKind(row),
    status: rowStatus(row),
    toolCallId: row.type === 'tool' ? row.tool.callId : null,
    hidden: isFolded(row, scene, view),
    text: rowText(row),
  }));
}

/** The kind of item a row shows, for `data-kind`. */
export function rowKind(row: Row): ItemKind | null {
  return kinds[row.type] ?? null;
}

/** The row's own status, for `data-status`. */
export function rowStatus(row: Row): string | null {
  switch (row.type) {
    case 'tool':
      return row.tool.status;
    case 'control':
      return row.control.status;
    case 'tool-group':
    case 'lifecycle':
      return row.status;
    case 'terminal':
      return row.state;
    default:
      return null;
  }
}

/** True if the row is out of sight: its worklog or its group is folded. */
export function isFolded(row: Row, scene: Scene, {open}: RowView): boolean {
  const summary = row.worklog ? scene.rows.find(({type}) => type === 'worklog-summary') : undefined;
  if (summary?.type === 'worklog-summary' && !(open?.get(summary.id) ?? summary.defaultOpen)) return true;
  return row.type === 'tool' && row.group !== null && !(open?.get(row.group) ?? false);
}

function rowText(row: Row): string | null {
  return row.type !== 'error' && 'text' in row ? digestText(row.text.toString()) : null;
}
