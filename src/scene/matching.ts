/** Which parts of two lists stay: the shortest edit (Myers 1986, "An O(ND) Difference Algorithm"), bounded in work. */

/** Pairs of places, in order. Where more than `most` parts differ, only what both begin and end with is said to stay. */
export function matching(
  a: readonly string[],
  b: readonly string[],
  most: number,
): readonly (readonly [number, number])[] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = shortest(a.slice(start, a.length - end), b.slice(start, b.length - end), most);
  const pairs: [number, number][] = [];
  for (let index = 0; index < start; index++) pairs.push([index, index]);
  for (const [left, right] of middle) pairs.push([left + start, right + start]);
  for (let left = a.length - end; left < a.length; left++) pairs.push([left, left - a.length + b.length]);
  return pairs;
}

function shortest(a: readonly string[], b: readonly string[], most: number): readonly [number, number][] {
  const longest = Math.min(a.length + b.length, most);
  // How far each diagonal came with so many edits, for every number of them: the way back goes through them.
  const steps: Int32Array[] = [];
  let reach = new Int32Array(2 * longest + 3);
  for (let edits = 0; edits <= longest; edits++) {
    steps.push(reach);
    const next = reach.slice();
    for (let k = -edits; k <= edits; k += 2) {
      const at = k + longest + 1;
      let x = goesDown(reach, at, k, edits) ? reach[at + 1]! : reach[at - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next[at] = x;
      if (x >= a.length && x - k >= b.length) return wayBack(steps, longest + 1, a.length, b.length);
    }
    reach = next;
  }
  return [];
}

function goesDown(reach: Int32Array, at: number, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && reach[at - 1]! < reach[at + 1]!);
}

function wayBack(steps: readonly Int32Array[], middle: number, x: number, y: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let edits = steps.length - 1; edits > 0; edits--) {
    const reach = steps[edits]!;
    const k = x - y;
    const down = goesDown(reach, k + middle, k, edits);
    const began = down ? reach[k + 1 + middle]! : reach[k - 1 + middle]! + 1;
    while (x > began) pairs.push([--x, --y]);
    x = down ? began : began - 1;
    y = down ? y - 1 : y;
  }
  while (x > 0 && y > 0) pairs.push([--x, --y]);
  return pairs.reverse();
}
