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
 * Attributes, properties and events that all elements share are described at `SessionElement`; the parts, custom
 * properties and events of its turns, which are its own too, at `HermesTurn`.
 *
 * @slot - Shown while there are no turns: the page's own fallback, also before the script has loaded. A
 *   `<script type="application/json">` in it is shown as the transcript.
 * @csspart turn - One turn, with `data-turn-id` and the states `running`, `settled`, `restoring`, `error`.
 * @csspart follow-button - The button that goes to the end and follows it.
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
