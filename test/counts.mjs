/** How many tests passed, failed and were skipped, and why: reporters for both runners, and the last lines. */
import {writeFileSync} from 'node:fs';
import {relative} from 'node:path';
import {root} from './bootstrap.mjs';

/** @typedef {{name: string, message: string}} Failure */
/** @typedef {{passed: number, failed: number, skipped: number, failures: Failure[]}} Counts */

/** @returns {Counts} */
export const none = () => ({passed: 0, failed: 0, skipped: 0, failures: []});

/** @param {Counts} a @param {Counts} b @returns {Counts} */
export const sum = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
});

/** @param {string} name @param {string} message @returns {Counts} */
const oneFailed = (name, message) => ({...none(), failed: 1, failures: [{name, message}]});

/** The line that CI reads. @param {Counts} counts */
export const closingLine = ({passed, failed, skipped}) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** How many failures are told; logs are cut to their last lines. */
const TOLD = 8;

/** Failures with their reasons, each in two short lines. @param {Failure[]} failures @returns {string[]} */
export function failureLines(failures) {
  const short = (text) => text.trim().replace(/\s+/g, ' ').slice(0, 300);
  const lines = failures.slice(0, TOLD).flatMap(({name, message}) => [`  ${name}`, `    ${short(message)}`]);
  const more = failures.length - TOLD;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

/** Reporter of `node --test`: writes the counts as JSON. */
export default async function* nodeCounts(source) {
  const totals = {};
  const failures = [];
  for await (const {type, data} of source) {
    // The run's own summary has nesting 0 and comes last: "pass 12", "cancelled 0", …
    const line =
      type === 'test:diagnostic' && /^(pass|fail|cancelled|skipped|todo) (\d+)$/.exec(data.message);
    if (line) totals[line[1]] = Number(line[2]);
    if (type === 'test:fail') failures.push(...nodeFailure(data));
  }
  const {pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0} = totals;
  yield JSON.stringify({passed: pass, failed: fail + cancelled, skipped: skipped + todo, failures});
}

/** What holds a failed test fails too, and says nothing of its own. */
function nodeFailure({name, file, details: {error}, todo}) {
  if (todo !== undefined || error?.failureType === 'subtestsFailed') return [];
  const message = String(error?.cause?.message ?? error?.message ?? '');
  return [{name: file ? `${relative(root, file)}: ${name}` : name, message}];
}

/** Reporter of the browser runner: prints the closing line, or writes the counts of each test file as JSON to `file`. */
export const browserCounts = (file) => ({
  onTestRunFinished({sessions}) {
    const all = [...sessions];
    const perBrowser = sumBy(all, ({browser}) => browser.name);
    for (const [browser, counts] of Object.entries(perBrowser))
      console.log(`${browser}: ${describe(counts)}`);
    if (file) writeFileSync(file, JSON.stringify(sumBy(all, ({testFile}) => relative(root, testFile))));
    else console.log(`\n${closingLine(Object.values(perBrowser).reduce(sum, none()))}`);
  },
});

const describe = ({passed, failed, skipped}) => `${passed} good, ${failed} bad, ${skipped} skipped`;

/** @returns {Record<string, Counts>} */
function sumBy(sessions, keyOf) {
  const sums = {};
  for (const session of sessions) {
    const key = keyOf(session);
    sums[key] = sum(sums[key] ?? none(), ofSession(session));
  }
  return sums;
}

function ofSession({passed, testResults, errors = []}) {
  const counts = testResults ? ofSuite(testResults) : none();
  if (passed || counts.failed > 0) return counts;
  // A file that does not load, or ends with an error outside its tests, has no failing test to count.
  const message = errors.map((error) => error.message).join('; ');
  return sum(counts, oneFailed('outside its tests', message || 'it did not end'));
}

function ofSuite({tests, suites}, within = '') {
  const ofTest = ({name, passed, skipped, error}) => {
    if (skipped) return {...none(), skipped: 1};
    return passed ? {...none(), passed: 1} : oneFailed(within + name, error?.message ?? '');
  };
  const inner = suites.map((suite) => ofSuite(suite, `${within}${suite.name} > `));
  return [...tests.map(ofTest), ...inner].reduce(sum, none());
}
