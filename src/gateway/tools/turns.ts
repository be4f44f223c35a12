/** Turns: work of one name goes one after the other, in the order it came; work of two names side by side. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** How many names have work; 0 when nothing is left. */
  get size(): number {
    return this.#last.size;
  }

  /** What `work` gives, once everything before it under the name has ended, well or badly. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
