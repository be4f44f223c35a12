/**
 * Tries: a browser test that fails once may only have been late, on a machine that others use too. What failed is run
 * again, each file alone, and it is said which: one that fails each time is broken, the others are to be looked at.
 */
import {none, sum} from './counts.mjs';

/** @typedef {import('./counts.mjs').Counts} Counts */
/** @typedef {import('./counts.mjs').Failure} Failure */

/** How often something is run again. */
const MORE = 2;

/**
 * Runs all test files of an engine, then those that failed. The last run of each file counts; `again` has what failed
 * at first.
 *
 * @param {string} engine
 * @param {(...files: string[]) => Record<string, Counts>} run - These files, else all. No counts where it did not start.
 * @param {(sentence: string) => void} say
 * @returns {{counts: Counts, again: Failure[]}}
 */
export function tried(engine, run, say) {
  const named = (file, {failures}) => failures.map(({name, message}) => failure(`${file}: ${name}`, message));
  const failure = (name, message) => ({name: `${engine}: ${name}`, message});
  /** @type {Failure[]} */
  const again = [];

  let all = run();
  for (let left = MORE; isEmpty(all) && left > 0; left--) {
    say(`${engine} did not start; once more.`);
    all = run();
    again.push(failure('did not start', 'see above'));
  }
  if (isEmpty(all))
    return {counts: {...none(), failed: 1, failures: [failure('did not start', 'see above')]}, again};

  for (const file of Object.keys(all)) {
    again.push(...named(file, all[file]));
    for (let left = MORE; all[file].failed > 0 && left > 0; left--) {
      say(`${engine}: ${file} failed; once more alone.`);
      all[file] = run(file)[file] ?? all[file];
    }
    all[file] = {...all[file], failures: named(file, all[file])};
  }
  return {counts: Object.values(all).reduce(sum, none()), again};
}

const isEmpty = (counts) => Object.keys(counts).length === 0;
