/** Rows as templates: one pure function a kind of row. What is open comes from the view; facts come from the row. */
import {html, nothing, type TemplateResult} from 'lit';
import type {DirectiveResult} from 'lit/directive.js';
import {keyed as remade} from 'lit/directives/keyed.js';
import type {GrowingText, ToolDetails} from '../anchor/index.js';
import {rowKind, rowStatus, toolKeyArgument, toolLabel, type DisplayMode, type Row} from '../scene/index.js';
import {isKeyPath} from '../scene/tool-words.js';
import type {Controls} from './controls.js';
import {duration} from './duration.js';
import {elapsed} from './elapsed.js';
import {folded, foldedText} from './folded-row.js';
import {growing} from './growing.js';
import {icon} from './icons.js';
import {lazyControlRow} from './lazy-control-row.js';
import {lazyToolBody} from './lazy-tool-body.js';
import type {ProseChoices} from './markdown/prose-host.js';
import {block, diffLines, line, pathText} from './row-parts.js';
import {statusIcon} from './status-icon.js';
import type {Strings} from './strings.js';
import {artifactLink, stopButton} from './wishes.js';

/** What drawing a row needs beside the row. */
export interface RowView {
  readonly mode: DisplayMode;
  readonly strings: Strings;
  readonly controls: Controls;
  /** How Markdown is drawn. */
  readonly prose: ProseChoices;
  /** When the turn began, where somebody said so. */
  readonly startedAt: number | null;
  /** Whether the turn has ended. */
  readonly isOver: boolean;
  /** What the reader chose for this row, else the given default. */
  isOpen(row: Row): boolean;
  isHidden(row: Row): boolean;
  /** Whether what is above it says the same, and folds it: all there is under an opened worklog. */
  isSaid(row: Row): boolean;
  toggle(row: Row): void;
  /** What failed, the newest first, and the way there. */
  failed(): readonly Of<'tool' | 'lifecycle'>[];
  goTo(row: Row): void;
}

type Content = TemplateResult | DirectiveResult | typeof nothing;
type Of<T extends Row['type']> = Extract<Row, {type: T}>;

/** One row, in the element that keeps its place whatever happens in it. A heading of one tool reads the `next`. */
export function renderRow(row: Row, view: RowView, next?: Row): TemplateResult {
  const hidden = view.isHidden(row);
  return html`<div
    class="row ${row.type} ${view.mode}"
    part="row ${partOf(row)}"
    data-item-id=${row.id}
    data-type=${row.type}
    data-kind=${rowKind(row) ?? nothing}
    data-status=${rowStatus(row) ?? nothing}
    data-call-id=${(row.type === 'tool' && row.tool.callId) || nothing}
    ?data-worklog=${row.worklog}
    hidden=${hidden ? folded : nothing}
  >
    ${hidden ? foldedText(row, view.isOver) : content(row, view, next)}
  </div>`;
}

function partOf(row: Row): string {
  return row.type === 'worklog-summary'
    ? ''
    : row.type === 'control' && row.control.type === 'permission'
      ? 'approval'
      : row.type;
}

function content(row: Row, view: RowView, next: Row | undefined): Content {
  switch (row.type) {
    case 'prompt':
      return promptRow(row, view);
    case 'worklog-summary':
      return summaryRow(row, view);
    // One template for both: prose that turns out to be the answer keeps its nodes.
    case 'prose':
    case 'answer':
      return textRow('text', row.text, row.type === 'prose' || !row.live, true, view);
    case 'reasoning':
      return reasoningRow(row, view);
    case 'tool-group':
      return groupRow(row, view, next);
    case 'tool':
      return toolRow(row, view);
    case 'lifecycle':
      return said(statusIcon(row.status), row.text);
    case 'notice':
      return said(icon('ask'), row.text);
    case 'control':
      return lazyControlRow(row, view);
    case 'error':
      return errorRow(row, view);
    case 'plan':
      return planRow(row, view);
    case 'artifacts':
      return html`<ul>
        ${row.artifacts.map((artifact) => html`<li>${artifactLink(artifact, row, view)}</li>`)}
      </ul>`;
    case 'side-effects':
      return html`${row.effects.map(({kind, action, name}) => line(icon('completed'), `${kind}: ${action}`, name))}`;
    case 'terminal':
      return terminalRow(row, view);
    case 'status':
      return html`${line(
        html`<span class=${row.phase === 'writing' ? 'pulse still' : 'pulse'}></span>`,
        view.strings.phase[row.phase],
        row.current && toolLabel(row.current),
      )}${clock(view.startedAt, view)}${stopButton(row, view)}`;
    case 'condition':
      return line(
        icon('ask'),
        row.condition === 'restoring' ? view.strings.restoring : view.strings.degradedTurn,
      );
    default:
      return unreachable(row);
  }
}

function unreachable(row: never): never {
  throw new TypeError(`No template for ${JSON.stringify(row)}.`);
}

/** A picture and what the agent or its server said. */
function said(picture: TemplateResult, text: GrowingText): TemplateResult {
  return html`<span class="line">${picture}<b dir="auto" data-text>${text.toString()}</b></span>`;
}

/** A button that opens and closes what belongs to the row. */
function disclosure(
  row: Row,
  view: RowView,
  picture: TemplateResult,
  words: string,
  more?: unknown,
  end?: unknown,
): TemplateResult {
  if (view.isSaid(row)) return html``;
  // The turn makes one of these buttons reachable by tab; arrows reach the others.
  return html`<button
    type="button"
    tabindex="-1"
    part=${row.type === 'worklog-summary' ? row.type : nothing}
    aria-expanded=${view.isOpen(row)}
    @click=${() => view.toggle(row)}
  >
    ${line(picture, words, more)}${end}${icon('chevron')}
  </button>`;
}

function promptRow({text, parts}: Of<'prompt'>, {strings}: RowView) {
  return html`<span class="unseen">${strings.prompt}</span>
    <p dir="auto" data-text>${text}</p>
    ${parts.map(({type, text, uri}) =>
      type === 'text' ? nothing : html`<p>${line(icon('file'), text ?? uri ?? type)}</p>`,
    )}`;
}

function summaryRow(row: Of<'worklog-summary'>, view: RowView) {
  const {strings} = view;
  const {words, running, current} = row;
  const open = view.isOpen(row);
  return disclosure(
    row,
    view,
    running ? statusIcon('running') : html``,
    // What stands below says itself what it is, and more of it comes.
    (running && open ? '' : words) || (running ? strings.working : strings.thought),
    open ? null : current && toolLabel(current),
  );
}

function reasoningRow(row: Of<'reasoning'>, view: RowView) {
  const {thinking, thought} = view.strings;
  return html`${disclosure(row, view, html``, row.live ? thinking : thought)}
  ${textRow('text body', row.text, !row.live, view.isOpen(row), view)}`;
}

/** A text in an element of its own, and in another when the page draws texts in another way. */
function textRow(classes: string, text: GrowingText, finished: boolean, open: boolean, {prose}: RowView) {
  return remade(prose, html`<div class=${classes} ?hidden=${!open} ${growing(text, finished, prose)}></div>`);
}

function groupRow(row: Of<'tool-group'>, view: RowView, next: Row | undefined) {
  const only = row.members.length === 1 && next?.type === 'tool' ? next.tool : null;
  const more = view.isOpen(row) ? null : only ? keyOf(only) : row.current && toolLabel(row.current);
  const failed = row.errors > 0 ? html`<span class="end">${view.strings.errors(row.errors)}</span>` : null;
  return disclosure(row, view, statusIcon(row.status), row.words, more, failed);
}

/** How many failed, and what, the newest first: each leads to where it stands. */
function errorRow({count}: Of<'error'>, {strings, failed, goTo}: RowView) {
  return html`${failed().map(
    (row, index) =>
      html`<button type="button" tabindex="-1" @click=${() => goTo(row)}>
        ${line(
          icon('error'),
          index > 0 ? '' : strings.errors(count),
          row.type === 'tool' ? toolLabel(row.tool) : row.text.toString(),
        )}
      </button>`,
  )}`;
}

/** What tells most about a call. */
function keyOf(tool: ToolDetails) {
  const key = toolKeyArgument(tool);
  return key !== null && isKeyPath(tool, key) ? pathText(key) : key;
}

/** As much of an output as is handed to the layout, which shows two lines of it. */
const SHORT = 400;
// eslint-disable-next-line no-control-regex -- what a terminal would not show
const SEQUENCE = /\x1b(?:\[[ -?]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)/g;

function shortly(output: string): string {
  return output
    .slice(0, 4 * SHORT)
    .replace(SEQUENCE, '')
    .slice(0, SHORT);
}

function toolRow(row: Of<'tool'>, view: RowView) {
  const {tool} = row;
  const took =
    tool.durationMs === null
      ? null
      : html`<span class="end" dir="auto">${duration(tool.durationMs, view.prose.language)}</span>`;
  const time = tool.status === 'running' ? clock(row.at, view) : took;
  return html`${disclosure(row, view, statusIcon(tool.status), tool.name || tool.title || '', keyOf(tool), time)}
    <span class="unseen">${tool.status}</span>
    ${
      view.isOpen(row)
        ? lazyToolBody(tool, view, () => toolBody(tool, view))
        : row.worklog || !tool.output
          ? nothing
          : html`<div class="short" dir="auto">${shortly(tool.output)}</div>`
    }`;
}

function toolBody({args, output, diff}: ToolDetails, {strings}: RowView) {
  const json = Object.keys(args).length > 0 ? JSON.stringify(args, null, 2) : '';
  return html`<div class="body">
    ${block(strings.arguments, json)}${block(strings.changes, diff ?? '', diffLines)}${block(strings.output, output)}
  </div>`;
}

/** How it ended, why, and what the reader can do. */
function terminalRow({state, error}: Of<'terminal'>, {strings}: RowView) {
  const stopped = state === 'cancelled' || state === 'interrupted';
  const next = error?.hint ?? nextStep(strings.next, error?.type ?? '') ?? nextStep(strings.next, state);
  return html`${line(icon(stopped ? 'stopped' : 'error'), strings.terminal[state], error?.type)}
  ${error?.message ? html`<p dir="auto">${error.message}</p>` : nothing}
  ${next ? html`<p class="next" dir="auto">${next}</p>` : nothing}`;
}

/** A type from outside may have any name. */
function nextStep(next: Strings['next'], name: string): string | undefined {
  return Object.hasOwn(next, name) ? next[name] : undefined;
}

function planRow({entries}: Of<'plan'>, {strings, isOver}: RowView) {
  const done = entries.filter(({status}) => status === 'completed').length;
  return html`<small>${strings.plan} ${done}/${entries.length}</small>
    <ul>
      ${entries.map(
        ({content, status}) =>
          html`<li data-status=${status}>
            ${line(isOver && status === 'in_progress' ? icon('stopped') : statusIcon(status), content)}<span
              class="unseen"
              >${status.replaceAll('_', ' ')}</span
            >
          </li>`,
      )}
    </ul>`;
}

/** How long ago something began, where somebody said when. */
function clock(since: number | null, {prose}: RowView): Content {
  return since === null
    ? nothing
    : html`<span class="end" dir="auto">${elapsed(since, prose.language)}</span>`;
}
