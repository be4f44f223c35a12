import {html, nothing, type PropertyValues} from 'lit';
import {property, state} from 'lit/decorators.js';
import type {Session} from '../session/index.js';
import {AskedStops} from './asked-stops.js';
import {composerStyles} from './composer-styles.js';
import {HermesSendRequestEvent} from './events.js';
import {icon} from './icons.js';
import {panelWords, type PanelWords} from './panel-words.js';
import {PromptQueue, type QueuedPrompt, type Sending} from './prompt-queue.js';
import {sentenceOf} from './sentence.js';
import {SessionElement} from './session-element.js';
import {homeOf} from './session-home.js';
import {spoken} from './spoken.js';

/** How long a prompt may be on its way before that is shown, in ms; most have arrived before it could be read. */
const SHOW_SENDING_MS = 400;

/** What the composer waits by. It is passed in, so that tests need not wait. */
export interface ComposerClock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

const pageClock: ComposerClock = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

/**
 * Where the reader writes to the agent. While the agent is at work, what is written waits in a queue that can be seen,
 * changed and emptied; each prompt goes when the turn before it has completed. Nothing goes to another session than the
 * one it was written in, unless the reader says so. What takes long to be sent is shown, and can be taken back.
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
 * @csspart stop-button - Stops what runs; says so while it was asked and has not stopped yet.
 * @csspart sending - A prompt that is on its way.
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

  /** @internal */
  clock: ComposerClock = pageClock;

  /** True when the form around it, or a fieldset, is disabled. */
  @state() private isFormDisabled = false;

  // One that was taken out of the page no longer hears when a turn ends: what waits goes on when it is back.
  readonly #queue = new PromptQueue({
    send: (sending) => void this.#post(sending),
    isOff: () => this.#isOff || !this.isConnected,
  });
  readonly #stops = new AskedStops();
  /** Sessions whose agent is being told something. */
  readonly #steering = new WeakSet<Session>();
  /** Why the last wish came to nothing, by session. */
  readonly #refusals = new WeakMap<object, string>();
  /** Since when an attempt is on its way. */
  readonly #since = new Map<number, number>();
  /** The attempt whose prompt was taken back into the box and stands there. */
  #takenBack: number | null = null;
  #session: Session | null = null;
  /** What had the focus before it is drawn anew. */
  #focused: Element | null = null;
  #timer: unknown;

  /** What waits, the next one first. */
  get queue(): readonly QueuedPrompt[] {
    return this.#queue.prompts;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.clock.clearTimeout(this.#timer);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // What was waited for may have come.
    queueMicrotask(() => this.#queue.advance());
    this.requestUpdate();
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
    const {attachments} = this;
    const text = this.value.trim();
    if ((text === '' && attachments.length === 0) || this.#isOff) return;
    this.#setBox('', []);
    this.#refuse(null);
    this.#queue.add(text, attachments);
  }

  get #words(): PanelWords['composer'] {
    return spoken({composer: panelWords.composer}, this.strings).composer;
  }

  protected override get provides() {
    return false;
  }

  protected override onSession(): void {
    const {shown} = this;
    if (shown !== this.#session) {
      if (this.#session) this.#refusals.delete(this.#session);
      this.#session = shown;
    }
    this.#queue.hear(homeOf(shown), this.#last);
    super.onSession();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    // An attribute that was removed is null.
    this.value ??= '';
    this.attachments ??= [];
    if (changed.has('value') || changed.has('name')) this.setFormValue(this.value);
    this.describe('group', this.#words.label);
    this.#focused = this.shadowRoot?.activeElement ?? null;
    this.state = this.#queue.isRunning ? 'running' : null;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // A button that has done its work and is gone leaves the focus to the text.
    if (this.#focused?.isConnected === false) this.#input?.focus();
    // What waits goes on as soon as something can be sent again; not while this is drawn.
    if (changed.has('disabled') || changed.has('isFormDisabled')) queueMicrotask(() => this.#queue.advance());
    this.#wakeUp();
  }

  protected override render() {
    const words = this.#words;
    const running = this.#queue.isRunning;
    const empty = this.value.trim() === '' && this.attachments.length === 0;
    const off = this.#isOff;
    const refusal = this.#refusals.get(this.shown ?? this);
    return html`${this.#renderWaiting()}
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
          ${running ? html`${this.#renderSteer()}${this.#renderStop()}` : nothing}
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
      ${refusal === undefined ? nothing : html`<p class="refusal" role="alert" dir="auto">${refusal}</p>`}`;
  }

  /** Only words can be told to an agent at work; what is attached stays for the next prompt. */
  #renderSteer() {
    const {shown} = this;
    if (!shown?.canSteer || this.value.trim() === '') return nothing;
    const words = this.#words;
    const isOnItsWay = this.#steering.has(shown);
    return html`<button
      type="button"
      part="steer-button"
      aria-disabled=${isOnItsWay ? 'true' : nothing}
      ?disabled=${this.#isOff}
      @click=${this.#steer}
    >
      ${isOnItsWay ? words.steering : words.steer}
    </button>`;
  }

  #renderStop() {
    const {stopping, stopAgain} = this.#words;
    const phase = this.#stopPhase;
    const isReady = phase === 'ready';
    // Not disabled while it waits: the focus would be lost.
    return html`<button
      type="button"
      part="stop-button"
      class=${isReady ? nothing : 'worded'}
      aria-label=${isReady ? this.words.stop : nothing}
      aria-disabled=${phase === 'pending' ? 'true' : nothing}
      @click=${this.#stop}
    >
      ${icon('stopped')} ${isReady ? nothing : phase === 'pending' ? stopping : stopAgain}
    </button>`;
  }

  #renderWaiting() {
    const {prompts} = this.#queue;
    const sending = this.#queue.sending.filter((each) => this.#showsAt(each) <= this.clock.now());
    if (prompts.length === 0 && sending.length === 0) return nothing;
    return html`<div class="waiting">
      ${sending.map((each) => this.#renderSending(each))}${prompts.length > 0 ? this.#renderQueue(prompts) : nothing}
    </div>`;
  }

  #renderSending(sending: Sending) {
    const words = this.#words;
    const {prompt} = sending;
    const text = prompt.text || words.attached(prompt.attachments.length);
    return html`<div part="sending" class="entry">
      <div class="what">
        <p role="status">${this.#queue.isHere(prompt) ? words.sending : words.sendingElsewhere}</p>
        <p class="text" dir="auto">${text}</p>
      </div>
      <button type="button" aria-label="${words.takeBack}: ${text}" @click=${() => this.#takeBack(sending)}>
        ${words.takeBack}
      </button>
    </div>`;
  }

  #renderQueue(prompts: readonly QueuedPrompt[]) {
    const words = this.#words;
    const {pause, isRunning} = this.#queue;
    const holds = pause !== null && (!isRunning || pause === 'aside' || pause === 'elsewhere');
    return html`<p role="status">
        ${words.waiting(prompts.length)}${holds ? ` ${words.paused[pause]}` : nothing}
        ${
          holds && !isRunning
            ? html`<button type="button" ?disabled=${this.#isOff} @click=${this.#resume}>
                ${pause === 'elsewhere' ? words.sendHere : words.sendNext}
              </button>`
            : nothing
        }
      </p>
      <ol part="queue" aria-label=${words.waiting(prompts.length)}>
        ${prompts.map((prompt) => this.#renderQueued(prompt))}
      </ol>`;
  }

  #renderQueued(prompt: QueuedPrompt) {
    const words = this.#words;
    const {id, attachments, reason} = prompt;
    const text = prompt.text || words.attached(attachments.length);
    return html`<li part="queued" class="entry">
      <div class="what">
        <p class="text" dir="auto">${text}</p>
        ${this.#queue.isHere(prompt) || this.#queue.pause === 'elsewhere' ? nothing : html`<p class="from">${words.elsewhere}</p>`}
        ${reason === null ? nothing : html`<p class="refusal" role="alert" dir="auto">${reason}</p>`}
      </div>
      <div class="can">
        ${
          this.#queue.isRunning
            ? html`<button type="button" ?disabled=${this.#isOff} @click=${() => this.#stopAndSend(id)}>
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
      </div>
    </li>`;
  }

  get #last() {
    return this.shown?.transcript.turns.at(-1);
  }

  get #turnIds(): readonly string[] {
    const last = this.#last;
    return last ? [last.id, ...last.aliases] : [];
  }

  get #stopPhase() {
    return this.shown ? this.#stops.phaseOf(this.shown, this.#turnIds, this.clock.now()) : 'ready';
  }

  get #isBoxFree(): boolean {
    return this.value === '' && this.attachments.length === 0;
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
    this.#setBox((target as HTMLTextAreaElement).value, this.attachments);
    this.#refuse(null);
  };

  readonly #pressed = (event: KeyboardEvent) => {
    // 229 is what some engines still say of an Enter that ends a composition after `compositionend`.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && this.#queue.isRunning) {
      event.preventDefault();
      // Held down, it asks once.
      if (!event.repeat) void this.#stop();
      return;
    }
    if (event.key !== 'Enter' || event.altKey) return;
    const sends = event.ctrlKey || event.metaKey || (this.enter === 'newline' ? false : !event.shiftKey);
    if (!sends) return;
    event.preventDefault();
    if (!event.repeat) this.submit();
  };

  readonly #stop = async () => {
    const {shown} = this;
    const [turn] = this.#turnIds;
    if (!shown || turn === undefined || this.#stopPhase === 'pending') return;
    const asked = this.#stops.ask(shown, turn, this.clock.now());
    const isTaken = await this.#act(() => this.cancel());
    if (!isTaken) this.#stops.drop(shown, asked);
    this.requestUpdate();
  };

  readonly #steer = async () => {
    const {shown} = this;
    const text = this.value.trim();
    if (!shown || text === '' || this.#steering.has(shown)) return;
    this.#steering.add(shown);
    const isTaken = await this.#act(() => this.steer(text));
    this.#steering.delete(shown);
    if (isTaken && this.value.trim() === text) this.value = '';
    this.requestUpdate();
  };

  readonly #resume = () => {
    this.#queue.resume();
    this.#input?.focus();
    this.requestUpdate();
  };

  #stopAndSend(id: number) {
    this.#queue.expedite(id);
    this.requestUpdate();
    return this.#stop();
  }

  /** Back into the box; what stood there is set aside. */
  #edit(id: number) {
    const prompt = this.#queue.edit(id, {text: this.value.trim(), attachments: this.attachments});
    if (!prompt) return;
    this.#setBox(prompt.text, prompt.attachments);
    this.#input?.focus();
  }

  #remove(id: number) {
    this.#queue.remove(id);
    this.requestUpdate();
    this.#input?.focus();
  }

  #takeBack(sending: Sending) {
    const prompt = this.#queue.takeBack(sending, this.#words.mayHaveIt, this.#isBoxFree);
    this.#intoBox(prompt);
    if (prompt) this.#takenBack = sending.attempt;
    this.#input?.focus();
  }

  /** Does what the reader wants. False when it was refused: the reason is shown where it was wanted. */
  async #act(act: () => Promise<void>): Promise<boolean> {
    const {shown} = this;
    this.#refuse(null);
    try {
      await act();
      return true;
    } catch (cause) {
      this.#refuse(sentenceOf(cause), shown);
      return false;
    }
  }

  #refuse(sentence: string | null, session = this.shown) {
    if (sentence === null) this.#refusals.delete(session ?? this);
    else this.#refusals.set(session ?? this, sentence);
    this.requestUpdate();
  }

  #setBox(text: string, attachments: readonly object[]) {
    this.value = text;
    this.attachments = attachments;
    this.#takenBack = null;
    this.requestUpdate();
  }

  /** What came back and found the box free, with the reason. */
  #intoBox(prompt: QueuedPrompt | null) {
    if (prompt) {
      this.#setBox(prompt.text, prompt.attachments);
      this.#refuse(prompt.reason);
    }
    this.requestUpdate();
  }

  async #post(sending: Sending) {
    const {text, attachments} = sending.prompt;
    this.#since.set(sending.attempt, this.clock.now());
    this.requestUpdate();
    try {
      const {pageContext} = this;
      const context = typeof pageContext === 'function' ? await pageContext() : pageContext;
      if (!this.#queue.mayAsk(sending)) return;
      const more = {...(context && {pageContext: context}), ...(attachments.length > 0 && {attachments})};
      await this.ask(new HermesSendRequestEvent(text, attachments, context ?? null), (session) =>
        session.send(text, more),
      );
      if (this.#takenBack === sending.attempt) this.#refuse(this.#words.hasIt);
      this.#queue.answered(sending);
    } catch (cause) {
      this.#intoBox(this.#queue.refused(sending, sentenceOf(cause), this.#isBoxFree));
    } finally {
      this.#since.delete(sending.attempt);
      this.requestUpdate();
    }
  }

  /** When an attempt is shown to be on its way: at once where another session than its own is shown. */
  #showsAt({attempt, prompt}: Sending): number {
    return this.#queue.isHere(prompt) ? (this.#since.get(attempt) ?? 0) + SHOW_SENDING_MS : 0;
  }

  /** Draws anew when that changes something by itself: what is on its way is shown, a stop can be asked for again. */
  #wakeUp() {
    const now = this.clock.now();
    const stop = this.shown && this.#queue.isRunning && this.#stops.dueAt(this.shown, this.#turnIds, now);
    const times = [...this.#queue.sending.map((each) => this.#showsAt(each)), stop || 0].filter(
      (at) => at > now,
    );
    this.clock.clearTimeout(this.#timer);
    if (times.length > 0 && this.isConnected)
      this.#timer = this.clock.setTimeout(() => this.requestUpdate(), Math.min(...times) - now);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hermes-composer': HermesComposer;
  }
}
