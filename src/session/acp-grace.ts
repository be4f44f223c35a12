/** The grace window of raw ACP lines: after the answer to a prompt the last words of a turn may still be on their way. */
import type {SessionCore} from './session-core.js';

const GRACE = 500;

export class AcpGrace {
  readonly #core: SessionCore;
  #timer: unknown = null;
  #waitsFor: Promise<void> | null = null;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** Lines were read: the window begins again. */
  watch(): void {
    const {clock, folding} = this.#core;
    clock.clearTimeout(this.#timer);
    if (folding.isDue) this.#timer = clock.setTimeout(() => this.end(), GRACE);
    if (folding.loading) this.#wait(folding.loading);
  }

  /** Nothing more comes: tells the end that is due. */
  end(): void {
    const {clock, folding, host} = this.#core;
    clock.clearTimeout(this.#timer);
    if (folding.finish()) host.tell();
  }

  /** What reads the lines is loaded when the first one comes. */
  #wait(loading: Promise<void>): void {
    if (this.#waitsFor === loading) return;
    this.#waitsFor = loading;
    loading.then(
      () => this.#core.receive([]),
      (cause: unknown) => this.#core.lacks(cause),
    );
  }
}
