/** JSON that folds. What stands in the document is the whole text; what is folded away is hidden, not left out. */
import {jsonLines, type JsonLine} from '../../scene/json-lines.js';
import type {Draw, SectionFacts} from './section.js';
import {appendVisibly, button, element, scroller} from './visible-text.js';
import {Windowed} from './windowed.js';
import type {ToolBodyWords} from './words.js';

/** From so many lines on, what is deeper than this begins folded. */
const LONG = 60;
const OPEN_DEPTH = 2;
/** So much of a text is drawn unasked. */
const LONGEST = 2000;

export const drawJson: Draw = (box, facts, words) => {
  new JsonDrawing(box, facts, words);
  return {update: () => false};
};

class JsonDrawing {
  readonly #lines: readonly JsonLine[];
  readonly #words: ToolBodyWords;
  readonly #folded = new Set<number>();
  /** Elements of the lines that have been drawn. */
  readonly #elements: HTMLElement[] = [];
  readonly #buttons: HTMLButtonElement[] = [];

  constructor(box: HTMLElement, {title, text}: SectionFacts, words: ToolBodyWords) {
    this.#lines = jsonLines(text) ?? [];
    this.#words = words;
    const isLong = this.#lines.length > LONG;
    for (const [index, {kind, indent}] of this.#lines.entries())
      if (isLong && kind === 'open' && indent.length >= 2 * OPEN_DEPTH) this.#folded.add(index);
    const pre = scroller('json', title);
    pre.addEventListener('keydown', (event) => this.#step(event));
    box.append(pre);
    const {length} = this.#lines;
    new Windowed(pre, {length, lines: length, draw: (from, to) => this.#draw(from, to)}, words.showAll);
  }

  #draw(from: number, to: number): Node {
    const drawn = new DocumentFragment();
    for (let index = from; index < to; index++) {
      const line = this.#lines[index]!;
      const made = element('span', 'json-line');
      made.hidden = this.#isHidden(line);
      if (line.kind === 'open') made.append(this.#button(index, line));
      drawLine(made, line, this.#words);
      if (line.kind === 'open') made.append(this.#rest(line));
      if (index < this.#lines.length - 1) made.append('\n');
      made.toggleAttribute('data-folded', this.#folded.has(index));
      this.#elements.push(made);
      drawn.append(made);
    }
    return drawn;
  }

  #isHidden({parent}: JsonLine): boolean {
    return parent >= 0 && (this.#folded.has(parent) || this.#elements[parent]!.hidden !== false);
  }

  /** What stands for that which is folded away. */
  #rest({end, size}: JsonLine): Element {
    const {value, comma} = this.#lines[end]!;
    const rest = element('span', 'rest');
    rest.dataset['rest'] = ` ${size} … ${value}${comma ? ',' : ''}`;
    return rest;
  }

  #button(index: number, {key, size}: JsonLine): HTMLButtonElement {
    const made = button('fold', '', () => this.#toggle(index));
    made.ariaExpanded = String(!this.#folded.has(index));
    made.ariaLabel = this.#words.fold(key ?? '', size);
    // One of them is reached by tab, the others by arrows.
    made.tabIndex = this.#buttons.length === 0 ? 0 : -1;
    made.dataset['line'] = String(index);
    this.#buttons.push(made);
    return made;
  }

  #toggle(index: number, folds = !this.#folded.has(index)) {
    if (folds) this.#folded.add(index);
    else this.#folded.delete(index);
    const line = this.#elements[index]!;
    line.toggleAttribute('data-folded', folds);
    line.querySelector('button')!.ariaExpanded = String(!folds);
    const end = Math.min(this.#lines[index]!.end, this.#elements.length - 1);
    for (let at = index + 1; at <= end; at++) this.#elements[at]!.hidden = this.#isHidden(this.#lines[at]!);
  }

  /** Up and down go from one fold to the next; right opens, left closes. */
  #step(event: KeyboardEvent) {
    const at = this.#buttons.indexOf(event.target as HTMLButtonElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const line = Number(this.#buttons[at]!.dataset['line']);
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
      this.#toggle(line, event.key === 'ArrowLeft');
    else {
      const shown = this.#buttons.filter((one) => !one.parentElement!.hidden);
      const to = {ArrowDown: 1, ArrowUp: -1}[event.key];
      const next = to === undefined ? undefined : shown[shown.indexOf(this.#buttons[at]!) + to];
      if (to === undefined) return;
      if (next) {
        this.#buttons[at]!.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function drawLine(parent: Node, {indent, key, value, kind, comma}: JsonLine, words: ToolBodyWords) {
  parent.appendChild(new Text(indent));
  if (key !== null) {
    const name = element('span', 'key');
    appendVisibly(name, key, true);
    parent.appendChild(name);
    parent.appendChild(new Text(': '));
  }
  const shown = element('span', kind);
  drawLong(shown, value, words);
  parent.appendChild(shown);
  if (comma) parent.appendChild(new Text(','));
}

/** A long text is drawn in part until the reader asks for it. */
function drawLong(shown: HTMLElement, value: string, words: ToolBodyWords) {
  appendVisibly(shown, value.slice(0, LONGEST), true);
  if (value.length <= LONGEST) return;
  const more = button('more-text', words.showText(value.length), () => {
    const rest = element('span');
    appendVisibly(rest, value.slice(LONGEST), true);
    more.replaceWith(rest);
    rest.closest('pre')!.focus({preventScroll: true});
  });
  shown.append(more);
}
