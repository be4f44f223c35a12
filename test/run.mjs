/**
 * `npm test`: proves everything, straight after a clone. Needs only Node until everything is in place.
 *
 *   npm test                      all checks, then the browser tests in three engines
 *   npm test -- unit lint         these alone, by the names of the table below
 *   npm run check                 everything but browsers
 *
 * The last line says how many passed and failed: each test is one, and each other check is one.
 */
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ensureInstalled, run} from './bootstrap.mjs';
import {install, isHere, labelOf, wantedEngines} from './browsers.mjs';
import {closingLine, none, sum} from './counts.mjs';

/** In this order; the build stands before what reads dist/. */
const checks = {
  types: () => tool('tsc', '-b'),
  bundle: () => tool('rollup', '-c', '--silent'),
  manifest: () => one(run(process.execPath, ['test/manifest.mjs'])),
  lint: () => tool('eslint', '.', '--max-warnings=0'),
  format: () => tool('prettier', '--check', '--log-level=warn', '.'),
  size: () => one(run(process.execPath, ['test/size.mjs'])),
  publint: () => tool('publint', '--strict'),
  attw: () =>
    tool('attw', '--pack', '.', '--profile=esm-only', '--no-emoji', '--no-summary', '--format=ascii'),
  unit: () => counted(process.execPath, ['test/unit.mjs']),
  browser: browserTests,
};

const one = (good) => ({...none(), [good ? 'passed' : 'failed']: 1});

/** A command of an installed package; succeeds or fails as a whole. */
const tool = (name, ...args) => one(run(join('node_modules/.bin', name), args));

/** A test runner, which leaves its counts in a file. One that dies before that is one failure. */
function counted(command, args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-elements-'));
  const file = join(folder, 'counts.json');
  const good = run(command, args, {env: {...process.env, ...env, HERMES_COUNTS: file}});
  try {
    const counts = JSON.parse(readFileSync(file, 'utf8'));
    return good || counts.failed > 0 ? counts : sum(counts, one(false));
  } catch {
    return one(false);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** An engine that cannot be had here is skipped by name; in CI it is a failure. */
function browserTests() {
  const wanted = wantedEngines();
  install(wanted.filter((engine) => !isHere(engine)));
  const here = wanted.filter(isHere);
  const missing = wanted.filter((engine) => !isHere(engine));
  const strict = process.env.CI === 'true';
  for (const engine of missing) {
    console.log(`${labelOf(engine)} is not on this machine: ${strict ? 'failed' : 'skipped'}.`);
  }
  const absent = {...none(), [strict ? 'failed' : 'skipped']: missing.length};
  return here.map(engineTests).reduce(sum, absent);
}

/**
 * One engine after the other: on two cores three at once make keys and frames late. What failed is run once more, and
 * said: a test that fails twice is broken, one that fails once is to be looked at.
 */
function engineTests(engine) {
  const run = () =>
    counted(join('node_modules/.bin', 'wtr'), ['--config', 'test/web-test-runner.config.mjs'], {
      HERMES_ENGINES: engine,
    });
  const first = run();
  if (first.failed === 0) return first;
  console.log(
    `\n${labelOf(engine)}: ${first.failed} failed; once more, to tell a broken test from a late frame.`,
  );
  return run();
}

function chosen(args) {
  const names = Object.keys(checks);
  const asked = args.filter((argument) => argument !== '--no-browsers');
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown) throw new Error(`There is no check ${unknown}; there are ${names.join(', ')}.`);
  if (asked.length > 0) return asked;
  return args.includes('--no-browsers') ? names.filter((name) => name !== 'browser') : names;
}

function perform(name, check) {
  console.log(`\n── ${name} ──`);
  const begun = performance.now();
  const counts = check();
  return {name, counts, seconds: Math.round((performance.now() - begun) / 1000)};
}

const names = chosen(process.argv.slice(2));
const packages = perform('packages', () => (ensureInstalled() ? none() : one(false)));
const results = [packages];
if (packages.counts.failed === 0) results.push(...names.map((name) => perform(name, checks[name])));

console.log('\n── all ──');
for (const {name, counts, seconds} of results) {
  console.log(`${counts.failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(8)} ${seconds} s`);
}
const total = results.map(({counts}) => counts).reduce(sum, none());
console.log(closingLine(total));
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
