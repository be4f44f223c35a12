import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {cacheReport, shareOf, verdictOf} from '../../../src/cli/cache-report-text.js';
import {runCacheScenarios, type CacheRound} from '../../../src/cli/cache-rounds.js';
import {cacheScenarios, type CacheScenario} from '../../../src/cli/cache-scenarios.js';
import {thisMachine} from '../../../src/gateway/index.js';
import {startMockModel} from '../../support/mock-model/mock-model.js';
import {reasonixBinary, reasonixToml} from '../../support/real-agents/reasonix.js';

const round = (rate: number | null, failure: string | null = null): CacheRound => ({
  rate,
  hitTokens: rate === null ? null : Math.round(rate * 1000),
  failure,
});

const scenario: CacheScenario = {
  name: 'Two rounds',
  threshold: 0.8,
  notes: {plan: '# Plan\n\nWe need to measure the room.\n'},
  rounds: [
    {note: 'plan', prompt: 'Add a to-do list to the note plan'},
    {note: 'plan', prompt: 'Summarise the note plan'},
  ],
};

test('the first round counts for nothing, and what was not said is unknown, never zero', () => {
  assert.equal(shareOf([round(0), round(0.9), round(0.7)])!.toFixed(2), '0.80');
  assert.equal(shareOf([round(0), round(null), round(0.9)]), 0.9);
  assert.equal(shareOf([round(0), round(null)]), null);
  assert.equal(shareOf([]), null);
});

test('a scenario passes at its threshold, fails below it or with a round, and may be unknown', () => {
  const verdict = (...rounds: CacheRound[]) => verdictOf({scenario, rounds});
  assert.equal(verdict(round(0), round(0.8)), 'pass');
  assert.equal(verdict(round(1), round(0.79)), 'fail');
  assert.equal(verdict(round(0), round(null)), 'unknown');
  assert.equal(verdict(round(0), round(0.9), round(null, 'The key was refused.')), 'fail');
});

test('the thresholds are those that were promised', () => {
  assert.deepEqual(
    cacheScenarios.map(({threshold, rounds}) => [threshold, rounds.length]),
    [
      [0.8, 5],
      [0.5, 5],
      [0.6, 10],
    ],
  );
});

test('two profiles stand beside each other, and words of an agent break no table', () => {
  const report = cacheReport([
    {profile: 'a', results: [{scenario, rounds: [round(0), round(0.85)]}]},
    {profile: 'b', results: [{scenario, rounds: [round(null), round(null, 'No | key\nat all')]}]},
  ]);
  assert.match(report, /^# Cache report: a against b$/m);
  assert.match(report, /^\| Round \| a \| b \|$/m);
  assert.match(report, /^\| 1 \| 0\.0 % \(0 tokens\) \| unknown \|$/m);
  assert.match(report, /^\| 2 \| 85\.0 % \(850 tokens\) \| failed: No \\\| key at all \|$/m);
  assert.match(report, /^\| At least 80\.0 % \| pass \| fail \|$/m);
});

/** The scenario with an agent, whatever its profile. */
async function run(profile: string, configFile?: string): Promise<readonly CacheRound[]> {
  const machine = {...thisMachine(), env: {...process.env, HERMES_DEMO_PACE: '0'}};
  const [result] = await runCacheScenarios({
    profile,
    configFile,
    machine,
    scenarios: [scenario],
    onRound: () => {},
  });
  return result!.rounds;
}

test('the demo agent is asked, allowed what it asks for, and its figures are read', async () => {
  const [first, second] = await run('demo');
  assert.deepEqual([first?.failure, second?.failure], [null, null]);
  assert.equal(first?.rate, 0);
  assert.ok(second!.rate! > 0 && second!.rate! < 1, String(second?.rate));
});

const reasonix = reasonixBinary();

test('Reasonix on a mock model', {skip: reasonix === null && 'Reasonix is not installed here'}, async () => {
  // 1,024 of 1,200 tokens, and from the second request on 1,100.
  const hit = (before: number) => (before === 0 ? 1024 : 1100);
  const model = await startMockModel({
    usage: (_request, before) => ({
      prompt_tokens: 1200,
      completion_tokens: 12,
      prompt_cache_hit_tokens: hit(before),
      prompt_cache_miss_tokens: 1200 - hit(before),
    }),
  });
  const folder = await mkdtemp(join(tmpdir(), 'hermes-cache-test-'));
  try {
    const work = join(folder, 'work');
    await mkdir(work);
    await writeFile(join(work, 'reasonix.toml'), reasonixToml(model.url));
    const profile = {
      name: 'reasonix',
      runtimeType: 'reasonix',
      bin: reasonix,
      args: ['acp'],
      env: {MOCK_KEY: 'mock', HOME: folder},
      cwdRoots: [work],
    };
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify({profiles: [profile]}));
    const rounds = await run('reasonix', config);
    assert.deepEqual(
      rounds.map(({failure}) => failure),
      [null, null],
    );
    assert.ok(Math.abs(rounds.at(-1)!.rate! - 1100 / 1200) < 0.001, String(rounds.at(-1)?.rate));
    assert.equal(verdictOf({scenario, rounds}), 'pass');
  } finally {
    await model.stop();
    await rm(folder, {recursive: true, force: true});
  }
});

const typed: readonly (readonly [args: readonly string[], code: number, sentence: RegExp])[] = [
  [[], 2, /Name a profile with --profile/],
  [['--profile'], 2, /See cache-report --help/],
  [['--profile', 'nobody'], 1, /There is no profile nobody/],
];

for (const [args, code, sentence] of typed) {
  test(`cache-report ${args.join(' ')} ends with ${code} and a sentence`, () => {
    const command = ['--import', 'tsx', 'src/cli/hermes-elements.ts', 'cache-report', ...args];
    const {status, stdout, stderr} = spawnSync(process.execPath, command, {encoding: 'utf8'});
    assert.deepEqual([status, stdout], [code, '']);
    assert.match(stderr, sentence);
  });
}
