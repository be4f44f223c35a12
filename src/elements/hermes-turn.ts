import {html, nothing, type PropertyValues} from 'lit';
import {property} from 'lit/decorators.js';
import type {GrowingText, TurnAnchor} from '../anchor/index.js';
import {toMarkdown} from '../scene/export.js';
import {digestText} from '../scene/text-digest.js';
import {
  englishToolWords,
  parseDisplayMode,
  project,
  rowStatus,
  type DisplayMode,
  type RenderedRow,
  type Row,
  type Scene,
} from '../scene/index.js';
import {connectionRow} from './connection-row.js';
import {Controls} from './controls.js';
import {HermesLinkRequestEvent} from './events.js';
import {FollowEnd} from './follow-end.js';
import {drawMore, drawnText} from './growing.js';
import {firstDifference, keyed, lastItem} from './keyed.js';
import {loadHighlight} from './load-highlight.js';
import type {HermesTranscript} from './hermes-transcript.js';
import type {Highlight, ProseChoices} from './markdown/prose-host.js';
import {languageOf} from './language.js';
import {liveRange} from './live-range.js';
import {endLines, exported} from './load-export.js';
import {Narrator, type Narration} from './narrator.js';
import {AT_ONCE, paceOf, type Pace} from './pace.js';
import {renderRow, type RowView} from './rows.js';
import {safeUrl} from './safe-url.js';
import {selectedRange} from './selected-range.js';
import {SessionElement} from './session-element.js';
import {spoken} from './spoken.js';
import {english, type Strings} from './strings.js';
import {turnStyles} from './turn-styles.js';

/** The height that a letter of a text takes in all its lines, in pixels. */
const LETTER = 0.4;

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
 * @fires hermes-quote-request - The reader quotes what they selected. Cancelable; else it goes into the composer of the conversation, or to the clipboard where there is none.
 * @slot - Shown while there is no turn. A `<script type="application/json">` in it is shown as the transcript.
 * @csspart row - Any row, with `data-item-id`, `data-type`, `data-kind` and `data-status`. It has one part more, by its type.
 * @csspart prompt - What the reader asked.
 * @csspart worklog-summary - The button that folds and opens the worklog.
 * @csspart prose - Text on the way to the answer.
 * @csspart reasoning - A thought.
 * @csspart tool-group - The heading above neighbouring tools.
 * @csspart tool - A call of a tool.
 * @csspart tool-body - What a call was given and what it gave back, once it is opened.
 * @csspart lifecycle - A phase of the run, such as compression.
 * @csspart notice - A sentence of the agent or its server.
 * @csspart control - Something asked of the reader, or a boundary the reader or the server set.
 * @csspart approval - In place of `control`: the agent wants to be allowed something.
 * @csspart option - A button that answers.
 * @csspart retry-button - Asks the server again: for what did not come, or whether something can still be answered.
 * @csspart code-point - A character in an approval, a command or code that would not be seen, or looks like another; its code stands before it.
 * @csspart code - A block of code in a text.
 * @csspart table - A table in a text, in the box it scrolls in.
 * @csspart caption - The line above code or a table: its language, and its buttons.
 * @csspart wrap-button - Breaks the lines of code, or leaves them as long as they are.
 * @csspart copy-button - Copies code, a table, or what a call was given or gave back.
 * @csspart figure - What was drawn in the place of code.
 * @csspart image-button - Stands for an image from elsewhere, until the reader asks for it.
 * @csspart answer-field - Where a question is answered in the reader's own words.
 * @csspart error - The last failure, and how many there were.
 * @csspart plan - What the agent means to do.
 * @csspart answer - The answer.
 * @csspart artifacts - Files the turn wrote, changed or refers to.
 * @csspart side-effects - What the run did outside the transcript.
 * @csspart terminal - How the turn ended, where that is not well.
 * @csspart status - The line of life of a running turn; also the line that says why nothing more comes, or that something is on its way.
 * @csspart stop-button - The button that stops the run.
 * @csspart condition - Says that what is shown may not be all.
 * @csspart usage - What a finished turn took.
 * @csspart actions - The line under a turn that copies and quotes.
 * @csspart action - A button in it.
 * @csspart menu - What its last button opens.
 * @cssstate running - The agent works on it.
 * @cssstate settled - It has ended.
 * @cssstate restoring - What is known of it is weak or incomplete.
 * @cssstate error - It has ended without what was asked for.
 * @cssprop [--hermes-border-width=1px] - Borders.
 * @cssprop [--hermes-color-accent] - Links, running tools.
 * @cssprop [--hermes-color-code] - The ground of code, commands and outputs.
 * @cssprop [--hermes-color-error] - Failures.
 * @cssprop [--hermes-color-focus] - The ring around what has the focus.
 * @cssprop [--hermes-color-line] - Lines.
 * @cssprop [--hermes-color-muted] - Activity.
 * @cssprop [--hermes-color-prompt] - The ground of the prompt.
 * @cssprop [--hermes-color-prompt-text] - The text of the prompt.
 * @cssprop [--hermes-color-soft] - The ground of what is set apart, unless it has a colour of its own.
 * @cssprop [--hermes-color-success] - The check mark of a tool that went well.
 * @cssprop [--hermes-color-text] - Text; the host's own by default.
 * @cssprop [--hermes-color-warning] - What asks for a decision.
 * @cssprop [--hermes-font] - Text; the host's own by default.
 * @cssprop [--hermes-font-mono] - Code, paths, commands.
 * @cssprop [--hermes-font-size-activity=0.875em] - Activity.
 * @cssprop [--hermes-font-size-answer=1em] - The answer, and prose on the way to it.
 * @cssprop [--hermes-font-size-code=0.875em] - Code, commands and outputs.
 * @cssprop [--hermes-line-height=1.6] - The answer and the prompt.
 * @cssprop [--hermes-motion=0.15s] - How long a change of shape takes; none where the reader wants none.
 * @cssprop [--hermes-output-max-height=24em] - From where on an output scrolls in its own box.
 * @cssprop [--hermes-prompt-max-width=40em] - The longest line of the prompt.
 * @cssprop [--hermes-radius=0.75em] - Corners.
 * @cssprop [--hermes-space-indent=0.9em] - How far activity stands in.
 * @cssprop [--hermes-space-row=0.2em] - Space above and below a row of activity.
 */
export class HermesTurn extends SessionElement {
  static override styles = turnStyles;

  /** The turn to show. The same reference means nothing changed. */
  @property({attribute: false, noAccessor: true})
  get anchor(): TurnAnchor | undefined {
    return this.#anchor;
  }

  set anchor(turn: TurnAnchor | undefined) {
    const before = this.#anchor;
    if (before === turn) return;
    this.#anchor = turn;
    this.requestUpdate('anchor', before);
  }

  /** Which turn of the session, by id or alias; the newest when left out. */
  @property({attribute: 'turn-id'}) turnId: string | undefined;
  /** How activity is shown: `compact-worklog`, `transparent-stream` or `answer-only`. */
  @property() mode: DisplayMode | (string & {}) = 'compact-worklog';

  /** What stands under a turn to take it along: `all`, or `none`. */
  @property() actions: 'all' | 'none' | (string & {}) = 'all';

  /** @internal True in a transcript: renders into itself. An attribute, so that it holds however late the element is upgraded. */
  get within(): boolean {
    return this.hasAttribute('within');
  }

  /** Origins whose images are shown without asking, parted by spaces; `*` for all, `none` for no images at all. */
  @property() images: string | undefined;
  /** What raw HTML in Markdown is: `text`, or `sanitize` for elements where a tag is harmless. */
  @property() html: 'text' | 'sanitize' | (string & {}) = 'text';
  /** Colours code in place of the built-in highlighter; null for none. */
  @property({attribute: false}) highlight: Highlight | null | undefined;
  /** Draws code of a language in another way once it is whole, such as mathematics or diagrams; null where it does not. */
  @property({attribute: false}) figure:
    ((language: string, code: string) => Promise<Node | null> | null) | undefined;
  /** Draws formulas, `$…$` and `\(…\)` in text, `$$…$$` and `\[…\]` with `display`; null where one stays as it was written. Without it, none is read. */
  @property({attribute: false}) math: ProseChoices['math'];

  /** What a screen reader is told by itself: `all`, `answers` or `off`. */
  @property() narration: Narration | (string & {}) = 'all';

  /** @internal Where the reader is; given by a transcript, its own where it stands alone. */
  reader: Pick<FollowEnd, 'away' | 'following' | 'hold' | 'heed' | 'keep'> | undefined;
  /** @internal Which it is from the end of its transcript, where it is drawn for the first time. */
  fromEnd: number | undefined;

  #narrator = new Narrator();
  readonly #controls = new Controls(this, () => this.#redraw());
  /** Chosen before it is drawn for the first time. */
  #prose!: ProseChoices;
  /** Another one has the scene made anew. */
  #toolWords = englishToolWords;
  #states = new Map<string, RowState>();
  #keys = 0;
  /** Counts what the reader, or the page, changed of how rows are drawn. */
  #choices = 0;
  #renamed: TurnAnchor['renamed'] = null;
  /** The turn that was shown last. */
  #before: TurnAnchor | undefined;
  #anchor: TurnAnchor | undefined;
  /** Says when it is drawn for the first time, where that waits. */
  #pace: Pace | undefined;
  /** Where a text grows. */
  #growing: Element | null | undefined;
  #printing = false;
  /** The row that had the focus before what is being drawn. */
  #focus: HTMLElement | null = null;
  /** The button that is reached by tab. */
  #stop: HTMLElement | undefined;
  #scene: Scene | undefined;

  constructor() {
    super();
    this.addEventListener('click', this.#clicked);
    this.addEventListener('keydown', this.#stepped);
    this.addEventListener('focusin', this.#focused);
  }

  /** The turn as markdown. */
  toMarkdown(): string {
    const turn = this.#turn;
    return turn ? toMarkdown([turn], parseDisplayMode(this.mode)) : '';
  }

  /** The turn as text, without the marks of Markdown. */
  toText(): Promise<string> {
    return exported(this, 'text');
  }

  /** The turn as HTML to paste: no classes, nothing that loads or runs. */
  toHtml(): Promise<string> {
    return exported(this, 'html');
  }

  /** The turn as a page of its own, which can be read without this script and with it. */
  toArchive(): Promise<string> {
    return exported(this, 'archive');
  }

  /** What stands on the screen, read from the document; for `reconcile`. */
  renderedRows(): RenderedRow[] {
    this.draw();
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[data-item-id]')].map(readRow);
  }

  /** Worklogs and groups the reader opened or folded, by row id; for `expectedRows`. */
  get openRows(): ReadonlyMap<string, boolean> {
    return new Map([...this.#states].flatMap(([id, {open}]) => (open === undefined ? [] : [[id, open]])));
  }

  protected override createRenderRoot() {
    const root = this.within ? this : super.createRenderRoot();
    // It does not leave the root it happens in.
    root.addEventListener('beforematch', this.#matched);
    return root;
  }

  protected override scheduleUpdate(): void | Promise<unknown> {
    const {host} = this.getRootNode() as ShadowRoot;
    if (this.hasUpdated || !host || !(this.fromEnd! > AT_ONCE)) return super.scheduleUpdate();
    this.#pace = paceOf(host as HermesTranscript, this.reader!);
    this.#pace.wait(this);
  }

  protected override performUpdate(): void {
    // Who draws it for the first time keeps the place.
    if (this.within && this.hasUpdated) this.reader?.heed();
    super.performUpdate();
  }

  /** @internal Draws what is to be drawn now, also where it was to wait. */
  draw(): void {
    if (this.isUpdatePending) this.performUpdate();
  }

  /** @internal In pixels: the better it is guessed, the less a scroll bar moves while turns are drawn. */
  get likelyHeight(): number {
    const {prompt, answer} = this.anchor ?? {prompt: null, answer: {length: 0}};
    return Math.round(120 + LETTER * ((prompt?.length ?? 0) + answer.length));
  }

  /** @internal */
  override focus(options?: FocusOptions): void {
    // What has not been drawn takes no focus.
    this.draw();
    super.focus(options);
  }

  protected override get provides() {
    return false;
  }

  protected override get usesSession() {
    return !this.within && this.anchor === undefined;
  }

  protected override get isUnseen() {
    return this.reader?.away ?? false;
  }

  protected override grow(): void {
    this.reader?.heed();
    const turn = this.#turn;
    if (turn && !this.grown(turn)) this.requestUpdate();
  }

  /** @internal Draws what the turn's text has got more of, without looking at the rest. False where anything else is new. */
  grown(turn: TurnAnchor): boolean {
    const before = this.#scene;
    if (!before || this.isUpdatePending || turn.id !== this.#before?.id || turn.renamed !== this.#renamed)
      return false;
    const scene = project(turn, before.mode, before, this.#toolWords);
    const row = grownRow(before.rows, scene.rows);
    if (row) {
      const element = this.#textOf(row.id);
      if (!element || !drawMore(element, row.text)) return false;
    } else if (scene !== before) return false;
    this.#scene = scene;
    this.#before = turn;
    if (this.#anchor) this.#anchor = turn;
    return true;
  }

  /** Where the text of a row stands; looked for once while it grows. */
  #textOf(id: string): Element | undefined {
    const {isConnected, parentElement} = this.#growing ?? {};
    if (!isConnected || parentElement?.dataset['itemId'] !== id)
      this.#growing = lastItem(this.renderRoot, (row) => row.dataset['itemId'] === id)?.querySelector(
        ':scope > .text',
      );
    return this.#growing ?? undefined;
  }

  get #turn(): TurnAnchor | undefined {
    if (this.anchor) return this.anchor;
    const turns = this.shown?.transcript.turns;
    const {turnId} = this;
    return turnId ? turns?.find(({id, aliases}) => id === turnId || aliases.includes(turnId)) : turns?.at(-1);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const turn = this.#turn;
    if (turn && this.#before && !isSameTurn(this.#before, turn)) this.#forget();
    this.#before = turn ?? this.#before;
    if (turn && turn.renamed !== this.#renamed) this.#rename(turn.renamed);
    if (
      ['strings', 'language', 'images', 'html', 'highlight', 'figure', 'math'].some((name) =>
        changed.has(name),
      )
    ) {
      this.#choices++;
      this.#prose = this.#choose();
      this.#toolWords = spoken({tools: englishToolWords}, this.strings).tools;
    }
    this.#controls.follow(turn);
    const before = this.#scene;
    const mode = parseDisplayMode(this.mode);
    this.#focus = this.#focusedRow();
    this.#scene = turn && project(turn, mode, before, this.#toolWords);
    if (before && this.#scene) this.#keepInSight(before, this.#scene);
  }

  /** What the page chose for Markdown, in an object of its own: another one is drawn anew. */
  #choose(): ProseChoices {
    const {strings, images, html, highlight = loadHighlight, figure, math} = this;
    return {
      words: (prose) => spoken({prose}, strings).prose,
      images,
      html,
      highlight,
      figure,
      math,
      address: safeUrl,
      language: languageOf(this),
    };
  }

  /** What the reader is at stays in sight when the worklog would fold, or another mode would fold it away. */
  #keepInSight(before: Scene, scene: Scene) {
    const summary = summaryOf(scene.rows);
    const folds = summary && !summary.defaultOpen;
    if (scene.mode !== before.mode) {
      const read = this.#readRows(scene.rows);
      for (const row of scene.rows) {
        if (!read.has(row.id)) continue;
        this.#openAround(row, folds ? summary : undefined);
      }
      return;
    }
    // A thought is open while it streams; it does not close under a reader. Nor does what was asked, when it is answered.
    // Rows that stand as they stood are passed by: to look at each of a long turn costs more than to draw one.
    for (let at = 0; (at = firstDifference(before.rows, scene.rows, at)) < before.rows.length; at++) {
      const row = before.rows[at]!;
      if (!isUnderWay(row) || isUnderWay(scene.rows.findLast(({id}) => id === row.id))) continue;
      if (this.#isRead([row])) this.#stateOf(row.id).open ??= true;
    }
    if (folds && summaryOf(before.rows)?.defaultOpen) {
      const worklog = scene.rows.filter((row) => row.worklog);
      if (this.#isRead([summary, ...worklog])) this.#stateOf(summary.id).open ??= true;
    }
  }

  protected override get words(): Strings {
    return spoken(english, this.strings);
  }

  protected override render() {
    const rows = this.#scene?.rows ?? [];
    const summary = summaryOf(rows);
    const printing = this.#printing;
    const folded = summary !== undefined && !printing && !this.#isOpen(summary);
    const mode = parseDisplayMode(this.mode);
    const turn = this.#turn;
    const isOver = turn !== undefined && turn.terminal !== null;
    const only = isOver && summary && !folded ? onlyOneUnder(summary, rows) : undefined;
    // A worklog that is open by itself opens what stands alone in it, as by a button.
    if (summary?.defaultOpen) for (const one of aloneFrom(only, rows)) this.#stateOf(one.id).open ??= true;
    const view: RowView = {
      mode,
      strings: this.words,
      controls: this.#controls,
      prose: this.#prose,
      startedAt: turn?.startedAt ?? null,
      isOver,
      isOpen: (row) => this.#isOpen(row),
      isHidden: (row) =>
        (row.worklog && folded) ||
        (row.type === 'tool' && row.group !== null && !printing && !this.#states.get(row.group)?.open),
      isSaid: (row) =>
        row === only && (printing || this.#isOpen(row)) && row.id !== this.#focus?.dataset['itemId'],
      toggle: (row) => this.#toggle(row),
      failed: () =>
        rows
          .filter((row) => row.type === 'tool' || row.type === 'lifecycle')
          .filter((row) => rowStatus(row) === 'error')
          .reverse(),
      goTo: (row) => this.#goTo(row),
    };
    return html`${keyed(
      rows,
      (row) => this.#stateOf(row.id).key,
      `${mode} ${folded} ${isOver} ${this.#choices}`,
      (row, index) => renderRow(row, view, rows[index + 1]),
      isLoose,
    )}${turn ? endLines(this, turn, view) : nothing}${
      this.within
        ? nothing
        : html`${this.#scene ? nothing : html`<slot @slotchange=${this.adopt}></slot>`}${connectionRow(this.shown, this.words)}
            <div class="unseen" role="status"></div>
            <div class="edge"></div>`
    }`;
  }

  protected override updated(): void {
    const turn = this.#turn;
    this.#pace?.drawn(this);
    this.#rove();
    this.toggleAttribute('data-turn-id', turn !== undefined);
    if (!turn) return;
    const {id, status, terminal, prompt} = turn;
    const running = status === 'running' || status === 'created';
    // An attribute that is set again, though to the same, has the browser look at the styles of all that is in it.
    if (this.dataset['turnId'] !== id) this.dataset['turnId'] = id;
    this.describe('article', prompt ?? this.words.prompted);
    if (this.within) {
      if (!this.hasAttribute('tabindex')) this.tabIndex = -1;
    }
    this.#narrator.narrate(() => this.#region, turn, this.words, this.narration);
    if (this.ariaBusy !== String(running)) this.ariaBusy = String(running);
    this.state = running
      ? 'running'
      : status === 'settled' && terminal && terminal !== 'completed'
        ? 'error'
        : status;
  }

  /** Another turn is shown. Its rows may have the ids of those before, and are not those: they get elements of their own. */
  #forget() {
    this.#states = new Map();
    this.#narrator = new Narrator();
    this.#scene = undefined;
    this.#renamed = null;
    this.#choices++;
    this.#controls.forget();
  }

  /** Where it says what a screen reader is told: in the transcript around it, or in its own root. */
  get #region(): Element | null {
    return (this.renderRoot.getRootNode() as ShadowRoot).querySelector('.unseen[role=status]');
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
        return !row.worklog || row.live;
      default:
        return false;
    }
  }

  /** @internal Opens what a row is folded under. */
  unfold(id: string): void {
    this.draw();
    const rows = this.#scene?.rows;
    const row = rows?.find((one) => one.id === id);
    if (row) this.#openAround(row, summaryOf(rows), true);
    this.#redraw();
  }

  /** The reader's search has found something that is folded away: it is opened before the browser goes there. */
  readonly #matched = ({target}: Event) => {
    const id = (target as Element).closest<HTMLElement>('[data-item-id]')?.dataset['itemId'];
    if (id === undefined) return;
    this.reader?.hold();
    this.unfold(id);
    this.draw();
  };

  /** Opens its worklog and its group, where the reader has not chosen or is taken there. */
  #openAround(row: Row, summary: Row | undefined, isTaken = false) {
    for (const id of [row.worklog && summary?.id, row.type === 'tool' && row.group])
      if (id) this.#stateOf(id).open = isTaken || (this.#states.get(id)?.open ?? true);
  }

  #redraw() {
    this.#choices++;
    this.requestUpdate();
  }

  #toggle(row: Row) {
    this.reader?.hold();
    const open = !this.#isOpen(row);
    const rows = this.#scene!.rows;
    // What stands alone under its heading opens with it.
    for (const one of aloneFrom(row, rows)) this.#stateOf(one.id).open = open;
    this.#redraw();
  }

  /** Opens what a row is folded under, and goes there. */
  #goTo({id}: Row) {
    this.reader?.hold();
    this.unfold(id);
    this.draw();
    const row = this.#rowElements.find(({dataset}) => dataset['itemId'] === id);
    (row?.querySelector('button') ?? row)?.focus();
  }

  /** Ids of items have shifted: the state moves along. */
  #rename(renamed: TurnAnchor['renamed']) {
    this.#renamed = renamed;
    if (renamed) this.#controls.rename(renamed);
    // A heading is named after its first tool.
    const names = [...(renamed ?? [])].flatMap(([old, id]) => [
      [old, id] as const,
      [`group:${old}`, `group:${id}`] as const,
    ]);
    const moved = names.map(([old, id]) => [id, this.#states.get(old)] as const);
    for (const [old] of names) this.#states.delete(old);
    for (const [id, state] of moved) if (state) this.#states.set(id, state);
  }

  /** Whether the reader is elsewhere than at the end, or at something in these rows: a focus, a selection, an opened row. */
  #isRead(rows: readonly Row[]): boolean {
    const away = this.reader ? !this.reader.following : this.getBoundingClientRect().top < 0;
    if (away) return true;
    const read = this.#readRows(rows);
    return rows.some(({id}) => read.has(id));
  }

  /** Ids of those rows the reader opened, and of any that has the focus in it, or the selection. */
  #readRows(rows: readonly Row[]): Set<string> {
    const read = new Set(rows.flatMap(({id}) => (this.#states.get(id)?.open ? [id] : [])));
    // Who has answered has the focus on what was asked as a whole, and is done with it.
    if (this.#focus && !this.#focus.querySelector(':scope > .ask:focus'))
      read.add(this.#focus.dataset['itemId']!);
    const range = selectedRange(this.renderRoot.getRootNode() as ShadowRoot);
    if (!range || range.collapsed) return read;
    const live = liveRange(range);
    for (const row of this.#rowElements) if (live.intersectsNode(row)) read.add(row.dataset['itemId']!);
    return read;
  }

  get #rowElements(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[data-item-id]')];
  }

  #focusedRow(): HTMLElement | null {
    const root = this.renderRoot.getRootNode() as ShadowRoot;
    const row = root.activeElement?.closest<HTMLElement>('[data-item-id]') ?? null;
    return row && this.renderRoot.contains(row) ? row : null;
  }

  /** The buttons that open and close, as they stand. */
  get #stops(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.row:not([hidden]) > button[tabindex]')];
  }

  /** One of the buttons is reached by tab, the others by arrows; and no focus is left on what is out of sight. */
  #rove() {
    const focus = this.#focus;
    this.#focus = null;
    if (focus && (!focus.isConnected || focus.hidden)) {
      const before = this.#stops.findLast(
        (stop) => !focus.isConnected || stop.compareDocumentPosition(focus) & 4,
      );
      (before ?? this).focus({preventScroll: true});
    }
    if (!this.#stop?.isConnected || this.#stop.closest('[hidden]')) this.#stopAt(this.#stops[0]);
  }

  #stopAt(stop: HTMLElement | undefined) {
    if (this.#stop) this.#stop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    this.#stop = stop;
  }

  readonly #focused = (event: Event) => {
    const target = event.composedPath()[0] as HTMLElement;
    if (target.matches('.row > button[tabindex]')) this.#stopAt(target);
    // A reader who goes by keys is followed by the focus, not by the end.
    if (!this.within && target.matches(':focus-visible')) this.reader?.hold();
  };

  /** Arrows, Home and End go from button to button. */
  readonly #stepped = (event: KeyboardEvent) => {
    const target = event.composedPath()[0] as HTMLElement;
    if (
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      !target.matches('.row > button[tabindex]')
    )
      return;
    const stops = this.#stops;
    const at = stops.indexOf(target);
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    stops[to]?.focus();
  };

  /** On paper everything is open; it is drawn before the page is measured. */
  readonly #print = ({type}: Event) => {
    this.#printing = type === 'beforeprint';
    this.#redraw();
    // Nobody reads meanwhile: to look for their place in each turn has the browser lay out each by itself.
    super.performUpdate();
  };

  override connectedCallback(): void {
    // Before the controllers hear of it: this is one of them.
    if (!this.within) this.reader ??= new FollowEnd(this);
    super.connectedCallback();
    for (const type of ['beforeprint', 'afterprint']) addEventListener(type, this.#print);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const type of ['beforeprint', 'afterprint']) removeEventListener(type, this.#print);
  }

  readonly #clicked = (event: MouseEvent) => {
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    // A file the page opens itself.
    if (event.defaultPrevented) return;
    if (link && !this.dispatchEvent(new HermesLinkRequestEvent(link.href))) event.preventDefault();
  };
}

/** The row that says more, where nothing else of it, and no other row, is another than before. */
function grownRow(before: readonly Row[], rows: readonly Row[]): Extract<Row, {text: GrowingText}> | null {
  if (before.length !== rows.length) return null;
  const at = rows.findLastIndex((row, index) => row !== before[index]);
  const [row, old] = [rows[at], before[at]];
  if (row?.type !== 'prose' && row?.type !== 'reasoning' && row?.type !== 'answer') return null;
  if (firstDifference(rows, before) !== at) return null;
  const isSame = Object.entries(row).every(
    ([key, value]) => key === 'text' || value === old?.[key as keyof Row],
  );
  return isSame ? row : null;
}

/** The same turn, also where it has got another id since. */
function isSameTurn(a: TurnAnchor, b: TurnAnchor): boolean {
  const ids = [a.id, ...a.aliases];
  return [b.id, ...b.aliases].some((id) => ids.includes(id));
}

function readRow(row: HTMLElement): RenderedRow {
  const {itemId: id = '', type = '', kind = null, status = null, callId: toolCallId = null} = row.dataset;
  const growing = row.querySelector(':scope > .text');
  const said = row.querySelector('[data-text]');
  const text = growing ? drawnText(growing) : said && digestText(said.textContent);
  return {id, type, kind, status, toolCallId, hidden: row.hidden !== false, text};
}

/** Whether a row stays at the end of a turn while that grows: it is in no group, or all that comes would be in that one. */
function isLoose({type}: Row): boolean {
  return LAST.has(type);
}

const LAST: ReadonlySet<Row['type']> = new Set([
  'error',
  'plan',
  'artifacts',
  'side-effects',
  'terminal',
  'status',
  'condition',
]);

function isUnderWay(row: Row | undefined): boolean {
  return row?.type === 'reasoning' ? row.live : row?.type === 'control' && row.control.status === 'pending';
}

/** What a heading folds, where that is one row, or one group of rows. */
function onlyOneUnder(heading: Row, rows: readonly Row[]): Row | undefined {
  const isUnder =
    heading.type === 'worklog-summary'
      ? (row: Row) => row.worklog && !('group' in row && row.group)
      : (row: Row) => 'group' in row && row.group === heading.id;
  const [one, another] = rows.filter(isUnder);
  return another ? undefined : one;
}

/** A row, and what stands alone under it, and so on. */
function* aloneFrom(row: Row | undefined, rows: readonly Row[]) {
  for (; row; row = onlyOneUnder(row, rows)) yield row;
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
