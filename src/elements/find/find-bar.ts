/** The bar a reader finds with: a field, how much was found, and buttons. It floats above the upper end of its transcript. */
import {html, nothing, render} from 'lit';
import type {FindWords} from '../export/words.js';
import {icon} from '../icons.js';

/** How far it keeps from the edges of the transcript and the window, in pixels. */
const EDGE = 8;

export interface FindActions {
  typed(text: string): void;
  /** 1 for the next, -1 for the one before. */
  step(by: 1 | -1): void;
  close(): void;
}

export interface FindFacts {
  /** The place the reader is at, from 1; 0 where nothing was found. */
  readonly at: number;
  readonly count: number;
  /** Nothing is looked for. */
  readonly isEmpty: boolean;
}

export class FindBar {
  readonly element: HTMLElement;
  readonly #over: HTMLElement;
  readonly #actions: FindActions;
  readonly #resized = new ResizeObserver(() => this.#place());

  constructor(over: HTMLElement, actions: FindActions) {
    this.#over = over;
    this.#actions = actions;
    const made = new DocumentFragment();
    render(
      html`<div
        class="find"
        part="find"
        role="search"
        popover="manual"
        tabindex="-1"
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
      ></div>`,
      made,
    );
    this.element = made.querySelector('div')!;
  }

  get field(): HTMLInputElement {
    return this.element.querySelector('input')!;
  }

  open(root: ShadowRoot): void {
    root.append(this.element);
    this.element.showPopover?.();
    this.#resized.observe(this.#over);
    this.#resized.observe(this.element);
    addEventListener('scroll', this.#place, {capture: true, passive: true});
    addEventListener('resize', this.#place);
    this.#place();
  }

  /** Something else is selected: a field that has the focus would keep what is selected in it. */
  leaveField(): void {
    this.element.focus({preventScroll: true});
  }

  close(): void {
    this.#resized.disconnect();
    removeEventListener('scroll', this.#place, {capture: true});
    removeEventListener('resize', this.#place);
    this.element.remove();
  }

  draw({at, count, isEmpty}: FindFacts, words: FindWords): void {
    const actions = this.#actions;
    const button = (name: string, picture: 'up' | 'down' | 'error', act: () => void, isOff = false) =>
      html`<button type="button" aria-label=${name} title=${name} ?disabled=${isOff} @click=${act}>
        ${icon(picture)}
      </button>`;
    this.element.ariaLabel = words.label;
    render(
      html`<div>
        <input
          type="text"
          inputmode="search"
          enterkeyhint="search"
          autocomplete="off"
          spellcheck="false"
          dir="auto"
          aria-label=${words.field}
          placeholder=${words.field}
          @input=${(event: Event) => actions.typed((event.currentTarget as HTMLInputElement).value)}
        />
        <span role="status">${isEmpty ? nothing : count === 0 ? words.none : words.count(at, count)}</span>
        ${button(words.previous, 'up', () => actions.step(-1), count === 0)}${button(
          words.next,
          'down',
          () => actions.step(1),
          count === 0,
        )}${button(words.close, 'error', () => actions.close())}
      </div>`,
      this.element,
    );
  }

  /** At the upper end of what is seen of the transcript. */
  readonly #place = () => {
    const {element} = this;
    const over = this.#over.getBoundingClientRect();
    const {clientWidth, clientHeight} = document.documentElement;
    element.style.maxInlineSize = `${Math.min(this.#over.clientWidth, clientWidth) - 2 * EDGE}px`;
    const {width, height} = element.getBoundingClientRect();
    const isRtl = getComputedStyle(this.#over).direction === 'rtl';
    const right = over.left + this.#over.clientLeft + this.#over.clientWidth;
    const left = isRtl ? over.left + EDGE : right - width - EDGE;
    element.style.left = `${within(left, EDGE, clientWidth - width - EDGE)}px`;
    element.style.top = `${within(over.top + EDGE, EDGE, clientHeight - height - EDGE)}px`;
  };

  #pressed(event: KeyboardEvent) {
    const {key, shiftKey, altKey, ctrlKey, metaKey, isComposing} = event;
    if (altKey || ctrlKey || metaKey || isComposing) return;
    if (key === 'Escape') this.#actions.close();
    else if (key === 'Enter' && (event.target === this.field || event.target === this.element))
      this.#actions.step(shiftKey ? -1 : 1);
    else {
      // Goes into the field, which gets the focus before it is typed.
      if (event.target === this.element && key.length === 1) this.field.focus({preventScroll: true});
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
