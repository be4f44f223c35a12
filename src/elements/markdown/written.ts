/** All that was written of a text. A string that is added to keeps every piece it was made of, which takes many times its length. */

/** So many pieces are made one. */
const TOGETHER = 256;

export class Written {
  readonly #long: string[] = [];
  #short: string[] = [];

  constructor(text = '') {
    this.#long.push(text);
  }

  add(piece: string): void {
    this.#short.push(piece);
    if (this.#short.length < TOGETHER) return;
    this.#long.push(this.#short.join(''));
    this.#short = [];
  }

  toString(): string {
    return [...this.#long, ...this.#short].join('');
  }
}
