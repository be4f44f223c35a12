/** One line as the block structure reads it: a place in it, in characters and in columns, where a tab goes to the next fourth. */

const TAB = 4;

export class Line {
  readonly text: string;
  /** The next character to read. */
  at = 0;
  /** Columns before it. */
  column = 0;
  /** Columns of a tab at this place that were taken already. */
  #taken = 0;
  /** What `next` is, for which place. */
  #known = -1;
  #next = 0;
  #indent = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The first character that is no space or tab. */
  get next(): number {
    this.#look();
    return this.#next;
  }

  /** Columns up to it. */
  get indent(): number {
    this.#look();
    return this.#indent;
  }

  get isBlank(): boolean {
    return this.next >= this.text.length;
  }

  /** The rest behind all white space. */
  get rest(): string {
    return this.text.slice(this.next);
  }

  /** The rest, with what is left of a tab as spaces. */
  get remainder(): string {
    if (this.#taken === 0) return this.text.slice(this.at);
    return ' '.repeat(TAB - (this.column % TAB)) + this.text.slice(this.at + 1);
  }

  /** Passes so many columns of white space, as far as there are. */
  skipColumns(count: number): void {
    while (count > 0) {
      const character = this.text[this.at];
      if (character !== ' ' && character !== '\t') return;
      const wide = character === '\t' ? TAB - (this.column % TAB) : 1;
      const taken = Math.min(count, wide);
      this.column += taken;
      count -= taken;
      this.#taken = taken < wide ? 1 : 0;
      if (taken === wide) this.at++;
      this.#known = -1;
    }
  }

  /** Passes so many characters, none of them a tab. */
  skip(count: number): void {
    this.at += count;
    this.column += count;
    this.#taken = 0;
  }

  skipIndent(): void {
    this.skipColumns(this.indent);
  }

  #look() {
    const place = this.at * 8 + (this.column % TAB);
    if (this.#known === place) return;
    this.#known = place;
    let at = this.at;
    let column = this.column;
    for (; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 0x20) column++;
      else if (code === 0x09) column += TAB - (column % TAB);
      else break;
    }
    this.#next = at;
    this.#indent = column - this.column;
  }
}
