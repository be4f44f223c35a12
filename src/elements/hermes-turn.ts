import {html, nothing, type PropertyValues} from 'lit';
import {property} from 'lit/decorators.js';
import type {TurnAnchor} from '../anchor/index.js';
import {toMarkdown} from '../scene/export.js';
import {
  parseDisplayMode,
  project,
  type DisplayMode,
  type RenderedRow,
  type Row,
  type Scene,
} from '../scene/index.js';
import {connectionRow} from './connection-row.js';
import {Controls} from './controls.js';
import {HermesLinkRequestEvent} from './events.js';
import {keyed} from './keyed.js';
import {Narrator} from './narrator.js';
import {renderRow, type RowView} from './rows.js';
import {SessionElement} from './session-element.js';
import {turnStyles} from './styles.js';

/** What the reader did to a row, and the key its element keeps when its item gets another id. */
interface RowState {
  readonly key: number;
  open?: boolean;
}

/**
 * One turn: what was asked, its activity in the chosen mode, then its answer.
 *
 * In a transcript it renders into itself, so that parts, selection and find reach across turns; alone it has a root of its own.
 *
 * @attr src - The stream of the run.
 * @attr history - The address of the settled session, loaded before the stream.
 * @attr base - The server. With `session-id` streams and history are found from it.
 * @attr session-id - The session at that server.
 * @attr wire - `auto` (default), `hermes-webui` or `hermes-runs`.
 * @attr session - The id of a `<hermes-session>` elsewhere in the page.
 * @attr turn-id - Which turn of the session, by id or alias; the newest when left out.
 * @attr mode - `compact-worklog` (default), `transparent-stream` or `answer-only`.
 * @attr data-turn-id - The id of the turn shown. Set by the element.
 * @prop anchor - The turn itself, in place of a session.
 * @prop strings - Words in place of the English ones.
 * @fires hermes-link-request - The reader followed a link. Cancelable; else it opens in a new tab.
 * @fires hermes-turn-started - As of `<hermes-transcript>`, when the session is its own; so the next three.
 * @fires hermes-turn-settled - As of `<hermes-transcript>`.
 * @fires hermes-connection-changed - As of `<hermes-transcript>`.
 * @fires hermes-artifact-added - As of `<hermes-transcript>`.
 * @slot - Shown while there is no turn.
 * @csspart row - Any row; also by kind, as of `<hermes-transcript>`, with the same custom properties.
 * @csspart worklog-summary - The button that folds and opens the worklog.
 * @cssstate running - The agent works on it.
 * @cssstate settled - It has ended.
 * @cssstate restoring - What is known of it is weak or incomplete.
 * @cssstate error - It has ended without what was asked for.
 */
export class HermesTurn extends SessionElement {
  static override styles = turnStyles;

  /** The turn to show. The same reference means nothing changed. */
  @property({attribute: false}) anchor: TurnAnchor | undefined;
  @property({attribute: 'turn-id'}) turnId: string | undefined;
  /** How activity is shown: `compact-worklog`, `transparent-stream` or `answer-only`. */
  @property() mode: DisplayMode | (string & {}) = 'compact-worklog';

  /** True in a transcript: renders into itself. */
  within = false;

  readonly #narrator = new Narrator();
  readonly #controls = new Controls(this, () => this.#redraw());
  #states = new Map<string, RowState>();
  #keys = 0;
  /** Counts what the reader, or the page, changed of how rows are drawn. */
  #choices = 0;
  #renamed: TurnAnchor['renamed'] = null;
  #scene: Scene | undefined;

  constructor() {
    super();
    this.addEventListener('click', this.#clicked);
  }

  /** The turn as markdown. */
  toMarkdown(): string {
    const turn = this.#turn;
    return turn ? toMarkdown([turn], parseDisplayMode(this.mode)) : '';
  }

  /** What stands on the screen, read from the document; for `reconcile`. */
  renderedRows(): RenderedRow[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[data-item-id]')].map(readRow);
  }

  /** Worklogs and groups the reader opened or folded, by row id; for `expectedRows`. */
  get openRows(): ReadonlyMap<string, boolean> {
    return new Map([...this.#states].flatMap(([id, {open}]) => (open === undefined ? [] : [[id, open]])));
  }

  protected override createRenderRoot() {
    return this.within ? this : super.createRenderRoot();
  }

  protected override get provides() {
    return false;
  }

  protected override get usesSession() {
    return !this.within && this.anchor === undefined;
  }

  get #turn(): TurnAnchor | undefined {
    if (this.anchor) return this.anchor;
    const turns = this.shown?.transcript.turns;
    const {turnId} = this;
    return turnId
      ? turns?.find(({id, aliases}) => id === turnId || aliases.includes(turnId))
      : turns?.at(-1);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const turn = this.#turn;
    if (turn && turn.renamed !== this.#renamed) this.#rename(turn.renamed);
    if (changed.has('strings')) this.#choices++;
    this.#controls.follow(turn);
    const folds = summaryOf(this.#scene?.rows);
    this.#scene = turn && project(turn, parseDisplayMode(this.mode), this.#scene);
    const now = summaryOf(this.#scene?.rows);
    // The worklog folds when the turn is over, but not under a reader.
    if (folds?.defaultOpen && now && !now.defaultOpen && this.#isRead()) this.#stateOf(now.id).open ??= true;
  }

  protected override render() {
    const rows = this.#scene?.rows ?? [];
    const summary = summaryOf(rows);
    const folded = summary !== undefined && !this.#isOpen(summary);
    const mode = parseDisplayMode(this.mode);
    const view: RowView = {
      mode,
      strings: this.words,
      controls: this.#controls,
      isOpen: (row) => this.#isOpen(row),
      isHidden: (row) =>
        (row.worklog && folded) ||
        (row.type === 'tool' && row.group !== null && !this.#states.get(row.group)?.open),
      toggle: (row) => this.#toggle(row),
    };
    return html`${keyed(
      rows,
      (row) => this.#stateOf(row.id).key,
      `${mode} ${folded} ${this.#choices}`,
      (row, index) => renderRow(row, view, rows[index + 1]),
    )}${
      this.within
        ? nothing
        : html`${this.#scene ? nothing : html`<slot @slotchange=${this.adopt}></slot>`}${connectionRow(this.shown)}
            <div class="unseen" role="status">
              ${this.#narrator.say(this.#turn, view.strings) || nothing}
            </div>`
    }`;
  }

  protected override updated(): void {
    const turn = this.#turn;
    this.toggleAttribute('data-turn-id', turn !== undefined);
    if (!turn) return;
    const {id, status, terminal, prompt} = turn;
    const running = status === 'running' || status === 'created';
    this.dataset['turnId'] = id;
    this.describe('article', prompt);
    this.ariaBusy = String(running);
    this.state = running
      ? 'running'
      : status === 'settled' && terminal && terminal !== 'completed'
        ? 'error'
        : status;
  }

  #stateOf(id: string): RowState {
    let state = this.#states.get(id);
    if (!state) this.#states.set(id, (state = {key: this.#keys++}));
    return state;
  }

  #isOpen(row: Row): boolean {
    const chosen = this.#states.get(row.id)?.open;
    if (chosen !== undefined) return chosen;
    switch (row.type) {
      case 'worklog-summary':
        return row.defaultOpen;
      case 'reasoning':
        return !row.worklog;
      default:
        return false;
    }
  }

  #redraw() {
    this.#choices++;
    this.requestUpdate();
  }

  #toggle(row: Row) {
    const open = (this.#stateOf(row.id).open = !this.#isOpen(row));
    // What stands alone under its heading opens with it.
    if (row.type === 'tool-group' && row.members.length === 1)
      this.#stateOf(row.members[0] as string).open = open;
    this.#redraw();
  }

  /** Ids of items have shifted: the state moves along. */
  #rename(renamed: TurnAnchor['renamed']) {
    this.#renamed = renamed;
    const moved = [...(renamed ?? [])].map(([old, id]) => [id, this.#states.get(old)] as const);
    for (const old of renamed?.keys() ?? []) this.#states.delete(old);
    for (const [id, state] of moved) if (state) this.#states.set(id, state);
  }

  /** Whether the reader is at something in it: a focus, a selection, an opened row. */
  #isRead(): boolean {
    return (
      this.matches(':focus-within') || [...this.#states.values()].some(({open}) => open) || this.#isSelected()
    );
  }

  #isSelected(): boolean {
    const selection = getSelection();
    const shadowRoots = [this.renderRoot.getRootNode() as ShadowRoot];
    // Younger than some browsers; those tell the nodes inside a root without it.
    const range =
      selection?.getComposedRanges?.({shadowRoots})[0] ??
      (selection?.rangeCount ? selection.getRangeAt(0) : null);
    return range !== null && !range.collapsed && this.renderRoot.contains(range.startContainer);
  }

  readonly #clicked = (event: MouseEvent) => {
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    // A file the page opens itself.
    if (event.defaultPrevented) return;
    if (link && !this.dispatchEvent(new HermesLinkRequestEvent(link.href))) event.preventDefault();
  };
}

function readRow(row: HTMLElement): RenderedRow {
  const {itemId: id = '', type = '', kind = null, status = null, callId: toolCallId = null} = row.dataset;
  // Prose is drawn as blocks, which do not say what stood between them.
  const text = row.querySelector('[data-text]')?.textContent ?? null;
  return {id, type, kind, status, toolCallId, hidden: row.hidden !== false, text};
}

/** It stands at the head, after the prompt. */
function summaryOf(rows: readonly Row[] = []) {
  return rows.slice(0, 2).find((row) => row.type === 'worklog-summary');
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-turn': HermesTurn;
  }
}
