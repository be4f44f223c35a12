/**
 * Marks of what was found: highlights of CSS, which touch no node, under two names for all transcripts of a page. Where there
 * are none, the place the reader is at is selected.
 */

const ALL = 'hermes-find';
const CURRENT = 'hermes-find-current';

export class Marks {
  #all: readonly AbstractRange[] = [];
  #current: readonly AbstractRange[] = [];

  /** These, in place of those before. The current one is among them or null; `isNew` where the reader has only come there. */
  show(all: readonly AbstractRange[], current: AbstractRange | null, isNew: boolean): void {
    if (!hasHighlights()) {
      if (isNew && current) select(current);
      return;
    }
    const others = current ? all.filter((range) => range !== current) : all;
    replace(ALL, this.#all, others);
    replace(CURRENT, this.#current, current ? [current] : []);
    this.#all = others;
    this.#current = current ? [current] : [];
  }

  /** Of what is marked, these are those now; the current one stays the one of the same number. */
  change(before: readonly AbstractRange[], now: readonly AbstractRange[]): void {
    const gone = new Set(before);
    const all = [...this.#all, ...this.#current];
    const kept = all.filter((range) => !gone.has(range));
    if (kept.length === all.length) return;
    const [current] = this.#current;
    const at = current ? before.indexOf(current) : -1;
    this.show([...kept, ...now], (at < 0 ? current : now[at]) ?? null, false);
  }

  clear(): void {
    this.show([], null, false);
  }
}

export function hasHighlights(): boolean {
  return CSS.highlights !== undefined;
}

function replace(name: string, before: readonly AbstractRange[], now: readonly AbstractRange[]) {
  let highlight = CSS.highlights.get(name);
  for (const range of before) highlight?.delete(range);
  if (now.length > 0 && !highlight) {
    highlight = new Highlight();
    highlight.priority = name === CURRENT ? 1 : 0;
    CSS.highlights.set(name, highlight);
  }
  for (const range of now) highlight!.add(range);
  if (highlight?.size === 0) CSS.highlights.delete(name);
}

function select({startContainer, startOffset, endContainer, endOffset}: AbstractRange) {
  getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
}
