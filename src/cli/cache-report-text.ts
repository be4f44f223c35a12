/** The cache report as Markdown: a table a scenario, and whether it is good enough. */
import type {CacheResult, CacheRound} from './cache-rounds.js';

/** `unknown` where no round said anything of a cache. */
export type CacheVerdict = 'pass' | 'fail' | 'unknown';

/** The results of one profile. */
export interface ProfileResults {
  readonly profile: string;
  readonly results: readonly CacheResult[];
}

/** The mean share of a conversation's rounds but the first, which has nothing to find in a cache; null when none is known. */
export function shareOf(rounds: readonly CacheRound[]): number | null {
  const rates = rounds.slice(1).flatMap(({rate}) => (rate === null ? [] : [rate]));
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

/** A round that failed fails its scenario: nothing is known of what was not done. */
export function verdictOf({scenario, rounds}: CacheResult): CacheVerdict {
  if (rounds.some(({failure}) => failure !== null)) return 'fail';
  const share = shareOf(rounds);
  return share === null ? 'unknown' : share >= scenario.threshold ? 'pass' : 'fail';
}

/** The report; the second profile, where there is one, stands beside the first. */
export function cacheReport(profiles: readonly ProfileResults[]): string {
  const names = profiles.map(({profile}) => profile);
  const sections = (profiles[0]?.results ?? []).map((_, at) =>
    scenarioText(
      names,
      profiles.map(({results}) => results[at]!),
    ),
  );
  return [`# Cache report: ${names.join(' against ')}\n`, NOTE, ...sections].join('\n');
}

const NOTE = `Each figure is the part of a round's input that the model's cache had: hit / (hit + miss), as the agent told it. The mean
leaves out the first round of a conversation, which has nothing to find.
`;

function scenarioText(names: readonly string[], results: readonly CacheResult[]): string {
  const {scenario} = results[0]!;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `## ${scenario.name}\n`,
    line(['Round', ...names]),
    line(['---', ...names.map(() => '---:')]),
    ...scenario.rounds.map((_, at) =>
      line([String(at + 1), ...results.map(({rounds}) => roundText(rounds[at]))]),
    ),
    line(['**Mean**', ...results.map(({rounds}) => `**${percent(shareOf(rounds))}**`)]),
    line([`At least ${percent(scenario.threshold)}`, ...results.map(verdictOf)]),
    '',
  ].join('\n');
}

function roundText(round: CacheRound | undefined): string {
  if (!round) return 'not run';
  if (round.failure !== null) return `failed: ${round.failure.replace(/\s+/g, ' ').replaceAll('|', '\\|')}`;
  const tokens = round.hitTokens === null ? '' : ` (${round.hitTokens} tokens)`;
  return percent(round.rate) + tokens;
}

const percent = (share: number | null) => (share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`);
