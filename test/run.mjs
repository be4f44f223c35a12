/**
 * `npm test`: proves everything, straight after a clone. Needs only Node until everything is in place.
 *
 *   npm test                      all checks, then the browser tests in three engines, then the journeys in two
 *   npm test -- unit lint         these alone, by the names of the table below
 *   npm run check                 everything but browsers
 *
 * The last line says how many passed and failed: each test is one, and each other check is one.
 */
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ensureInstalled, root, run} from './bootstrap.mjs';
import {install, isHere, labelOf, wantedEngines} from './browsers.mjs';
import {closingLine, failureLines, none, sum} from './counts.mjs';
import {tried} from './tries.mjs';

/** How long a test runner may take, in ms. */
const LONGEST = 30 * 60_000;

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
  unit: unitTests,
  browser: browserTests,
  journey: journeyTests,
};

const one = (good) => ({...none(), [good ? 'passed' : 'failed']: 1});

/** A command of an installed package; succeeds or fails as a whole. */
const tool = (name, ...args) => one(run(join('node_modules/.bin', name), args));

/** The Node tests. They fail as a whole where they die before their end, and are never run again. */
function unitTests() {
  const {good, counts} = counted(process.execPath, ['test/unit.mjs']);
  if (!counts) return one(false);
  return good || counts.failed > 0 ? counts : sum(counts, one(false));
}

/** A test runner, which leaves its counts in a file; none when it dies before that. */
function counted(command, args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-elements-'));
  const file = join(folder, 'counts.json');
  // A browser that does not close must not hold up all the rest.
  const good = run(command, args, {env: {...process.env, ...env, HERMES_COUNTS: file}, timeout: LONGEST});
  try {
    return {good, counts: JSON.parse(readFileSync(file, 'utf8'))};
  } catch {
    return {good: false, counts: null};
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

/** One engine after the other: on two cores three at once make keys and frames late. */
function engineTests(engine) {
  const wtr = join('node_modules/.bin', 'wtr');
  const runFiles = (...files) => {
    const chosen = files.flatMap((file) => ['--files', file]);
    const args = ['--config', 'test/web-test-runner.config.mjs', ...chosen];
    return counted(wtr, args, {HERMES_ENGINES: engine}).counts ?? {};
  };
  const {counts, again} = tried(labelOf(engine), runFiles, (sentence) => console.log(`\n${sentence}\n`));
  failedAtFirst.push(...again);
  return counts;
}

/** The notes page with real server, agents and engines, driven from Node; each file tells which engines it does without. */
function journeyTests() {
  const all = readdirSync(join(root, 'test/journeys')).filter((name) => name.endsWith('.test.ts'));
  const countsOf = (file) =>
    counted(process.execPath, ['test/unit.mjs', file]).counts ?? {
      ...one(false),
      failures: [{name: file, message: 'it did not end'}],
    };
  const runFiles = (...files) =>
    Object.fromEntries(
      (files.length > 0 ? files : all.map((name) => `test/journeys/${name}`)).map((file) => [
        file,
        countsOf(file),
      ]),
    );
  const {counts, again} = tried('Journey', runFiles, (sentence) => console.log(`\n${sentence}\n`));
  failedAtFirst.push(...again);
  return counts;
}

function chosen(args) {
  const names = Object.keys(checks);
  const asked = args.filter((argument) => argument !== '--no-browsers');
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown) throw new Error(`There is no check ${unknown}; there are ${names.join(', ')}.`);
  if (asked.length > 0) return asked;
  return args.includes('--no-browsers')
    ? names.filter((name) => name !== 'browser' && name !== 'journey')
    : names;
}

function perform(name, check) {
  console.log(`\n── ${name} ──`);
  const begun = performance.now();
  const counts = check();
  return {name, counts, seconds: Math.round((performance.now() - begun) / 1000)};
}

/** What was run again, told in the end. */
const failedAtFirst = [];
const names = chosen(process.argv.slice(2));
const packages = perform('packages', () => (ensureInstalled() ? none() : one(false)));
const results = [packages];
if (packages.counts.failed === 0) results.push(...names.map((name) => perform(name, checks[name])));

console.log('\n── all ──');
for (const {name, counts, seconds} of results) {
  console.log(`${counts.failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(8)} ${seconds} s`);
}
const total = results.map(({counts}) => counts).reduce(sum, none());
// At the very end, since a log may be cut to its last lines.
for (const [heading, failures] of [
  ['Failed at first, and run again:', failedAtFirst],
  ['Failed:', total.failures],
])
  if (failures.length > 0) console.log([heading, ...failureLines(failures)].join('\n'));
console.log(closingLine(total));
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
