import {html, nothing, type PropertyValues} from 'lit';
import {property, state} from 'lit/decorators.js';
import type {Session} from '../session/index.js';
import {composerStyles} from './composer-styles.js';
import {HermesSendRequestEvent} from './events.js';
import {icon} from './icons.js';
import {PromptQueue, type QueuedPrompt} from './prompt-queue.js';
import {sentenceOf} from './sentence.js';
import {SessionElement} from './session-element.js';

/**
 * Where the reader writes to the agent. While the agent is at work, what is written waits in a queue that can be seen,
 * changed and emptied; each prompt goes when the turn before it has completed.
 *
 * By keys: Enter sends and Shift+Enter begins a line (`enter="newline"` the other way round; Ctrl or Cmd and Enter always
 * send); an Enter that ends the composition of an input method is never a send. Escape stops what runs.
 *
 * Takes part in forms: its value is what is written and not sent.
 *
 * Attributes, properties and events that all elements share are described at `SessionElement`.
 *
 * @slot - Beside the buttons: what the page adds, for example one that attaches a file.
 * @slot attachments - What is attached, drawn by the page.
 * @csspart box - The frame around text and buttons.
 * @csspart input - The text area.
 * @csspart send-button - Sends, or queues while the agent is at work.
 * @csspart stop-button - Stops what runs.
 * @csspart steer-button - Tells the running agent, where it listens.
 * @csspart queue - The list of what waits.
 * @csspart queued - One prompt that waits.
 * @cssstate running - The agent is at work.
 * @cssprop [--hermes-color-accent] - What sends, and links.
 * @cssprop [--hermes-color-error] - Refusals.
 * @cssprop [--hermes-color-focus] - The ring around what has the focus.
 * @cssprop [--hermes-color-ground] - The ground of what can be filled in.
 * @cssprop [--hermes-color-line] - Lines.
 * @cssprop [--hermes-color-muted] - Labels.
 * @cssprop [--hermes-color-soft] - The ground of a button under the pointer.
 * @cssprop [--hermes-color-text] - Text; the host's own by default.
 * @cssprop [--hermes-font] - Text; the host's own by default.
 * @cssprop [--hermes-color-on-accent] - What stands on the accent.
 * @cssprop [--hermes-composer-max-height=12em] - From where on the text scrolls.
 * @cssprop [--hermes-radius=0.75em] - Corners of the box.
 */
export class HermesComposer extends SessionElement {
  static readonly formAssociated = true;
  static override styles = composerStyles;

  /** The name of its value in a form. */
  @property({reflect: true}) name: string | undefined;
  /** What is written and not sent. */
  @property() value = '';
  /** Shown while nothing is written. */
  @property() placeholder: string | undefined;
  /** Nothing can be written or sent. */
  @property({type: Boolean, reflect: true}) disabled = false;
  /** What Enter does: `send` or `newline`. */
  @property() enter: 'send' | 'newline' | (string & {}) = 'send';
  /** ACP content blocks that go with the next prompt; empty again once it is on its way. */
  @property({attribute: false}) attachments: readonly object[] = [];
  /** Text of the page, which goes before the prompt and is not shown; a function is asked at each prompt. */
  @property({attribute: false}) pageContext: string | (() => string | Promise<string>) | undefined;

  @state() private refusal: string | null = null;
  @state() private isSending = false;
  /** True when the form around it, or a fieldset, is disabled. */
  @state() private isFormDisabled = false;

  readonly #queue = new PromptQueue();
  #wasRunning = false;
  #session: Session | null = null;

  /** What waits, the next one first. */
  get queue(): readonly QueuedPrompt[] {
    return this.#queue.prompts;
  }

  /** @internal */
  formResetCallback(): void {
    this.value = this.getAttribute('value') ?? '';
  }

  /** @internal */
  formDisabledCallback(disabled: boolean): void {
    this.isFormDisabled = disabled;
  }

  /** @internal */
  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  /** Sends what is written, or queues it while the agent is at work. */
  submit(): void {
    const text = this.value.trim();
    if ((text === '' && this.attachments.length === 0) || this.#isOff) return;
    const prompt = this.#queue.add(text, this.attachments);
    this.value = '';
    this.attachments = [];
    this.refusal = null;
    // Somebody who writes after a failure goes on.
    if (!this.#isRunning && this.queue.length === 1) this.#queue.resume();
    if (this.#isRunning || this.queue[0] !== prompt) this.requestUpdate();
    this.#advance();
  }

  protected override get provides() {
    return false;
  }

  protected override onSession(): void {
    const running = this.#isRunning;
    if (this.shown !== this.#session) {
      if (this.#session) this.#queue.moved();
      this.#session = this.shown;
      this.refusal = null;
    } else if (this.#wasRunning && !running) {
      this.#queue.ended(this.#last?.terminal === 'completed');
      this.#advance();
    }
    this.#wasRunning = running;
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('value') || changed.has('name')) this.setFormValue(this.value);
    this.describe('group', this.words.composer.label);
    this.state = this.#isRunning ? 'running' : null;
  }

  protected override render() {
    const words = this.words.composer;
    const running = this.#isRunning;
    const empty = this.value.trim() === '' && this.attachments.length === 0;
    const off = this.#isOff;
    return html`${this.#renderQueue()}
      <div class="box" part="box" @click=${this.#toInput}>
        <slot name="attachments"></slot>
        <textarea
          part="input"
          rows="1"
          dir="auto"
          aria-label=${words.label}
          placeholder=${this.placeholder ?? words.placeholder}
          enterkeyhint=${this.enter === 'newline' ? 'enter' : 'send'}
          .value=${this.value}
          ?disabled=${off}
          @input=${this.#typed}
          @keydown=${this.#pressed}
        ></textarea>
        <div class="buttons">
          <slot></slot>
          <span class="gap"></span>
          ${
            running && this.shown?.canSteer && !empty
              ? html`<button type="button" part="steer-button" ?disabled=${off} @click=${this.#steer}>
                  ${words.steer}
                </button>`
              : nothing
          }
          ${
            running
              ? html`<button
                  type="button"
                  part="stop-button"
                  aria-label=${this.words.stop}
                  @click=${this.#stop}
                >
                  ${icon('stopped')}
                </button>`
              : nothing
          }
          <button
            type="button"
            part="send-button"
            aria-label=${running ? words.queue : this.words.send}
            ?disabled=${empty || off}
            @click=${() => this.submit()}
          >
            ${icon('up')}
          </button>
        </div>
      </div>
      ${this.refusal === null ? nothing : html`<p class="refusal" role="alert" dir="auto">${this.refusal}</p>`}`;
  }

  #renderQueue() {
    const words = this.words.composer;
    const {pause} = this.#queue;
    if (this.queue.length === 0) return nothing;
    return html`<div class="waiting">
      <p role="status">
        ${words.waiting(this.queue.length)}${
          pause === null || this.#isRunning
            ? nothing
            : html` ${words.paused[pause]}
                <button type="button" @click=${this.#resume}>${words.sendNext}</button>`
        }
      </p>
      <ol part="queue" aria-label=${words.waiting(this.queue.length)}>
        ${this.queue.map(
          ({id, text, attachments}) =>
            html`<li part="queued">
              <span class="text" dir="auto">${text || words.attached(attachments.length)}</span>
              ${
                this.#isRunning
                  ? html`<button type="button" @click=${() => this.#stopAndSend(id)}>
                      ${words.stopAndSend}
                    </button>`
                  : nothing
              }
              <button type="button" aria-label=${words.edit(text)} @click=${() => this.#edit(id)}>
                ${icon('edit')}
              </button>
              <button type="button" aria-label=${words.remove(text)} @click=${() => this.#remove(id)}>
                ${icon('error')}
              </button>
            </li>`,
        )}
      </ol>
    </div>`;
  }

  get #last() {
    return this.shown?.transcript.turns.at(-1);
  }

  get #isRunning(): boolean {
    const last = this.#last;
    return last !== undefined && last.terminal === null && last.status !== 'settled';
  }

  get #isOff(): boolean {
    return this.disabled || this.isFormDisabled;
  }

  get #input() {
    return this.renderRoot?.querySelector('textarea');
  }

  readonly #toInput = ({target}: Event) => {
    if (!(target as Element).closest('button, textarea, slot')) this.#input?.focus();
  };

  readonly #typed = ({target}: Event) => {
    this.value = (target as HTMLTextAreaElement).value;
    this.refusal = null;
  };

  readonly #pressed = (event: KeyboardEvent) => {
    // 229 is what some engines still say of an Enter that ends a composition after `compositionend`.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && this.#isRunning) {
      event.preventDefault();
      return void this.#stop();
    }
    if (event.key !== 'Enter' || event.altKey) return;
    const sends = event.ctrlKey || event.metaKey || (this.enter === 'newline' ? false : !event.shiftKey);
    if (!sends) return;
    event.preventDefault();
    if (!event.repeat) this.submit();
  };

  readonly #stop = () => this.#act(() => this.cancel());

  readonly #steer = () => {
    const text = this.value.trim();
    return this.#act(async () => {
      await this.steer(text);
      if (this.value.trim() === text) this.value = '';
    });
  };

  readonly #resume = () => {
    this.#queue.resume();
    this.#advance();
  };

  #stopAndSend(id: number) {
    this.#queue.expedite(id);
    this.requestUpdate();
    return this.#act(() => this.cancel());
  }

  /** Back into the box; what stood there takes its place at the front. */
  #edit(id: number) {
    const prompt = this.#queue.take(id);
    if (!prompt) return;
    if (this.value.trim() !== '' || this.attachments.length > 0)
      this.#queue.add(this.value.trim(), this.attachments, true);
    this.value = prompt.text;
    this.attachments = prompt.attachments;
    this.#input?.focus();
  }

  #remove(id: number) {
    this.#queue.take(id);
    this.requestUpdate();
    this.#input?.focus();
  }

  async #act(act: () => Promise<void>) {
    this.refusal = null;
    try {
      await act();
    } catch (cause) {
      this.refusal = sentenceOf(cause);
    }
  }

  /** Sends the next one, if nothing runs and nothing is on its way. */
  #advance() {
    if (this.isSending || this.#isRunning || this.#isOff) return;
    const prompt = this.#queue.shift();
    if (prompt) void this.#post(prompt);
  }

  async #post(prompt: QueuedPrompt) {
    const {text, attachments} = prompt;
    this.isSending = true;
    try {
      const {pageContext, shown} = this;
      const context = typeof pageContext === 'function' ? await pageContext() : pageContext;
      // Written for the conversation that was shown then; the reader decides whether it is for this one too.
      if (this.shown !== shown) {
        this.#queue.putBack(prompt);
        this.#queue.moved();
        this.isSending = false;
        return;
      }
      const more = {...(context && {pageContext: context}), ...(attachments.length > 0 && {attachments})};
      await this.ask(new HermesSendRequestEvent(text, attachments, context ?? null), (session) =>
        session.send(text, more),
      );
    } catch (cause) {
      // Nothing written is lost: into the empty box, else first in the queue.
      if (this.value === '' && this.attachments.length === 0) {
        this.value = text;
        this.attachments = attachments;
      } else this.#queue.putBack(prompt);
      this.refusal = sentenceOf(cause);
    }
    this.isSending = false;
    // A run that was begun meanwhile holds the next one back; a page that took over may have begun none.
    this.#wasRunning = this.#isRunning;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-composer': HermesComposer;
  }
}
