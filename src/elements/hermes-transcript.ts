import {adoptStyles, html, isServer, nothing, type CSSResult, type PropertyValues} from 'lit';
import {property} from 'lit/decorators.js';
import type {TurnAnchor} from '../anchor/index.js';
import {parseDisplayMode, type DisplayMode, type RenderedRow} from '../scene/index.js';
import {connectionRow} from './connection-row.js';
import {FollowEnd} from './follow-end.js';
import type {HermesTurn} from './hermes-turn.js';
import {icon} from './icons.js';
import {firstDifference, keyed, lastItem} from './keyed.js';
import {earlierLine} from './load-earlier.js';
import {exported, followLinks, found, revealed, stepped} from './load-export.js';
import type {Narration} from './narrator.js';
import {SessionElement} from './session-element.js';
import {transcriptStyles} from './styles.js';

/** How many turns rest together: so many are laid out at once when a reader comes near. */
const TOGETHER = 8;

/**
 * A session's turns, one after the other: of the session around it, of the one named by `session`, or of its own.
 *
 * By keys: Alt and the arrows up and down go from turn to turn; tab reaches one button of a turn, and from there the
 * arrows, Home and End go to the others; Enter and Space open and close.
 *
 * Attributes, properties and events that all elements share are described at `SessionElement`; the parts, custom
 * properties and events of its turns, which are its own too, at `HermesTurn`.
 *
 * @slot - Shown while there are no turns: the page's own fallback, also before the script has loaded. A
 *   `<script type="application/json">` in it is shown as the transcript.
 * @csspart turn - One turn, with `data-turn-id` and the states `running`, `settled`, `restoring`, `error`.
 * @csspart follow-button - The button that goes to the end and follows it.
 * @csspart earlier-button - The button at the head that loads earlier messages, where the server has some.
 * @csspart find - The bar that finds in the conversation, once it is opened.
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
 * @cssprop [--hermes-color-ground] - The ground of the button over the text.
 * @cssprop [--hermes-max-width=48em] - The longest line.
 * @cssprop [--hermes-space-turn=2em] - Space between turns.
 */
export class HermesTranscript extends SessionElement {
  static override styles = transcriptStyles;

  /** How activity is shown: `compact-worklog`, `transparent-stream` or `answer-only`. */
  @property() mode: DisplayMode | (string & {}) = 'compact-worklog';

  /** What a screen reader is told by itself: `all`, `answers` (ends, questions, answers) or `off`. */
  @property() narration: Narration | (string & {}) = 'all';

  /** Origins whose images are shown without asking, parted by spaces; `*` for all, `none` for no images at all. */
  @property() images: string | undefined;
  /** What raw HTML in Markdown is: `text`, or `sanitize` for elements where a tag is harmless. */
  @property() html: 'text' | 'sanitize' | (string & {}) = 'text';
  /** Colours code in place of the built-in highlighter; null for none. */
  @property({attribute: false}) highlight: HermesTurn['highlight'];
  /** Draws code of a language in another way once it is whole, such as mathematics or diagrams; null where it does not. */
  @property({attribute: false}) figure: HermesTurn['figure'];
  /** Draws formulas, `$…$` and `\(…\)` in text, `$$…$$` and `\[…\]` with `display`; null where one stays as it was written. Without it, none is read. */
  @property({attribute: false}) math: HermesTurn['math'];

  /** What stands under turns to take them along: `all`, or `none`. */
  @property() actions: 'all' | 'none' | (string & {}) = 'all';

  /** Goes to the turn or item that the page's address names, `#turn-<id>` or `#turn-<id>/<item id>`, and offers such links. */
  @property({type: Boolean}) links = false;

  // On a server nobody scrolls.
  readonly #follow = isServer ? ({following: true} as FollowEnd) : new FollowEnd(this);
  /** The turns that were drawn. */
  #drawn: readonly TurnAnchor[] = [];
  /** The last of them, once its text grows. */
  #last: HermesTurn | undefined;
  /** The newest turn when the reader left the end, and how much of it there was. */
  #left: readonly [key: string, items: number] | null = null;
  /** Every id a turn has had → the key of its element. */
  readonly #keys = new Map<string, string>();
  #choices = 0;
  /** True while a click by pointer is dealt with, which may move the focus. */
  #isClicking = false;

  /** All turns as markdown. */
  toMarkdown(): string {
    // The turns draw themselves, so they know how. What has only just come is handed to them first.
    this.grow();
    if (this.hasUpdated && this.isUpdatePending) this.performUpdate();
    const told = this.#elements.map((turn) => turn.toMarkdown?.().trimEnd()).filter((text) => text);
    return told.length === 0 ? '' : `${told.join('\n\n---\n\n')}\n`;
  }

  /** All turns as text, without the marks of Markdown. */
  toText(): Promise<string> {
    return exported(this, 'text');
  }

  /** All turns as HTML to paste: no classes, nothing that loads or runs. */
  toHtml(): Promise<string> {
    return exported(this, 'html');
  }

  /** All turns as a page of its own, which can be read without this script and with it. */
  toArchive(): Promise<string> {
    return exported(this, 'archive');
  }

  /** Goes to a turn, or to an item of it: opens what hides it, and focuses it. False where it is not there. */
  reveal(turnId: string, itemId?: string): Promise<boolean> {
    return revealed(this, turnId, itemId);
  }

  /**
   * Opens a bar that finds in all turns, also in what is folded away or not drawn yet, and goes to the first place of the
   * text, where one is given. Gives back how many places there are. Enter goes on, Shift and Enter go back, Escape closes.
   */
  find(text?: string): Promise<number> {
    return found(this, text);
  }

  /** What stands on the screen, read from the document; for `reconcile`. */
  renderedRows(): RenderedRow[] {
    return this.#elements.flatMap((turn) => turn.renderedRows?.() ?? []);
  }

  get #elements(): HermesTurn[] {
    return [...this.renderRoot.querySelectorAll<HermesTurn>('[part=turn]')];
  }

  constructor() {
    super();
    this.addEventListener('keydown', this.#step);
    // A click by keys counts no presses.
    this.addEventListener('click', ({detail}) => (this.#isClicking = detail > 0), {capture: true});
    this.addEventListener('click', () => (this.#isClicking = false));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.ownerDocument.addEventListener('hermes-send-request', this.#sent);
    // What scrolls has to be reached by keys.
    if (!this.hasAttribute('tabindex')) this.tabIndex = 0;
  }

  /** The styles of turns come with their script; they draw into this root. */
  protected override firstUpdated(): void {
    void customElements.whenDefined('hermes-turn').then((turn) => {
      const {styles} = turn as unknown as {readonly styles: CSSResult};
      const root = this.renderRoot as ShadowRoot;
      // Before its own, and before those that came meanwhile with what is drawn in turns.
      adoptStyles(root, [styles, ...root.adoptedStyleSheets]);
    });
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (
      ['strings', 'language', 'images', 'html', 'highlight', 'figure', 'math', 'actions', 'narration'].some(
        (name) => changed.has(name),
      )
    )
      this.#choices++;
    if (changed.has('links') && this.links) followLinks(this);
  }

  protected override get isUnseen() {
    return this.#follow.away;
  }

  protected override grow(): void {
    this.#follow.heed();
    const turns = this.shown?.transcript.turns ?? [];
    const before = this.#drawn;
    const at = turns.length - 1;
    const isLast = at >= 0 && turns.length === before.length && firstDifference(turns, before) >= at;
    if (isLast)
      this.#last ??= lastItem(this.renderRoot.querySelector('.turns')!, isTurn) as HermesTurn | undefined;
    if (!isLast || !this.#last?.grown?.(turns[at]!)) this.requestUpdate();
  }

  protected override render() {
    const {words, mode} = this;
    const turns = this.shown?.transcript.turns ?? [];
    const fresh = this.#fresh(turns);
    // A page that only shows what is over needs no button over its text.
    const {following, outside} = this.#follow;
    this.describe('group', words.transcript);
    return html`<div class="turns" @focusin=${this.#focused}>
        ${earlierLine(this, this.#follow)}${keyed(
          turns,
          (turn) => this.#keyOf(turn),
          `${mode} ${this.#choices}`,
          (turn, index) =>
            html`<hermes-turn
              within
              part="turn"
              .anchor=${turn}
              .mode=${parseDisplayMode(mode)}
              .strings=${this.strings}
              .language=${this.language}
              .actions=${this.actions}
              .images=${this.images}
              .html=${this.html}
              .highlight=${this.highlight}
              .figure=${this.figure}
              .math=${this.math}
              .reader=${this.#follow}
              .narration=${this.narration}
              .fromEnd=${turns.length - index}
            ></hermes-turn>`,
          undefined,
          TOGETHER,
        )}${turns.length > 0 ? nothing : html`<slot @slotchange=${this.adopt}></slot>`}
        ${connectionRow(this.shown, words)}
      </div>
      <div class="edge"></div>
      <div class="foot">
        <button
          type="button"
          part="follow-button"
          ?hidden=${following || (outside && fresh === 0 && turns.at(-1)?.terminal !== null)}
          @click=${() => this.#follow.toEnd()}
        >
          ${icon('down')}${words.toEnd}${fresh > 0 ? html` · ${words.more(fresh)}` : nothing}
        </button>
      </div>
      <div class="unseen" role="status"></div>`;
  }

  protected override updated(): void {
    this.#last = undefined;
    this.#drawn = this.shown?.transcript.turns ?? [];
  }

  /** How many rows have come since the reader left the end. */
  #fresh(turns: readonly TurnAnchor[]): number {
    const last = turns.at(-1);
    if (this.#follow.following || !last) {
      this.#left = null;
      return 0;
    }
    const [key, items] = (this.#left ??= [this.#keyOf(last), last.items.length]);
    const at = turns.findLastIndex((turn) => this.#keyOf(turn) === key);
    return turns.slice(at).reduce((sum, turn, index) => sum + turn.items.length + (index && 1), -items);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener('hermes-send-request', this.#sent);
  }

  /** Who writes to this conversation wants to see what comes of it. */
  readonly #sent = (event: Event) => {
    const {shown} = event.composedPath()[0] as Partial<SessionElement>;
    if (shown && shown === this.shown) this.#follow.toEnd();
  };

  /** Alt and an arrow go from turn to turn. */
  readonly #step = (event: KeyboardEvent) => {
    const step = event.altKey && ({ArrowUp: -1, ArrowDown: 1} as const)[event.key];
    // In a field, they are the field's.
    if (!step || (event.composedPath()[0] as HTMLElement).matches(EDITED)) return;
    event.preventDefault();
    stepped(this, this.#follow, step);
  };

  /** A reader who goes by keys is followed by the focus, not by the end; one who clicks an answer still reads the end. */
  readonly #focused = ({target}: FocusEvent) => {
    if (!this.#isClicking && (target as Element).matches(':focus-visible')) this.#follow.hold();
  };

  /** A turn that was bound to a run has another id, and stays the same element. */
  #keyOf({id, aliases}: TurnAnchor): string {
    const ids = [id, ...aliases];
    const key = ids.map((known) => this.#keys.get(known)).find((known) => known !== undefined) ?? id;
    for (const known of ids) this.#keys.set(known, key);
    return key;
  }
}

const EDITED = 'input, textarea, select, [contenteditable]';

function isTurn(element: Element): boolean {
  return element.matches('[part=turn]');
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-transcript': HermesTranscript;
  }
}
