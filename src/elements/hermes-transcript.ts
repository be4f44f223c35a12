import {html, nothing, type PropertyValues} from 'lit';
import {property} from 'lit/decorators.js';
import type {TurnAnchor} from '../anchor/index.js';
import {parseDisplayMode, type DisplayMode, type RenderedRow} from '../scene/index.js';
import {connectionRow} from './connection-row.js';
import {FollowEnd} from './follow-end.js';
import type {HermesTurn} from './hermes-turn.js';
import {icon} from './icons.js';
import {keyed} from './keyed.js';
import {Narrator} from './narrator.js';
import {SessionElement} from './session-element.js';
import {transcriptStyles, turnStyles} from './styles.js';

/**
 * A session's turns, one after the other: of the session around it, of the one named by `session`, or of its own.
 *
 * @attr src - The stream of one run.
 * @attr history - The address of the settled session, loaded before the stream.
 * @attr base - The server. With `session-id` streams and history are found from it.
 * @attr session-id - The session at that server.
 * @attr wire - `auto` (default), `hermes-webui` or `hermes-runs`.
 * @attr session - The id of a `<hermes-session>` elsewhere in the page.
 * @attr mode - `compact-worklog` (default), `transparent-stream` or `answer-only`.
 * @prop headers - Request headers: an object, or a function asked again on every attempt.
 * @prop fetch - Used in place of the global one.
 * @prop credentials - As in `fetch`.
 * @prop snapshot - The transcript as `hermes.transcript.v1`; set one to show it.
 * @prop strings - Words in place of the English ones.
 * @fires hermes-turn-started - A turn began, or was found running (when the session is its own; so the next three).
 * @fires hermes-turn-settled - A turn has ended; again with the next revision if its end or answer is found to be another.
 * @fires hermes-connection-changed - The connection is in another state, or the session has another problem.
 * @fires hermes-artifact-added - A turn wrote or changed a file.
 * @fires hermes-link-request - The reader followed a link. Cancelable; else it opens in a new tab.
 * @slot - Shown while there are no turns: the page's own fallback, also before the script has loaded. A
 *   `<script type="application/json">` in it is shown as the transcript.
 * @csspart turn - One turn, with `data-turn-id` and the states `running`, `settled`, `restoring`, `error`.
 * @csspart row - Any row, with `data-item-id`, `data-type`, `data-kind` and `data-status`; and by type: `prompt`,
 *   `prose`, `reasoning`, `tool-group`, `tool`, `lifecycle`, `notice`, `control`, `error`, `plan`, `answer`,
 *   `artifacts`, `side-effects`, `terminal`, `status`, `condition`.
 * @csspart approval - A row that asks for approval of what the agent wants to do.
 * @csspart worklog-summary - The button that folds and opens the worklog.
 * @csspart follow-button - The button that goes to the end and follows it.
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
 * @cssprop [--hermes-space-turn=2em] - Space between turns.
 * @cssprop [--hermes-max-width=48em] - The longest line.
 */
export class HermesTranscript extends SessionElement {
  static override styles = [turnStyles, transcriptStyles];

  /** How activity is shown: `compact-worklog`, `transparent-stream` or `answer-only`. */
  @property() mode: DisplayMode | (string & {}) = 'compact-worklog';

  readonly #follow = new FollowEnd(this);
  readonly #narrator = new Narrator();
  /** Every id a turn has had → the key of its element. */
  readonly #keys = new Map<string, string>();
  #choices = 0;

  /** All turns as markdown. */
  toMarkdown(): string {
    // The turns draw themselves, so they know how; what is not drawn yet is not told.
    const told = this.#elements.map((turn) => turn.toMarkdown?.().trimEnd()).filter((text) => text);
    return told.length === 0 ? '' : `${told.join('\n\n---\n\n')}\n`;
  }

  /** What stands on the screen, read from the document; for `reconcile`. */
  renderedRows(): RenderedRow[] {
    return this.#elements.flatMap((turn) => turn.renderedRows?.() ?? []);
  }

  get #elements(): HermesTurn[] {
    return [...this.renderRoot.querySelectorAll<HermesTurn>('[part=turn]')];
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('strings')) this.#choices++;
  }

  protected override render() {
    const {words, mode} = this;
    const turns = this.shown?.transcript.turns ?? [];
    this.describe('group', words.transcript);
    return html`<div class="turns">
        ${
          turns.length > 0
            ? keyed(
                turns,
                (turn) => this.#keyOf(turn),
                `${mode} ${this.#choices}`,
                (turn) =>
                  html`<hermes-turn
                    part="turn"
                    .within=${true}
                    .anchor=${turn}
                    .mode=${parseDisplayMode(mode)}
                    .strings=${this.strings}
                  ></hermes-turn>`,
              )
            : html`<slot @slotchange=${this.adopt}></slot>`
        }
        ${connectionRow(this.shown)}
      </div>
      <button
        type="button"
        part="follow-button"
        ?hidden=${this.#follow.following}
        @click=${() => this.#follow.toEnd()}
      >
        ${icon('down')}${words.toEnd}
      </button>
      <div class="unseen" role="status">${this.#narrator.say(turns.at(-1), words) || nothing}</div>`;
  }

  /** A turn that was bound to a run has another id, and stays the same element. */
  #keyOf({id, aliases}: TurnAnchor): string {
    const ids = [id, ...aliases];
    const key = ids.map((known) => this.#keys.get(known)).find((known) => known !== undefined) ?? id;
    for (const known of ids) this.#keys.set(known, key);
    return key;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-transcript': HermesTranscript;
  }
}
