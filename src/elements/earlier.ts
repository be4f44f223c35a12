/**
 * Earlier messages: loaded when the reader comes near the head of what is there, or presses the button that stands there.
 * What is read stays where it is, as with all that is drawn above it.
 */
import {html, nothing, type ReactiveController} from 'lit';
import type {FollowEnd} from './follow-end.js';
import type {HermesTranscript} from './hermes-transcript.js';
import {spoken} from './spoken.js';
import {firstWords} from './first-words.js';

/** They come with it; a page gives its own among the others. */
export const earlierWords = {earlier: 'Earlier messages', loading: firstWords.loading};

/** Whoever keeps the reader's place. */
export type Reader = Pick<FollowEnd, 'following' | 'hold'>;

class Earlier implements ReactiveController {
  readonly #host: HermesTranscript;
  readonly #reader: Reader;
  readonly #near = new IntersectionObserver((entries) => this.#came(entries.at(-1)!), NEAR);
  #line: Element | null = null;
  /** Null until it was told. */
  #isNear: boolean | null = null;
  #isLoading = false;
  #failure: string | null = null;
  /** Of which session that is. */
  #failed: HermesTranscript['shown'] = null;

  constructor(host: HermesTranscript, reader: Reader) {
    this.#host = host;
    this.#reader = reader;
    host.addController(this);
  }

  hostUpdated(): void {
    const line = this.#host.renderRoot.querySelector('.earlier');
    if (line === this.#line) return;
    this.hostDisconnected();
    this.#line = line;
    if (!line) return;
    this.#near.observe(line);
    // What is copied is what was said.
    (line as HTMLElement).style.userSelect = 'none';
    Object.assign(line.querySelector('button')!.style, {margin: '0 auto', fontSize: '0.875em'});
  }

  hostDisconnected(): void {
    this.#near.disconnect();
    this.#line = this.#isNear = null;
  }

  render() {
    const words = spoken(earlierWords, this.#host.strings);
    return html`<div class="earlier">
      <button type="button" part="earlier-button" aria-disabled=${this.#isLoading} @click=${this.#pressed}>
        ${this.#isLoading ? words.loading : words.earlier}
      </button>
      ${this.#failure && this.#failed === this.#host.shown ? html`<p role="status">${this.#failure}</p>` : nothing}
    </div>`;
  }

  // Who stands at the head of a page that has only just been loaded has not gone there: only coming near counts.
  #came({isIntersecting}: IntersectionObserverEntry) {
    if (isIntersecting && this.#isNear === false) void this.#load();
    this.#isNear = isIntersecting;
  }

  readonly #pressed = ({currentTarget}: Event) => {
    this.#reader.hold();
    const button = currentTarget as HTMLElement;
    const first = this.#host.renderRoot.querySelector<HTMLElement>('[part=turn]');
    const hasFocus = button.matches(':focus');
    void this.#load().then(() => {
      // The last of them takes the button with it, and no focus is left on what is gone.
      if (hasFocus && !button.isConnected) first?.focus({preventScroll: true});
    });
  };

  async #load(): Promise<void> {
    const host = this.#host;
    const session = host.shown;
    if (this.#isLoading || !session?.hasEarlier) return;
    this.#isLoading = true;
    if (!this.#reader.following) this.#reader.hold(true);
    host.requestUpdate();
    const isMore = await session.loadEarlier().catch(() => false);
    this.#isLoading = false;
    this.#failure = isMore ? null : (session.problem?.message ?? null);
    this.#failed = session;
    host.requestUpdate();
    await host.updateComplete;
  }
}

/** Early enough that a reader seldom waits. For what the window scrolls, engines that know both add them up. */
const NEAR: IntersectionObserverInit & {readonly scrollMargin: string} = {
  rootMargin: '25%',
  scrollMargin: '25%',
};

const known = new WeakMap<HermesTranscript, Earlier>();

/** The line with the button. */
export function earlierLine(host: HermesTranscript, reader: Reader) {
  let earlier = known.get(host);
  if (!earlier) known.set(host, (earlier = new Earlier(host, reader)));
  return earlier.render();
}
