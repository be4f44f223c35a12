/** Numbers that look random and are the same for the same seed. */

export interface Random {
  /** A whole number from `from` up to and with `to`. */
  between(from: number, to: number): number;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32: short, quick and good enough for texts. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {between, pick: (from) => from[between(0, from.length - 1)]!};
}
