/**
 * A persistent list: `push` and `set` give a new list and share all but one path with the old (32-way tree).
 * An anchor's items live in one, so an event costs O(log₃₂ n) and two versions tell where they differ without a walk.
 */
const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Node<T> = readonly (Node<T> | T)[];

export class Vector<T> implements Iterable<T> {
  static readonly #empty = new Vector<never>([], 0, 0);

  readonly #root: Node<T>;
  readonly #shift: number;
  readonly length: number;

  private constructor(root: Node<T>, shift: number, length: number) {
    this.#root = root;
    this.#shift = shift;
    this.length = length;
  }

  static empty<T>(): Vector<T> {
    return Vector.#empty;
  }

  static from<T>(values: Iterable<T>): Vector<T> {
    let vector = Vector.empty<T>();
    for (const value of values) vector = vector.push(value);
    return vector;
  }

  /** The value at `index`; undefined outside. */
  get(index: number): T | undefined {
    if (index < 0 || index >= this.length) return undefined;
    let node = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= BITS) node = node[(index >>> shift) & MASK] as Node<T>;
    return node[index & MASK] as T;
  }

  at(index: number): T | undefined {
    return this.get(index < 0 ? this.length + index : index);
  }

  push(value: T): Vector<T> {
    const full = this.length === WIDTH << this.#shift;
    const root = full ? [this.#root] : this.#root;
    const shift = full ? this.#shift + BITS : this.#shift;
    return new Vector(write(root, shift, this.length, value), shift, this.length + 1);
  }

  /** Replaces the value at an existing index. */
  set(index: number, value: T): Vector<T> {
    if (index < 0 || index >= this.length)
      throw new RangeError(`No item at ${index}; the list has ${this.length}.`);
    if (this.get(index) === value) return this;
    return new Vector(write(this.#root, this.#shift, index, value), this.#shift, this.length);
  }

  /** The first index at which the two differ by reference; `length` of the shorter if one begins the other. */
  firstDifference(other: Vector<T>): number {
    const shorter = Math.min(this.length, other.length);
    if (this.#shift !== other.#shift) return slowDifference(this, other, shorter);
    return Math.min(shorter, difference(this.#root, other.#root, this.#shift));
  }

  *[Symbol.iterator](): Iterator<T> {
    yield* walk<T>(this.#root, this.#shift);
  }

  /** All values from `start` on, as an array. */
  slice(start = 0): T[] {
    const out: T[] = [];
    for (let index = Math.max(0, start); index < this.length; index++) out.push(this.get(index) as T);
    return out;
  }
}

function write<T>(node: Node<T>, shift: number, index: number, value: T): Node<T> {
  const copy = node.slice();
  const slot = (index >>> shift) & MASK;
  copy[slot] =
    shift === 0 ? value : write((node[slot] as Node<T> | undefined) ?? [], shift - BITS, index, value);
  return copy;
}

function* walk<T>(node: Node<T>, shift: number): Generator<T> {
  for (const child of node) {
    if (shift === 0) yield child as T;
    else yield* walk(child as Node<T>, shift - BITS);
  }
}

function difference<T>(a: Node<T>, b: Node<T>, shift: number): number {
  for (let slot = 0; slot < WIDTH; slot++) {
    if (a[slot] === b[slot]) continue;
    const base = slot << shift;
    const inner = shift > 0 && a[slot] !== undefined && b[slot] !== undefined;
    return inner ? base + difference(a[slot] as Node<T>, b[slot] as Node<T>, shift - BITS) : base;
  }
  return WIDTH << shift;
}

function slowDifference<T>(a: Vector<T>, b: Vector<T>, shorter: number): number {
  for (let index = 0; index < shorter; index++) if (a.get(index) !== b.get(index)) return index;
  return shorter;
}
