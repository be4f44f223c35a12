/** What one part of a text defines and another refers to: link definitions and footnotes. */
import {trimmed} from './characters.js';
import type {MarkdownElement} from './node.js';

export interface LinkDefinition {
  readonly href: string;
  readonly title: string | undefined;
}

/** Labels match without regard to case and to the amount of white space (CommonMark 0.31, section 4.7). */
function keyOf(label: string): string {
  return trimmed(label)
    .replace(/[ \t\n]+/g, ' ')
    .toLowerCase()
    .toUpperCase();
}

/** Definitions found so far. A draft on top of them forgets what it finds: what has not ended may turn out another. */
export class References {
  readonly #below: References | null;
  readonly #links = new Map<string, LinkDefinition>();
  readonly #notes = new Map<string, MarkdownElement>();
  /** Labels of footnotes in the order of their first use. */
  readonly #uses = new Map<string, {readonly number: number; readonly use: number}>();
  /** How many labels were used. */
  #numbers: number;
  /** False once all is known that the text defines: what is not defined then is text. */
  readonly #growing: boolean;
  /** Counts what may read otherwise once more is known: labels and entities not found, and uses of footnotes. */
  readonly doubts: {count: number};

  constructor(growing = true, below: References | null = null) {
    this.#growing = growing;
    this.#below = below;
    this.#numbers = below && growing ? below.#numbers : 0;
    this.doubts = below ? below.doubts : {count: 0};
  }

  draft(): References {
    return new References(this.#growing, this);
  }

  /** The same definitions with nothing used yet, and no more to come. */
  settled(): References {
    return new References(false, this);
  }

  /** The first definition of a label stands. */
  define(label: string, link: LinkDefinition): void {
    const key = keyOf(label);
    if (key !== '' && !this.#find(key)) this.#links.set(key, link);
  }

  link(label: string): LinkDefinition | undefined {
    const found = this.#find(keyOf(label));
    if (!found) this.doubts.count++;
    return found;
  }

  /** The first definition of a label stands; it is known by the label as it is compared. */
  defineNote(label: string, note: MarkdownElement): void {
    const key = keyOf(label);
    if (!this.note(key)) this.#notes.set(key, {...note, attributes: {label: key}});
  }

  note(label: string): MarkdownElement | undefined {
    const key = keyOf(label);
    return this.#notes.get(key) ?? this.#below?.note(key);
  }

  /** Counts a use of a footnote, which has the number of its first use; null where none is or will be defined. */
  use(label: string): {label: string; number: number; use: number} | null {
    const key = keyOf(label);
    if (!this.#growing && !this.note(key)) return null;
    this.doubts.count++;
    const {number = ++this.#numbers, use = 0} = this.#lastUse(key) ?? {};
    this.#uses.set(key, {number, use: use + 1});
    return {label: key, number, use: use + 1};
  }

  /** Labels of footnotes in the order of their first use; those that are used meanwhile come last. */
  get used(): Iterable<string> {
    return this.#uses.keys();
  }

  /** How many links are defined. */
  get links(): number {
    return this.#links.size + (this.#below ? this.#below.links : 0);
  }

  #lastUse(key: string): {readonly number: number; readonly use: number} | undefined {
    return this.#uses.get(key) ?? (this.#below && this.#growing ? this.#below.#lastUse(key) : undefined);
  }

  #find(key: string): LinkDefinition | undefined {
    return this.#links.get(key) ?? (this.#below ? this.#below.#find(key) : undefined);
  }
}
