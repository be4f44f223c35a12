/** What the lines of a run say together. Ratios are of one run: alone, no figure says much on a shared machine. */
import type {Line} from './run-case.js';
import {rounded} from './run-case.js';
import type {Subject} from './options.js';

/** The mean cost of a delta of each subject, and ours beside the others. */
export interface Ratios {
  readonly chars: number;
  readonly per_frame: number;
  readonly follow: boolean;
  readonly corpus: string;
  readonly cpu_us: Readonly<Partial<Record<Subject, number>>>;
  readonly to_smd: number | null;
  readonly to_text: number | null;
  readonly nodes_to_smd: number | null;
  /** How much longer our longest task is than the plain node's, in ms; the median where there were several runs. */
  readonly longest_over_text_ms: number | null;
}

export interface Summary {
  readonly case: 'render-summary';
  readonly ratios: readonly Ratios[];
  /** Ours at 100 kB by ours at 20 kB. */
  readonly growth: readonly {per_frame: number; follow: boolean; ratio: number}[];
  /** What ours holds for one character more, from 20 kB to 400 kB. */
  readonly heap_bytes_per_char: number | null;
  readonly dom_bytes_per_char: number | null;
  readonly failed: number;
}

export function summarise(lines: readonly Line[]): Summary {
  const good = lines.filter(({failed}) => failed === undefined);
  return {
    case: 'render-summary',
    ratios: groupBy(good, (line) =>
      JSON.stringify([line.corpus, line.chars, line.per_frame, line.follow]),
    ).map(ratiosOf),
    growth: growthOf(good),
    heap_bytes_per_char: perChar(good, (line) => line.heap_mb),
    dom_bytes_per_char: perChar(good, (line) => line.dom_mb),
    failed: lines.length - good.length,
  };
}

function ratiosOf(lines: readonly Line[]): Ratios {
  const {chars, per_frame, follow, corpus} = lines[0]!;
  const of = (subject: Subject, figure: (line: Line) => number, among = mean) =>
    among(lines.filter((line) => line.subject === subject).map(figure));
  const cpu = (subject: Subject) => of(subject, (line) => line.cpu_us_per_delta);
  const nodes = (subject: Subject) => of(subject, (line) => line.nodes);
  const longest = (subject: Subject) => of(subject, (line) => line.longest_ms, middle);
  const [our, plain] = [longest('ours'), longest('text')];
  const named = [...new Set(lines.map(({subject}) => subject))];
  return {
    chars,
    per_frame,
    follow,
    corpus,
    cpu_us: Object.fromEntries(named.map((subject) => [subject, rounded(cpu(subject)!, 1)])),
    to_smd: ratio(cpu('ours'), cpu('smd')),
    to_text: ratio(cpu('ours'), cpu('text')),
    nodes_to_smd: ratio(nodes('ours'), nodes('smd')),
    longest_over_text_ms: our === null || plain === null ? null : our - plain,
  };
}

function growthOf(lines: readonly Line[]): Summary['growth'] {
  const ours = lines.filter(({subject, corpus}) => subject === 'ours' && corpus === 'mixed');
  return groupBy(ours, (line) => JSON.stringify([line.per_frame, line.follow])).flatMap((group) => {
    const at = (chars: number) =>
      mean(group.filter((line) => line.chars === chars).map((line) => line.cpu_us_per_delta));
    const grown = ratio(at(100_000), at(20_000));
    const {per_frame, follow} = group[0]!;
    return grown === null ? [] : [{per_frame, follow, ratio: grown}];
  });
}

function perChar(lines: readonly Line[], mb: (line: Line) => number): number | null {
  const at = (chars: number) =>
    mean(
      lines
        .filter(
          (line) =>
            line.subject === 'ours' && line.corpus === 'mixed' && line.per_frame === 64 && !line.follow,
        )
        .filter((line) => line.chars === chars)
        .map(mb),
    );
  const [small, large] = [at(20_000), at(400_000)];
  return small === null || large === null ? null : rounded(((large - small) * 1e6) / 380_000, 1);
}

function ratio(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : rounded(a / b, 2);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function middle(values: readonly number[]): number | null {
  return values.length === 0 ? null : [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return [...groups.values()];
}
