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

/** One hunk from the first changed line to the last. Not the smallest diff, but a true one, in linear time. */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  const old = linesOf(before ?? '');
  const now = linesOf(after);
  const start = commonLength(old, now, (index) => index);
  const rest = Math.min(old.length, now.length) - start;
  const end = Math.min(
    rest,
    commonLength(old, now, (index, lines) => lines.length - 1 - index),
  );
  const from = Math.max(0, start - CONTEXT_LINES);
  const tail = Math.min(end, CONTEXT_LINES);
  const hunk = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - end + tail).map((line) => ` ${line}`),
  ];
  const range = (lines: readonly string[]) => {
    const count = lines.length - end + tail - from;
    return `${count === 0 ? 0 : from + 1},${count}`;
  };
  const names = `--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ b/${path}`;
  return `${names}\n@@ -${range(old)} +${range(now)} @@\n${hunk.join('\n')}\n`;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

type Lines = readonly string[];

function commonLength(a: Lines, b: Lines, at: (index: number, lines: Lines) => number): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  while (length < shorter && a[at(length, a)] === b[at(length, b)]) length++;
  return length;
}
