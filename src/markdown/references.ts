/** What one part of a text defines and another refers to: link definitions and footnotes. */
import type {MarkdownElement} from './node.js';

export interface LinkDefinition {
  readonly href: string;
  readonly title: string | undefined;
}

/** Labels match without regard to case and to the amount of white space (CommonMark 0.31, section 4.7). */
function keyOf(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** Definitions found so far. A draft on top of them forgets what it finds: what has not ended may turn out another. */
export class References {
  readonly #below: References | null;
  readonly #links = new Map<string, LinkDefinition>();
  readonly #notes = new Map<string, MarkdownElement>();
  /** Labels of footnotes in the order of their first use. */
  readonly #uses: Map<string, {readonly number: number; readonly use: number}>;
  /** False once all is known that the text defines: what is not defined then is text. */
  readonly #growing: boolean;
  /** Counts what may read otherwise once more is known: labels and entities not found, and uses of footnotes. */
  unsure = 0;

  constructor(growing = true, below: References | null = null) {
    this.#growing = growing;
    this.#below = below;
    this.#uses = new Map(below ? below.#uses : []);
  }

  draft(): References {
    return new References(this.#growing, this);
  }

  /** The same definitions with nothing used yet, and no more to come. */
  settled(): References {
    const settled = new References(false, this);
    settled.#uses.clear();
    return settled;
  }

  /** The first definition of a label stands. */
  define(label: string, link: LinkDefinition): void {
    const key = keyOf(label);
    if (key !== '' && !this.#find(key)) this.#links.set(key, link);
  }

  link(label: string): LinkDefinition | undefined {
    const found = this.#find(keyOf(label));
    if (!found) this.unsure++;
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
    this.unsure++;
    const {number = this.#uses.size + 1, use = 0} = this.#uses.get(key) ?? {};
    this.#uses.set(key, {number, use: use + 1});
    return {label: key, number, use: use + 1};
  }

  /** Labels of footnotes in the order of their first use; those that are used meanwhile come last. */
  get used(): Iterable<string> {
    return this.#uses.keys();
  }

  #find(key: string): LinkDefinition | undefined {
    return this.#links.get(key) ?? (this.#below ? this.#below.#find(key) : undefined);
  }
}
