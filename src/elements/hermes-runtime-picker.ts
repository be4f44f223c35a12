import {html, nothing, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {live} from 'lit/directives/live.js';
import {runtimesOf, type Runtime, type SessionSource} from '../session/index.js';
import {runtimePickerStyles} from './runtime-picker-styles.js';
import {HermesRuntimeChangedEvent, HermesRuntimeRequestEvent, HermesSettingRequestEvent} from './events.js';
import {panelWords, type PanelWords} from './panel-words.js';
import {sentenceOf} from './sentence.js';
import {SessionElement} from './session-element.js';
import {spoken} from './spoken.js';

/** A choice of one of the agent's options: `{value, name}`, alone or in named groups, as ACP has it. */
interface OptionChoice {
  readonly value?: unknown;
  readonly name?: unknown;
  readonly options?: readonly OptionChoice[];
}

/** How long a list of runtimes is believed before the reader's next look asks again, in ms. */
const FRESH_MS = 5000;

/**
 * Which agent answers, and how it is set. The runtimes are those of the gateway at `base`; one that is missing says why.
 * A choice counts for new sessions: the one shown keeps its runtime, and the element says so. Modes and options are
 * those of the session shown, where its agent has any.
 *
 * Attributes, properties and events that all elements share are described at `SessionElement`.
 *
 * @csspart runtime - The choice of runtimes.
 * @csspart setting - The choice of a mode, or of a value of an option.
 * @csspart missing - What is not available, and why.
 * @cssprop [--hermes-color-accent] - What sends, and links.
 * @cssprop [--hermes-color-error] - Refusals.
 * @cssprop [--hermes-color-focus] - The ring around what has the focus.
 * @cssprop [--hermes-color-ground] - The ground of what can be filled in.
 * @cssprop [--hermes-color-line] - Lines.
 * @cssprop [--hermes-color-muted] - Labels.
 * @cssprop [--hermes-color-soft] - The ground of a button under the pointer.
 * @cssprop [--hermes-color-text] - Text; the host's own by default.
 * @cssprop [--hermes-font] - Text; the host's own by default.
 * @fires hermes-runtime-request - The reader chose a runtime. Cancelable; else the gateway gives it to new sessions.
 * @fires hermes-runtime-changed - New sessions get another runtime.
 * @fires hermes-setting-request - The reader chose a mode or a value. Cancelable; else the server is asked to set it.
 */
export class HermesRuntimePicker extends SessionElement {
  static override styles = runtimePickerStyles;

  @state() private runtimes: readonly Runtime[] = [];
  /** The gateway that was asked for another runtime and has not answered yet. */
  @state() private choosing: string | null = null;

  /** Sessions whose server was asked to set something and has not answered yet. */
  readonly #setting = new WeakSet<object>();
  /** Why the last wish came to nothing: by session, and here for the runtimes. */
  readonly #refusals = new WeakMap<object, string>();
  #base: string | undefined;
  #loadedAt = -Infinity;

  /** The runtime that new sessions get. */
  get active(): string | null {
    return this.runtimes.find(({active}) => active)?.name ?? null;
  }

  /** Asks the gateway again which runtimes there are. */
  async refresh(): Promise<void> {
    const source = this.#source;
    if (source.base === undefined) return;
    this.#loadedAt = performance.now();
    await this.#take(() => runtimesOf(source), source.base);
  }

  get #words(): PanelWords['runtime'] {
    return spoken({runtime: panelWords.runtime}, this.strings).runtime;
  }

  protected override get provides() {
    return false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.describe('group', this.#words.label);
    const {base} = this.#source;
    if (base === this.#base) return;
    this.#base = base;
    this.runtimes = [];
    this.#refusals.delete(this);
    void this.refresh();
  }

  protected override render() {
    const words = this.#words;
    const missing = this.runtimes.filter(({available}) => !available);
    const {active} = this;
    const shown = this.shown?.agent?.profile;
    return html`<div class="choices" @focusin=${this.#looked} @pointerenter=${this.#looked}>
        ${
          this.runtimes.length > 0
            ? html`<label
                ><span>${words.runtime}</span>
                <select part="runtime" ?disabled=${this.#isChoosing} @change=${this.#chosen}>
                  ${active === null ? html`<option selected disabled></option>` : nothing}
                  ${this.runtimes.map(
                    ({name, available}) =>
                      html`<option value=${name} .selected=${live(name === active)} ?disabled=${!available}>
                        ${available ? name : words.missing(name)}
                      </option>`,
                  )}
                </select></label
              >`
            : nothing
        }
        ${this.#renderSettings()}
        ${
          missing.length > 0
            ? html`<details part="missing">
                <summary>
                  ${words.notAvailable(
                    missing.length,
                    missing.map(({name}) => name),
                  )}
                </summary>
                <ul>
                  ${missing.map(
                    ({name, reason}) =>
                      html`<li>
                        ${reason?.includes(name) ? nothing : html`<b>${name}:</b>`}
                        <span dir="auto">${reason}</span>
                      </li>`,
                  )}
                </ul>
              </details>`
            : nothing
        }
      </div>
      ${
        shown && active && shown !== active
          ? html`<p class="note" role="status">${words.keeps(shown, active)}</p>`
          : nothing
      }
      ${[this, this.shown].map((of) => {
        const refusal = of && this.#refusals.get(of);
        return refusal ? html`<p class="refusal" role="alert" dir="auto">${refusal}</p>` : nothing;
      })}`;
  }

  #renderSettings() {
    const {modes, options = []} = this.shown?.agent ?? {};
    const words = this.#words;
    // An agent may offer its modes twice, as modes and as an option of that category.
    const isMode = ({category}: Readonly<Record<string, unknown>>) => modes && category === 'mode';
    return html`${
      modes
        ? this.#select(
            words.mode,
            modes.available.map(({id, name}) => ({value: id, name})),
            modes.current,
            (mode) => this.#set('mode', mode, mode),
          )
        : nothing
    }${options.filter((option) => !isMode(option)).map((option) => this.#renderOption(option))}`;
  }

  #renderOption({id, name, type, currentValue, options}: Readonly<Record<string, unknown>>) {
    if (typeof id !== 'string') return nothing;
    const label = typeof name === 'string' ? name : id;
    if (type === 'boolean')
      return html`<label class="switch"
        ><input
          part="setting"
          type="checkbox"
          .checked=${live(currentValue === true)}
          ?disabled=${this.#isSetting}
          @change=${({target}: Event) => this.#set('option', id, (target as HTMLInputElement).checked)}
        />${label}</label
      >`;
    if (!Array.isArray(options)) return nothing;
    return this.#select(label, options as OptionChoice[], currentValue, (value) =>
      this.#set('option', id, value),
    );
  }

  #select(
    label: string,
    choices: readonly OptionChoice[],
    current: unknown,
    choose: (value: string) => Promise<void>,
  ) {
    const option = ({value, name}: OptionChoice) =>
      html`<option value=${String(value)} .selected=${live(value === current)}>
        ${String(name ?? value)}
      </option>`;
    return html`<label
      ><span>${label}</span>
      <select
        part="setting"
        ?disabled=${this.#isSetting}
        @change=${({target}: Event) => choose((target as HTMLSelectElement).value)}
      >
        ${choices.map((choice) =>
          Array.isArray(choice.options)
            ? html`<optgroup label=${String(choice.name)}>${choice.options.map(option)}</optgroup>`
            : option(choice),
        )}
      </select></label
    >`;
  }

  /** Its own attributes, else those of the session it shows. */
  get #source(): SessionSource {
    const {base, headers, credentials, fetch} = this;
    return base ? {base, headers, credentials, fetch} : (this.shown?.source ?? {});
  }

  get #isChoosing(): boolean {
    return this.choosing !== null && this.choosing === this.#source.base;
  }

  get #isSetting(): boolean {
    return this.#setting.has(this.shown ?? this);
  }

  readonly #looked = () => {
    if (!this.#isChoosing && performance.now() - this.#loadedAt > FRESH_MS) void this.refresh();
  };

  readonly #chosen = async ({target}: Event) => {
    const name = (target as HTMLSelectElement).value;
    const source = this.#source;
    const {base} = source;
    // Until it is so, what was so is shown.
    this.requestUpdate();
    if (!this.dispatchEvent(new HermesRuntimeRequestEvent(name)) || base === undefined) return;
    const before = this.active;
    this.choosing = base;
    await this.#take(() => runtimesOf(source, name), base);
    if (this.choosing === base) this.choosing = null;
    if (base === this.#source.base && this.active !== before)
      this.dispatchEvent(new HermesRuntimeChangedEvent(this.active));
  };

  #take(ask: () => Promise<readonly Runtime[]>, base: string) {
    const isHere = () => base === this.#source.base;
    return this.#try(
      this,
      async () => {
        const runtimes = await ask();
        if (isHere()) this.runtimes = runtimes;
      },
      isHere,
    );
  }

  /** One at a time and session. */
  async #set(setting: 'mode' | 'option', id: string, value: string | boolean) {
    const of = this.shown ?? this;
    const event = new HermesSettingRequestEvent(setting, id, value);
    this.#setting.add(of);
    await this.#try(of, () =>
      this.ask(event, (session) =>
        setting === 'mode' ? session.setMode(String(value)) : session.setOption(id, value),
      ),
    );
    this.#setting.delete(of);
    this.requestUpdate();
  }

  /** Tries it; a refusal is said where it belongs, if that is still shown. */
  async #try(of: object, act: () => Promise<void>, isShown = () => true) {
    this.#refusals.delete(of);
    this.requestUpdate();
    try {
      await act();
    } catch (cause) {
      if (isShown()) this.#refusals.set(of, sentenceOf(cause));
      this.requestUpdate();
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-runtime-picker': HermesRuntimePicker;
  }
}
