/** A menu that opens above all else on the page: arrows, Home, End and first letters go through it, Escape and Tab close it. */
import {html, nothing, type ReactiveControllerHost} from 'lit';

export interface MenuEntry {
  readonly words: string;
  act(): void;
}

/** How far it keeps from the edges of the window, in pixels. */
const EDGE = 8;

export class Menu {
  #button: HTMLElement | null = null;
  #element: HTMLElement | null = null;

  constructor(private readonly host: ReactiveControllerHost) {}

  get isOpen(): boolean {
    return this.#button !== null;
  }

  toggle(button: HTMLElement): void {
    if (this.#button) return this.#close(true);
    this.#button = button;
    this.host.requestUpdate();
    void this.host.updateComplete.then(() => this.#open());
  }

  render(name: string, entries: () => readonly MenuEntry[]) {
    if (!this.isOpen) return nothing;
    return html`<div
      class="menu"
      part="menu"
      role="menu"
      popover="manual"
      aria-label=${name}
      @keydown=${this.#pressed}
      @focusout=${this.#left}
    >
      ${entries().map(
        ({words, act}) =>
          html`<button
            type="button"
            role="menuitem"
            tabindex="-1"
            @click=${() => {
              this.#close(true);
              act();
            }}
          >
            ${words}
          </button>`,
      )}
    </div>`;
  }

  #open() {
    const menu = this.#button?.parentElement?.querySelector<HTMLElement>(':scope > [role=menu]');
    if (!menu?.isConnected) return;
    this.#element = menu;
    menu.showPopover?.();
    this.#place();
    this.#items[0]?.focus({preventScroll: true});
    addEventListener('scroll', this.#place, {capture: true, passive: true});
    addEventListener('resize', this.#place);
  }

  /** Beside its button, wherever that is; closed when that is out of the window. */
  readonly #place = () => {
    const [menu, button] = [this.#element, this.#button];
    if (!menu || !button) return;
    const at = button.getBoundingClientRect();
    const {width, height} = menu.getBoundingClientRect();
    if (at.bottom < 0 || at.top > innerHeight) return this.#close(true);
    const isRtl = getComputedStyle(button).direction === 'rtl';
    const left = isRtl ? at.right - width : at.left;
    const below = at.bottom + height + EDGE <= innerHeight || at.top < height + EDGE;
    menu.style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - width - EDGE))}px`;
    menu.style.top = `${below ? at.bottom + 4 : at.top - height - 4}px`;
  };

  get #items(): HTMLElement[] {
    return [...(this.#element?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  }

  #close(backToButton: boolean) {
    const button = this.#button;
    if (!button) return;
    this.#button = this.#element = null;
    removeEventListener('scroll', this.#place, {capture: true});
    removeEventListener('resize', this.#place);
    if (backToButton) button.focus({preventScroll: true});
    this.host.requestUpdate();
  }

  readonly #left = ({relatedTarget}: FocusEvent) => {
    if (!this.#element?.contains(relatedTarget as Node | null)) this.#close(false);
  };

  readonly #pressed = (event: KeyboardEvent) => {
    const items = this.#items;
    const at = items.indexOf(event.target as HTMLElement);
    const {key, altKey, ctrlKey, metaKey} = event;
    if (altKey || ctrlKey || metaKey) return;
    event.stopPropagation();
    if (key === 'Tab') return this.#close(true);
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (key === 'Escape') this.#close(true);
    else if (key.length === 1 && key !== ' ') nextByLetter(items, at, key)?.focus();
    else return;
    event.preventDefault();
  };
}

/** The next one that begins with the letter, past the last one from the first on. */
function nextByLetter(items: readonly HTMLElement[], at: number, letter: string): HTMLElement | undefined {
  const wanted = letter.toLocaleLowerCase();
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
    item.textContent.trim().toLocaleLowerCase().startsWith(wanted),
  );
}
