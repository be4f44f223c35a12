/** One case: a subject in a fresh page, given the corpus at a rate, and what that took. */
import type {Bench, Spent, Tab} from './browser.js';
import {corpusOf, deltasOf} from './corpus.js';
import type {Case, Subject} from './options.js';

/** A line of the benchmark. */
export interface Line {
  readonly case: 'render';
  readonly subject: Subject;
  readonly chars: number;
  readonly per_frame: number;
  readonly follow: boolean;
  readonly corpus: string;
  readonly cpu_us_per_delta: number;
  readonly script_ms: number;
  readonly layout_ms: number;
  readonly long_tasks: number;
  readonly longest_ms: number;
  readonly heap_mb: number;
  readonly dom_mb: number;
  readonly nodes: number;
  /** How many deltas the figures are of. */
  readonly deltas: number;
  /** Why the figures do not count. */
  readonly failed?: string;
}

/** These must have drawn everything, with at most so many characters of their own for a block of code or a table. */
const CHECKED: Partial<Record<Subject, number>> = {ours: 24, smd: 0};

/** As near counts as at the end, in pixels. */
const AT_END = 40;

export function runCase(bench: Bench, one: Case, frames: number): Promise<Line> {
  const {subject, chars, perFrame, follow, corpus} = one;
  const text = corpusOf(corpus, chars);
  const deltas = deltasOf(text);
  return bench.inTab(async (tab) => {
    await tab.evaluate(`bench.start(${JSON.stringify(subject)}, ${JSON.stringify(deltas)}, ${follow})`);
    const {spent, measured} = await feed(tab, deltas.length, perFrame, frames);
    await tab.evaluate('bench.end()');
    const place = await tab.evaluate<readonly [number, number]>('[bench.belowEnd(), bench.scrolled()]');
    const tasks = await tab.evaluate<{count: number; longest: number}>('bench.longTasks()');
    // Before the nodes are looked at one by one, which makes objects of them.
    const heap = await tab.heap();
    const nodes = await tab.evaluate<number>('bench.nodes()');
    const failed = misplaced(one, place) || (await misdrawn(tab, subject, text));
    return {
      case: 'render',
      subject,
      chars,
      per_frame: perFrame,
      follow,
      corpus,
      cpu_us_per_delta: rounded((spent.cpu * 1000) / measured, 1),
      script_ms: rounded(spent.script, 1),
      layout_ms: rounded(spent.layout, 1),
      long_tasks: tasks.count,
      longest_ms: rounded(tasks.longest, 0),
      heap_mb: rounded(heap.script / 1e6, 3),
      dom_mb: rounded(heap.dom / 1e6, 3),
      nodes,
      deltas: measured,
      ...(failed && {failed}),
    };
  });
}

/** What lies between the measured stretches is handed over so many a frame. */
const FAST = 64;
const STRETCHES = 8;

/** All of it where that is short enough; else stretches all along, so that the mean is that of the whole text. */
async function feed(tab: Tab, count: number, perFrame: number, frames: number) {
  const pass = (from: number, to: number, rate: number, isMeasured: boolean) =>
    tab.evaluate(`bench.feed(${from}, ${to}, ${rate}, ${isMeasured})`);
  const hurry = (from: number, to: number) =>
    from < to ? pass(from, to, Math.max(FAST, perFrame), false) : undefined;
  let spent: Spent = {cpu: 0, script: 0, layout: 0};
  let [fed, measured] = [0, 0];
  for (const [from, to] of stretches(count, perFrame, frames)) {
    await hurry(fed, from);
    const {cpu, script, layout} = await tab.spent(() => pass(from, to, perFrame, true));
    spent = {cpu: spent.cpu + cpu, script: spent.script + script, layout: spent.layout + layout};
    measured += to - from;
    fed = to;
  }
  await hurry(fed, count);
  return {spent, measured};
}

/** Which deltas are measured: from one to another, each stretch in the middle of its part of the text. */
export function stretches(count: number, perFrame: number, frames: number): (readonly [number, number])[] {
  if (Math.ceil(count / perFrame) <= frames) return [[0, count]];
  const size = Math.ceil(frames / STRETCHES) * perFrame;
  return Array.from({length: STRETCHES}, (_, index) => {
    const from = Math.floor(((index + 0.5) * count) / STRETCHES - size / 2);
    return [from, from + size] as const;
  });
}

/** A sentence where the reader was not where they should be. */
function misplaced({subject, follow}: Case, [below, top]: readonly [number, number]): string {
  if (subject === 'noop' || subject === 'deep-chat') return '';
  if (follow && below > AT_END)
    return `The end was to be followed, and is ${Math.round(below)} px below what is seen.`;
  return !follow && top > 0
    ? `The head was to be held, and ${Math.round(top)} px of it are out of sight.`
    : '';
}

async function misdrawn(tab: Tab, subject: Subject, text: string): Promise<string> {
  const foreign = CHECKED[subject];
  if (foreign === undefined) return '';
  return tab.evaluate<string>(`bench.complaint(${JSON.stringify(text)}, ${foreign})`);
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
