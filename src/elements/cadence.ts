/** How often something is drawn: the first time at once, then at most twenty times a second. Nobody reads faster; out of sight four times do. */

/** Three frames, as others take for words on their way. A timer, as it costs a page less than to ask for frames, and goes on in one that is not seen. */
const REST_MS = 50;
const UNSEEN_MS = 250;

export class Cadence {
  readonly #draw: () => void;
  readonly #isUnseen: () => boolean;
  /** True from a drawing until the next one may be. */
  #rests = false;
  #asked = false;

  constructor(draw: () => void, isUnseen: () => boolean) {
    this.#draw = draw;
    this.#isUnseen = isUnseen;
  }

  /** What was asked for is not drawn. */
  forget(): void {
    this.#asked = false;
  }

  /** Draws now, or together with all else that is asked for in the meantime. */
  ask(): void {
    if (this.#rests) {
      this.#asked = true;
      return;
    }
    // Asked before: once something is drawn the browser would have to lay it out to tell.
    const rest = this.#isUnseen() ? UNSEEN_MS : REST_MS;
    this.#draw();
    this.#rests = true;
    setTimeout(() => {
      this.#rests = false;
      if (!this.#asked) return;
      this.#asked = false;
      this.ask();
    }, rest);
  }
}
