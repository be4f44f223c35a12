import assert from 'node:assert/strict';
import {test} from 'node:test';
import {closingLine, failureLines, none, sum, type Counts} from '../../counts.mjs';
import {tried} from '../../tries.mjs';

const good = (passed: number): Counts => ({...none(), passed});
const bad = (...names: string[]): Counts => ({
  ...none(),
  failed: names.length,
  failures: names.map((name) => ({name, message: 'late'})),
});

/** Runs these answers, one after the other, and says what was asked for. */
function play(...answers: Record<string, Counts>[]) {
  const asked: string[][] = [];
  const said: string[] = [];
  const run = (...files: string[]) => {
    asked.push(files);
    return answers.shift() ?? {};
  };
  const {counts, again} = tried('Firefox', run, (sentence) => said.push(sentence));
  return {line: closingLine(counts), failures: counts.failures, again, asked, said};
}

test('an engine whose files are all good is run once', () => {
  const {line, again, asked} = play({a: good(2), b: good(3)});
  assert.equal(line, '5 passed, 0 failed');
  assert.deepEqual(asked, [[]]);
  assert.deepEqual(again, []);
});

test('a file that failed is run again, alone, and its last run counts', () => {
  const {line, failures, again, asked, said} = play(
    {a: good(2), b: sum(good(2), bad('keys'))},
    {b: sum(good(1), bad('other', 'keys'))},
    {b: good(3)},
  );
  assert.equal(line, '5 passed, 0 failed');
  assert.deepEqual(asked, [[], ['b'], ['b']]);
  assert.deepEqual(failures, []);
  assert.deepEqual(again, [{name: 'Firefox: b: keys', message: 'late'}]);
  assert.deepEqual(said, ['Firefox: b failed; once more alone.', 'Firefox: b failed; once more alone.']);
});

test('what fails three times has failed, and does not make the others run again', () => {
  const {line, failures, asked} = play(
    {a: bad('one'), b: bad('two')},
    {a: bad('one')},
    {a: bad('one')},
    {b: good(1)},
  );
  assert.equal(line, '1 passed, 1 failed');
  assert.deepEqual(asked, [[], ['a'], ['a'], ['b']]);
  assert.deepEqual(failures, [{name: 'Firefox: a: one', message: 'late'}]);
});

test('where a second run does not start, the first still counts', () => {
  assert.equal(play({a: bad('one')}).line, '0 passed, 1 failed');
});

test('an engine that does not start is run again as a whole', () => {
  const {line, again, asked} = play({}, {}, {a: good(1)});
  assert.equal(line, '1 passed, 0 failed');
  assert.deepEqual(asked, [[], [], []]);
  assert.equal(again.length, 2);
  const {line: never, failures} = play();
  assert.equal(never, '0 passed, 1 failed');
  assert.equal(failures[0]?.name, 'Firefox: did not start');
});

test('many failures with long reasons are told in few lines', () => {
  const failures = Array.from({length: 20}, (_, at) => ({
    name: `test ${at}`,
    message: 'a\n  b\n'.repeat(500),
  }));
  const lines = failureLines(failures);
  assert.ok(lines.length < 18);
  assert.ok(lines.every((line) => line.length < 320 && !line.includes('\n')));
  assert.equal(lines.at(-1), '  and 12 more');
});
