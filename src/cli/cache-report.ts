/** `hermes-elements cache-report`: how much of what an agent sends its model the model had read before. */
import {ConfigError} from '../gateway/index.js';
import {cacheReport, verdictOf, type ProfileResults} from './cache-report-text.js';
import {runCacheScenarios} from './cache-rounds.js';
import {cacheScenarios} from './cache-scenarios.js';
import {CommandError} from './command-error.js';
import type {ServeIo} from './serve.js';
import {typedOptions} from './typed-options.js';

const cacheReportHelp = `hermes-elements cache-report --profile P [options]

Runs three conversations about notes with an agent, in a folder that goes afterwards, and prints as Markdown how much
of each round the cache of its model had: one note edited five times (80 % is good), five notes in turn (50 %), ten
rounds of one conversation (60 %). It asks a real model, which may cost money. What the agent wants to do is allowed.

  --profile P       the agent, by the name of its profile
  --against Q       a second one, shown beside it
  --config FILE     profiles and more; see docs/gateway.md
  --help

Ends with 1 when a figure is below its threshold, a round failed, or the agent said nothing of a cache; with 2 when
it was typed wrong.

  hermes-elements cache-report --profile reasonix --against hermes > cache.md
`;

/** Runs the command. */
export async function cacheReportCommand(args: readonly string[], io: ServeIo): Promise<void> {
  const options = read(args);
  if (options === null) return io.write(cacheReportHelp);
  const results: ProfileResults[] = [];
  for (const profile of options.profiles) {
    results.push({profile, results: await runProfile(profile, options.configFile, io)});
  }
  io.write(cacheReport(results));
  const verdicts = results.flatMap((one) => one.results.map(verdictOf));
  const fails = verdicts.filter((verdict) => verdict === 'fail').length;
  const unknown = verdicts.filter((verdict) => verdict === 'unknown').length;
  if (fails + unknown > 0)
    throw new CommandError(
      'failure',
      `${fails} of ${verdicts.length} figures are below their threshold or failed, ${unknown} are unknown.`,
    );
}

async function runProfile(profile: string, configFile: string | undefined, io: ServeIo) {
  try {
    return await runCacheScenarios({
      profile,
      configFile,
      machine: io.machine,
      scenarios: cacheScenarios,
      onRound: ({name, rounds}, round) => io.warn(`${profile}: ${name}, round ${round} of ${rounds.length}`),
    });
  } catch (cause) {
    if (cause instanceof ConfigError) throw new CommandError('failure', cause.message, {cause});
    throw cause;
  }
}

function read(args: readonly string[]) {
  const {values} = parse(args);
  if (values.help) return null;
  const {profile, against, config} = values;
  if (profile === undefined)
    throw new CommandError('usage', 'Name a profile with --profile. See cache-report --help.');
  return {profiles: against === undefined ? [profile] : [profile, against], configFile: config};
}

function parse(args: readonly string[]) {
  return typedOptions('cache-report', args, {
    options: {
      profile: {type: 'string'},
      against: {type: 'string'},
      config: {type: 'string'},
      help: {type: 'boolean', short: 'h'},
    },
  });
}
