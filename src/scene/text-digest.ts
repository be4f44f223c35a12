/** A text by its length and its hash: said of long and private texts, and kept of text that grows. */

/** Length and FNV-1a (32 bits, over UTF-16 code units) of a text told piece by piece. */
export class TextDigest {
  #length = 0;
  #hash = 0x811c9dc5;

  add(piece: string): this {
    let hash = this.#hash;
    for (let index = 0; index < piece.length; index++)
      hash = Math.imul(hash ^ piece.charCodeAt(index), 0x01000193);
    this.#hash = hash;
    this.#length += piece.length;
    return this;
  }

  toString(): string {
    return `${this.#length} characters, #${(this.#hash >>> 0).toString(16).padStart(8, '0')}`;
  }
}

/** Such as `3 characters, #d6f5a8b1`. */
export function digestText(text: string): string {
  return new TextDigest().add(text).toString();
}
