/** What is said where a part did not load. */
export const NOT_LOADED = 'A part of hermes-elements did not load. Serve its chunks folder beside it.';

/** A part of ours that is loaded when it is first needed, once for all. */
export class Lazy<T> {
  /** The part, if it is here already. */
  loaded: T | null = null;
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | null = null;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Loads it. Rejects with a sentence; a failure may be tried again. */
  load(): Promise<T> {
    return (this.#loading ??= this.#load().then(
      (part) => (this.loaded = part),
      (cause: unknown) => {
        this.#loading = null;
        throw new Error(NOT_LOADED, {cause});
      },
    ));
  }

  /** Does something with the part as soon as it is here; without it, nothing. */
  use(work: (part: T) => void): void {
    this.load().then(work, () => {});
  }
}
