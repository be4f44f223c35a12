/** Draws the first of many lines, and the rest when the reader asks for it: in parts, so that the page stays awake. */
import {button} from './visible-text.js';

export interface Units {
  /** How many there are: lines, or blocks of some. */
  readonly length: number;
  /** How many lines that is. */
  readonly lines: number;
  draw(from: number, to: number): Node;
}

export interface WindowOptions {
  readonly first?: number;
  /** What stands behind the lines in the box. */
  readonly after?: Node;
  /** Called when the last of them has been drawn. */
  readonly done?: () => void;
}

/** How many are drawn unasked, and at a time. */
const FIRST = 300;
const STEP = 300;
const BUDGET_MS = 8;

export class Windowed {
  readonly #box: HTMLElement;
  readonly #units: Units;
  readonly #words: (lines: number) => string;
  readonly #more: HTMLButtonElement;
  readonly #first: number;
  #drawn = 0;
  #isWhole = false;
  #isDue = false;

  constructor(
    box: HTMLElement,
    units: Units,
    words: (lines: number) => string,
    {first = FIRST, after, done}: WindowOptions = {},
  ) {
    this.#box = box;
    this.#units = units;
    this.#words = words;
    this.#first = first;
    this.#more = button('more-lines', '', () => this.#showAll());
    this.#after = after ?? null;
    this.#done = done;
    box.after(this.#more);
    this.update();
  }

  readonly #after: Node | null;
  readonly #done: (() => void) | undefined;

  /** Whether all that there is has been drawn. */
  get isDone(): boolean {
    return this.#drawn === this.#units.length;
  }

  /** There may be more than before. */
  update(): void {
    if (!this.#isDue) this.#draw(this.#isWhole ? this.#drawn + STEP : this.#first);
    if (this.#isWhole && !this.isDone) this.#soon();
  }

  #draw(limit: number) {
    const to = Math.min(limit, this.#units.length);
    if (to > this.#drawn) this.#box.insertBefore(this.#units.draw(this.#drawn, to), this.#after);
    this.#drawn = Math.max(this.#drawn, to);
    if (this.isDone) this.#done?.();
    this.#more.hidden = this.isDone || this.#isWhole;
    if (!this.#more.hidden) this.#more.textContent = this.#words(this.#units.lines);
  }

  #showAll() {
    this.#isWhole = true;
    // The button is about to go: whoever pressed it stands at what it showed.
    this.#box.focus({preventScroll: true});
    this.update();
  }

  #soon() {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      const end = performance.now() + BUDGET_MS;
      do this.#draw(this.#drawn + STEP);
      while (!this.isDone && performance.now() < end);
      if (!this.isDone) this.#soon();
    });
  }
}
