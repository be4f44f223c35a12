/** Unified diffs: which files one names, and one made from the two texts that ACP sends. */
import type {ArtifactFacts} from '../anchor/turn-event.js';

const CONTEXT_LINES = 3;
// A header is the pair of file lines before a hunk; the same characters inside a hunk are changed text.
const header = /^--- (.+)\n\+\+\+ (.+)\n(?=@@ )/gm;

/** The files a diff changes, as its headers say. */
export function filesOfDiff(diff: string): readonly ArtifactFacts[] {
  return [...diff.matchAll(header)].map(([, before = '', after = '']) => {
    if (isNothing(after)) return {path: filePath(before), change: 'deleted'};
    return {path: filePath(after), change: isNothing(before) ? 'created' : 'modified'};
  });
}

/** The diff with which a text begins; null when it begins with something else. */
export function leadingDiff(text: string): string | null {
  return /^--- .+\n\+\+\+ .+\n(?:@@ .*\n(?:[ +\\-].*(?:\n|$))+)+/.exec(text)?.[0] ?? null;
}

function isNothing(name: string): boolean {
  return name.startsWith('/dev/null');
}

// Git writes `a/` and `b/` before the path, other tools a tab and a date behind it.
function filePath(name: string): string {
  return name
    .replace(/^[ab]\//, '')
    .replace(/\t.*/, '')
    .trim();
}

/**
 * The change as hunks with three lines around them. Lines are matched by the shortest edit (Myers 1986, "An O(ND)
 * Difference Algorithm"); where more than `MOST_EDITS` lines differ, what is between the first and the last of them counts
 * as one change: not the smallest diff, but a true one, in linear time.
 */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  const old = linesOf(before ?? '');
  const now = linesOf(after);
  const names = `--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ b/${path}`;
  return `${names}\n${hunksOf(changesOf(old, now))
    .map((changes) => hunk(changes, old, now))
    .join('')}`;
}

function linesOf(text: string): Lines {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

type Lines = readonly string[];

/** Lines `from` to before `to` of the old text became lines `fromNow` to before `toNow` of the new one. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly fromNow: number;
  readonly toNow: number;
}

const MOST_EDITS = 400;

function changesOf(old: Lines, now: Lines): readonly Change[] {
  const start = commonLength(old, now, 0, (index) => index);
  const end = commonLength(old, now, start, (index, lines) => lines.length - 1 - index);
  const [left, right] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const kept = keptLines(left, right);
  const changes: Change[] = [];
  let from = 0;
  let fromNow = 0;
  for (const [at, atNow] of [...kept, [left.length, right.length] as const]) {
    if (at > from || atNow > fromNow)
      changes.push({from: from + start, to: at + start, fromNow: fromNow + start, toNow: atNow + start});
    from = at + 1;
    fromNow = atNow + 1;
  }
  return changes;
}

function commonLength(a: Lines, b: Lines, skip: number, at: (index: number, lines: Lines) => number): number {
  const shorter = Math.min(a.length, b.length) - skip;
  let length = 0;
  while (length < shorter && a[at(length, a)] === b[at(length, b)]) length++;
  return length;
}

/** Pairs of lines that stay, by their places in both texts, in order. */
function keptLines(a: Lines, b: Lines): readonly (readonly [number, number])[] {
  const longest = Math.min(a.length + b.length, MOST_EDITS);
  // How far each diagonal came with `d` edits, for every `d`: the way back goes through them.
  const steps: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= longest; d++) {
    steps.push(reach);
    const next = new Map<number, number>();
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(reach, k, d) ? reach.get(k + 1)! : reach.get(k - 1)! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return wayBack(steps, d, a.length, b.length);
    }
    reach = next;
  }
  return [];
}

function goesDown(reach: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
}

function wayBack(steps: readonly ReadonlyMap<number, number>[], edits: number, x: number, y: number) {
  const kept: (readonly [number, number])[] = [];
  for (let d = edits; d >= 0; d--) {
    const reach = steps[d]!;
    const k = x - y;
    const down = goesDown(reach, k, d);
    const before = down ? reach.get(k + 1)! : reach.get(k - 1)!;
    const began = down ? before : before + 1;
    while (x > began && d >= 0 && x > 0 && y > 0) kept.push([--x, --y]);
    x = before;
    y = before - (down ? k + 1 : k - 1);
  }
  return kept.reverse();
}

/** Changes whose contexts touch stand in one hunk. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    if (last && change.from - last.at(-1)!.to <= 2 * CONTEXT_LINES) last.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunk(changes: readonly Change[], old: Lines, now: Lines): string {
  const first = changes[0]!;
  const last = changes.at(-1)!;
  const from = Math.max(0, first.from - CONTEXT_LINES);
  const to = Math.min(old.length, last.to + CONTEXT_LINES);
  const fromNow = first.fromNow - (first.from - from);
  const toNow = last.toNow + (to - last.to);
  const lines: string[] = [];
  let at = from;
  for (const change of changes) {
    lines.push(...old.slice(at, change.from).map((line) => ` ${line}`));
    lines.push(...old.slice(change.from, change.to).map((line) => `-${line}`));
    lines.push(...now.slice(change.fromNow, change.toNow).map((line) => `+${line}`));
    at = change.to;
  }
  lines.push(...old.slice(at, to).map((line) => ` ${line}`));
  return `@@ -${range(from, to)} +${range(fromNow, toNow)} @@\n${lines.join('\n')}\n`;
}

function range(from: number, to: number): string {
  return `${to === from ? 0 : from + 1},${to - from}`;
}
