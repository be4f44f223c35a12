/** One part of a tool's body: a title, a button that copies, and what is shown. */
import type {JsonObject} from '../../anchor/index.js';
import type {ProseChoices} from '../markdown/prose-host.js';
import {copyButton} from './copy-button.js';
import {element} from './visible-text.js';
import type {ToolBodyWords} from './words.js';

export type SectionKind = 'command' | 'json' | 'diff' | 'texts' | 'content' | 'terminal' | 'text';

/** What a section shows. */
export interface SectionFacts {
  /** Stays the same while the tool goes on. */
  readonly name: string;
  readonly kind: SectionKind;
  readonly title: string;
  /** What is copied, and drawn unless it says otherwise. */
  readonly text: string;
  /** More may come. */
  readonly grows?: boolean;
  /** Of a change that came as two texts: the text before; `text` is the one after. */
  readonly before?: string;
  /** Blocks that came beside the text, or instead of it. */
  readonly content?: readonly JsonObject[] | undefined;
  /** What the page allows, for pictures from elsewhere. */
  readonly prose?: ProseChoices;
}

/** What draws a section's text below its head, and draws on when it has grown. */
export interface Drawing {
  /** What would be copied, where that is not the text itself. */
  copied?(): string;
  /** False where it cannot draw this text in what it has drawn before. */
  update(facts: SectionFacts): boolean;
}

export type Draw = (box: HTMLElement, facts: SectionFacts, words: ToolBodyWords) => Drawing;

export class Section {
  readonly element = element('div', 'section');
  #facts: SectionFacts;
  #drawing: Drawing;
  readonly #draw: Draw;
  readonly #words: ToolBodyWords;

  constructor(facts: SectionFacts, draw: Draw, words: ToolBodyWords) {
    this.#facts = facts;
    this.#draw = draw;
    this.#words = words;
    this.element.dataset['section'] = facts.name;
    this.#drawing = this.#begin();
  }

  get kind(): SectionKind {
    return this.#facts.kind;
  }

  update(facts: SectionFacts): void {
    const before = this.#facts;
    this.#facts = facts;
    const isSame = (['text', 'before', 'grows', 'content'] as const).every(
      (key) => facts[key] === before[key],
    );
    if (isSame) return;
    if (!this.#drawing.update(facts)) this.#drawing = this.#begin();
  }

  #begin(): Drawing {
    const {title} = this.#facts;
    const head = element('div', 'head');
    const copy = copyButton(title, this.#words, () => this.#drawing.copied?.() ?? this.#facts.text);
    head.append(element('small', '', title), copy);
    this.element.replaceChildren(head);
    return this.#draw(this.element, this.#facts, this.#words);
  }
}
