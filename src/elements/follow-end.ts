/** Follows the end of a scrolling host while the reader is there, and stops when the reader leaves it. */
import type {ReactiveController, ReactiveControllerHost} from 'lit';

/** How near the end counts as there, in pixels. */
const NEAR = 32;

export class FollowEnd implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #resized = new ResizeObserver(() => this.#keep());
  /** False once the reader has scrolled away from the end. */
  following = true;
  #top = 0;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.addEventListener('scroll', this.#scrolled);
  }

  hostDisconnected(): void {
    this.#host.removeEventListener('scroll', this.#scrolled);
    this.#resized.disconnect();
  }

  hostUpdated(): void {
    const content = this.#host.shadowRoot?.querySelector('.turns');
    if (content) this.#resized.observe(content);
  }

  toEnd(): void {
    this.#set(true);
    this.#keep();
  }

  // Sizes are told before the paint, so the end is never seen to lag.
  #keep() {
    if (!this.following) return;
    this.#host.scrollTop = this.#host.scrollHeight;
    this.#top = this.#host.scrollTop;
  }

  readonly #scrolled = () => {
    const {scrollTop, scrollHeight, clientHeight} = this.#host;
    // More text may have come since the scrolling this tells of; only moving up is leaving.
    if (scrollHeight - scrollTop - clientHeight < NEAR) this.#set(true);
    else if (scrollTop < this.#top) this.#set(false);
    this.#top = scrollTop;
  };

  #set(following: boolean) {
    if (following === this.following) return;
    this.following = following;
    this.#host.requestUpdate();
  }
}
