/** What is asked of the benchmark, and the cases that come of it. */
import {parseArgs} from 'node:util';
import {corpora, type Corpus} from './corpus.js';

export const subjects = ['ours', 'smd', 'streamdown', 'reparse', 'deep-chat', 'text', 'noop'] as const;
export type Subject = (typeof subjects)[number];

export interface Options {
  /** Null where it was not said: then each corpus, size and rate has its own. */
  readonly subjects: readonly Subject[] | null;
  readonly chars: readonly number[] | null;
  readonly perFrame: readonly number[] | null;
  readonly follow: readonly boolean[] | null;
  readonly corpora: readonly Corpus[] | null;
  /** At most so many frames of a case are measured, in stretches all along the text; null leaves it to the rate. */
  readonly frames: number | null;
  readonly repeat: number;
  readonly quick: boolean;
  /** Counts figures also where the text on the screen is another one. */
  readonly unchecked: boolean;
}

export interface Case {
  readonly subject: Subject;
  readonly chars: number;
  readonly perFrame: number;
  readonly follow: boolean;
  readonly corpus: Corpus;
}

const help =
  '--subject A,B  --chars N,N  --per-frame K,K  --follow on|off|both  --corpus A,B  --frames N|all  --repeat N  --quick  --unchecked';

/** Throws a sentence for what it does not know. */
export function parseOptions(given: readonly string[]): Options {
  const {values} = parse(given);
  return {
    subjects: named('--subject', values.subject, subjects),
    chars: numbers('--chars', values.chars),
    perFrame: numbers('--per-frame', values['per-frame']),
    follow: follows(values.follow),
    corpora: named('--corpus', values.corpus, corpora),
    frames: values.frames === 'all' ? Infinity : (numbers('--frames', values.frames)?.[0] ?? null),
    repeat: numbers('--repeat', values.repeat)?.[0] ?? 1,
    quick: values.quick,
    unchecked: values.unchecked,
  };
}

/** Eight seconds of a case, all of 20 kB at eight a frame; half of that where each frame has one delta. */
export const framesOf = ({frames}: Options, {perFrame}: Case): number =>
  frames ?? (perFrame === 1 ? 240 : 480);

/** Others are measured first, ours between two runs of streaming-markdown: what else the machine does meets both alike. */
const ORDER: readonly Subject[] = [
  'smd',
  'ours',
  'smd',
  'text',
  'streamdown',
  'reparse',
  'noop',
  'deep-chat',
];

/** A block that grows is compared with what it must beat. */
const TAIL_ORDER: readonly Subject[] = ['smd', 'ours', 'smd', 'text'];

/** How much ours holds for a long text is compared with what it holds for 20 kB at the same rate. */
const LONG: Case = {subject: 'ours', chars: 400_000, perFrame: 64, follow: false, corpus: 'mixed'};

/** All cases, in the order in which they are run. */
export function plan(options: Options): Case[] {
  const quick = options.quick ? QUICK : null;
  const given = {...options, ...(quick && ours(options, quick))};
  const cases = (given.corpora ?? corpora).flatMap((corpus) => casesOf(corpus, given));
  if (isWhole(options)) cases.push(LONG);
  return Array.from({length: options.repeat}, () => cases).flat();
}

const QUICK = {
  subjects: ['ours', 'smd', 'text'],
  chars: [20_000],
  perFrame: [8],
  follow: [false],
  corpora: ['mixed'],
} as const;

/** What was said goes before what `--quick` says. */
function ours(options: Options, quick: typeof QUICK): Partial<Options> {
  return Object.fromEntries(
    Object.entries(quick).map(([key, value]) => [key, options[key as keyof typeof QUICK] ?? value]),
  );
}

function isWhole({quick, subjects, chars, perFrame, follow, corpora}: Options): boolean {
  return !quick && [subjects, chars, perFrame, follow, corpora].every((one) => one === null);
}

function casesOf(corpus: Corpus, options: Options): Case[] {
  const mixed = corpus === 'mixed';
  const all = options.chars ?? (mixed ? [20_000, 100_000] : [20_000]);
  const rates = options.perFrame ?? (mixed ? [1, 8, 64] : [8]);
  const follows = options.follow ?? (mixed ? [false, true] : [false]);
  return all.flatMap((chars) =>
    rates.flatMap((perFrame) =>
      follows.flatMap((follow) =>
        order(mixed ? ORDER : TAIL_ORDER, options.subjects)
          .map((subject) => ({subject, chars, perFrame, follow, corpus}))
          .filter((one) => isAsked(one, options)),
      ),
    ),
  );
}

/** The subjects that were named, in our order, with streaming-markdown on both sides of ours only where both are. */
function order(usual: readonly Subject[], wanted: readonly Subject[] | null): readonly Subject[] {
  if (wanted === null) return usual;
  const all = ORDER.filter((subject) => wanted.includes(subject));
  return wanted.includes('ours') ? all : [...new Set(all)];
}

/** Some cases say nothing, or take too long to be run without being asked for. */
function isAsked({subject, chars, perFrame, follow}: Case, {subjects}: Options): boolean {
  // It scrolls by itself.
  if (subject === 'deep-chat' && (chars > 20_000 || follow)) return false;
  if (subjects?.includes(subject)) return true;
  if (subject === 'deep-chat') return perFrame === 8;
  return subject !== 'noop' || !follow;
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      options: {
        subject: {type: 'string'},
        chars: {type: 'string'},
        'per-frame': {type: 'string'},
        follow: {type: 'string'},
        corpus: {type: 'string'},
        frames: {type: 'string'},
        repeat: {type: 'string'},
        quick: {type: 'boolean', default: false},
        unchecked: {type: 'boolean', default: false},
      },
    });
  } catch (cause) {
    throw new RangeError(`${(cause as Error).message} Options: ${help}`, {cause});
  }
}

function named<T extends string>(
  option: string,
  value: string | undefined,
  known: readonly T[],
): readonly T[] | null {
  if (value === undefined) return null;
  return value.split(',').map((name) => {
    const found = known.find((one) => one === name);
    if (found === undefined) throw new RangeError(`${option} ${name}: there are ${known.join(', ')}.`);
    return found;
  });
}

function numbers(option: string, value: string | undefined): readonly number[] | null {
  if (value === undefined) return null;
  return value.split(',').map((text) => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < 1)
      throw new RangeError(`${option} ${text}: a whole number from 1 is wanted.`);
    return number;
  });
}

function follows(value: string | undefined): readonly boolean[] | null {
  const known: Record<string, readonly boolean[]> = {on: [true], off: [false], both: [false, true]};
  if (value === undefined) return null;
  if (!Object.hasOwn(known, value)) throw new RangeError(`--follow ${value}: on, off or both.`);
  return known[value]!;
}
