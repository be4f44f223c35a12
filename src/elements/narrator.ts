/** What a screen reader is told, from a region of its own: phases, questions, ends and the finished answer, never tokens. */
import type {TurnAnchor} from '../anchor/index.js';
import type {firstWords} from './first-words.js';
import {loadedMarkdown} from './load-markdown.js';

/** How long words stand in the region: they are read when they arrive, and should not be found again later. */
const KEPT = 4000;
/** As much of an answer as is read out by itself. */
const LONGEST = 1000;

type Words = typeof firstWords;

/** How much is told. `answers` leaves out that something began or goes on. */
export type Narration = 'all' | 'answers' | 'off';

/** What is told of one turn. */
export class Narrator {
  #known: TurnAnchor | undefined;
  /** Questions and phases that were told: an item may get another place. */
  readonly #told = new Set<string>();

  /** Puts what is new of the turn into the region. What is already over when it is first seen is not news. */
  narrate(region: () => Element | null, turn: TurnAnchor, words: Words, narration: string): void {
    const before = this.#known;
    if (before === turn) return;
    this.#known = turn;
    const all = narration !== 'answers';
    const news = [...this.#news(turn, before, words)].filter(([phase]) => all || !phase);
    if (narration === 'off' || news.length === 0) return;
    const place = region();
    if (place) for (const [, text] of news) say(place, text);
  }

  /** What happened, each with whether it is only a phase. No token walks the turn: it is read from where it differs. */
  *#news(turn: TurnAnchor, before: TurnAnchor | undefined, words: Words) {
    const {terminal, status, items, error} = turn;
    const over = !before && terminal !== null;
    // Of a run of which only the address is known, nothing has been heard.
    if (!over && status === 'running' && (before?.status ?? 'created') === 'created')
      yield [true, words.started] as const;
    for (let at = before ? items.firstDifference(before.items) : 0; at < items.length; at++) {
      const {id, kind, control, status: phase, text} = items.get(at)!;
      const asks = control?.status === 'pending';
      const mark = `${id} ${phase}`;
      if ((!asks && kind !== 'lifecycle') || this.#told.has(mark)) continue;
      this.#told.add(mark);
      if (!over)
        yield [
          !asks,
          asks ? `${words.needed} ${words.control[control.type]}: ${cut(text)}` : cut(text),
        ] as const;
    }
    if (over || !terminal || terminal === before?.terminal) return;
    const completed = terminal === 'completed';
    yield [
      false,
      completed
        ? `${words.done} ${cut(spoken(String(turn.answer)))}`
        : `${words.terminal[terminal]}. ${error?.message ?? ''}`,
    ] as const;
  }
}

/** Puts words into the region, where they are read out once. */
export function say(region: Element, text: string): void {
  const line = document.createElement('p');
  line.textContent = text.trim();
  region.append(line);
  setTimeout(() => line.remove(), KEPT);
}

/** A text that is too long ends with a whole word. */
function cut(whole: {toString(): string}): string {
  const text = String(whole);
  return text.length <= LONGEST ? text : `${text.slice(0, text.lastIndexOf(' ', LONGEST))} …`;
}

/** A text without the marks of Markdown, where that is known. */
function spoken(text: string): string {
  const markdown = loadedMarkdown();
  // What is not read out anyway is not looked at.
  return markdown
    ? markdown
        .parseMarkdown(text.slice(0, 2 * LONGEST))
        .map((block) => markdown.textOf([block]))
        .join(' ')
    : text;
}
