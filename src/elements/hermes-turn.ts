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
 * Attributes, properties and events that all elements share are described at `SessionElement`.
 *
 * @attr data-turn-id - The id of the turn shown. Set by the element.
 * @fires hermes-permission-request - The reader allowed or refused what the agent wants to do. Cancelable; else the choice is posted.
 * @fires hermes-clarify-request - The reader answered a question of the agent. Cancelable; else the answer is posted.
 * @fires hermes-artifact-request - The reader wants to see a file. Only a page can open one: it cancels the event.
 * @fires hermes-link-request - The reader followed a link. Cancelable; else it opens in a new tab.
 * @slot - Shown while there is no turn. A `<script type="application/json">` in it is shown as the transcript.
 * @csspart row - Any row, with `data-item-id`, `data-type`, `data-kind` and `data-status`. It has one part more, by its type.
 * @csspart prompt - What the reader asked.
 * @csspart worklog-summary - The button that folds and opens the worklog.
 * @csspart prose - Text on the way to the answer.
 * @csspart reasoning - A thought.
 * @csspart tool-group - The heading above neighbouring tools.
 * @csspart tool - A call of a tool.
 * @csspart lifecycle - A phase of the run, such as compression.
 * @csspart notice - A sentence of the agent or its server.
 * @csspart control - Something asked of the reader, or a boundary the reader or the server set.
 * @csspart approval - In place of `control`: the agent wants to be allowed something.
 * @csspart option - A button that answers.
 * @csspart answer-field - Where a question is answered in the reader's own words.
 * @csspart error - The last failure, and how many there were.
 * @csspart plan - What the agent means to do.
 * @csspart answer - The answer.
 * @csspart artifacts - Files the turn wrote, changed or refers to.
 * @csspart side-effects - What the run did outside the transcript.
 * @csspart terminal - How the turn ended, where that is not well.
 * @csspart status - The line of life of a running turn; also the line that says why nothing more comes.
 * @csspart stop-button - The button that stops the run.
 * @csspart condition - Says that what is shown may not be all.
 * @cssstate running - The agent works on it.
 * @cssstate settled - It has ended.
 * @cssstate restoring - What is known of it is weak or incomplete.
 * @cssstate error - It has ended without what was asked for.
 * @cssprop [--hermes-color-accent] - Links, running tools, focus.
 * @cssprop [--hermes-color-error] - Failures.
 * @cssprop [--hermes-color-success] - The check mark of a tool that went well.
 * @cssprop [--hermes-color-muted] - Activity.
 * @cssprop [--hermes-color-line] - Borders.
 * @cssprop [--hermes-color-soft] - The ground of the prompt and of code.
 * @cssprop [--hermes-font-mono] - Code, paths, commands.
 * @cssprop [--hermes-font-size-activity=0.875em] - Activity.
 * @cssprop [--hermes-font-size-answer=1em] - The answer.
 * @cssprop [--hermes-line-height=1.6] - The answer and the prompt.
 * @cssprop [--hermes-radius=0.75em] - Corners.
 */
export class HermesTurn extends SessionElement {
  static override styles = turnStyles;

  /** The turn to show. The same reference means nothing changed. */
  @property({attribute: false}) anchor: TurnAnchor | undefined;
  /** Which turn of the session, by id or alias; the newest when left out. */
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
