/**
 * How often something is drawn: the first time at once, then at most twenty times a second, as nobody reads faster. What
 * comes faster than anybody reads is drawn ten times, what is out of sight four times.
 */

/** Three frames, as others take for words on their way. A timer, as it costs a page less than to ask for frames, and goes on in one that is not seen. */
const REST_MS = 50;
const FAST_MS = 100;
const UNSEEN_MS = 250;
/** As many pieces in a millisecond are more than anybody reads: three times what most agents write. */
const FAST = 0.25;

export class Cadence {
  readonly #draw: () => void;
  readonly #isUnseen: () => boolean;
  /** True from a drawing until the next one may be. */
  #rests = false;
  /** How long that is, or was the last time, in milliseconds. */
  #rest = REST_MS;
  /** How many pieces wait to be drawn. */
  #waiting = 0;

  constructor(draw: () => void, isUnseen: () => boolean) {
    this.#draw = draw;
    this.#isUnseen = isUnseen;
  }

  /** What was asked for is not drawn. */
  forget(): void {
    this.#waiting = 0;
  }

  /** Draws so many pieces now, or together with all that come in the meantime. */
  ask(pieces: number): void {
    this.#waiting += pieces;
    if (this.#rests) return;
    // Asked before: once something is drawn the browser would have to lay it out to tell.
    this.#rest = this.#isUnseen() ? UNSEEN_MS : this.#waiting > FAST * this.#rest ? FAST_MS : REST_MS;
    this.#waiting = 0;
    this.#rests = true;
    // Before it is drawn, which may fail.
    setTimeout(() => {
      this.#rests = false;
      if (this.#waiting > 0) this.ask(0);
    }, this.#rest);
    this.#draw();
  }
}
