/** How many tests passed, failed and were skipped: reporters for both runners, and the closing line. */
import {writeFileSync} from 'node:fs';

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

/** @returns {Counts} */
export const none = () => ({passed: 0, failed: 0, skipped: 0});

/** @param {Counts} a @param {Counts} b @returns {Counts} */
export const sum = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** The line that CI reads. @param {Counts} counts */
export const closingLine = ({passed, failed, skipped}) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Reporter of `node --test`: writes the counts as JSON. */
export default async function* nodeCounts(source) {
  const totals = {};
  for await (const {type, data} of source) {
    // The run's own summary has nesting 0 and comes last: "pass 12", "cancelled 0", …
    const line =
      type === 'test:diagnostic' && /^(pass|fail|cancelled|skipped|todo) (\d+)$/.exec(data.message);
    if (line) totals[line[1]] = Number(line[2]);
  }
  const {pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0} = totals;
  yield JSON.stringify({passed: pass, failed: fail + cancelled, skipped: skipped + todo});
}

/** Reporter of the browser runner: prints the closing line, or writes the counts as JSON to `file`. */
export const browserCounts = (file) => ({
  onTestRunFinished({sessions}) {
    const perBrowser = new Map();
    for (const session of sessions) {
      const before = perBrowser.get(session.browser.name) ?? none();
      perBrowser.set(session.browser.name, sum(before, ofSession(session)));
    }
    for (const [browser, counts] of perBrowser) console.log(`${browser}: ${describe(counts)}`);
    const total = [...perBrowser.values()].reduce(sum, none());
    if (file) writeFileSync(file, JSON.stringify(total));
    else console.log(`\n${closingLine(total)}`);
  },
});

const describe = ({passed, failed, skipped}) => `${passed} good, ${failed} bad, ${skipped} skipped`;

function ofSession({passed, testResults}) {
  const counts = testResults ? ofSuite(testResults) : none();
  // A file that does not load, or ends with an error outside its tests, has no failing test to count.
  return passed || counts.failed > 0 ? counts : sum(counts, {...none(), failed: 1});
}

function ofSuite({tests, suites}) {
  const own = tests.map(({skipped, passed}) => ({
    passed: Number(!skipped && passed),
    failed: Number(!skipped && !passed),
    skipped: Number(skipped === true),
  }));
  return [...own, ...suites.map(ofSuite)].reduce(sum, none());
}
