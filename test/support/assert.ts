/** The assertions of the browser tests, named as in node:assert/strict: `import * as assert from '../support/assert.js'`. */

export function ok(value: unknown, message?: string): asserts value {
  // Shown only then: an element holds much of its page.
  if (!value) throw new Error(message ?? `expected something truthy, got ${show(value)}`);
}

export function equal<T>(actual: unknown, expected: T, message?: string): asserts actual is T {
  if (!Object.is(actual, expected)) fail(actual, expected, message);
}

/** Same plain data: compared as JSON with sorted keys, so `undefined` members do not count. */
export function deepEqual(actual: unknown, expected: unknown, message?: string): void {
  if (show(actual) !== show(expected)) fail(actual, expected, message);
}

export function throws(call: () => unknown, pattern: RegExp): void {
  try {
    call();
  } catch (error) {
    ok(pattern.test(String(error)), `expected ${pattern}, got ${String(error)}`);
    return;
  }
  throw new Error(`expected ${pattern}, nothing was thrown`);
}

function fail(actual: unknown, expected: unknown, message = 'not equal'): never {
  const [found, wanted] = [show(actual), show(expected)];
  throw new Error(`${message}${firstDifference(found, wanted)}\n  actual:   ${found}\n  expected: ${wanted}`);
}

/** Where long values part; it is said first, since reports are cut. */
function firstDifference(actual: string, expected: string): string {
  const [found, wanted] = [actual.split('\n'), expected.split('\n')];
  const length = Math.max(found.length, wanted.length);
  if (length < 4) return '';
  let at = 0;
  while (at < length && found[at] === wanted[at]) at++;
  return ` from line ${at + 1} of ${length} on: ${found[at]?.trim()}, not ${wanted[at]?.trim()}`;
}

function show(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    return String(value);
  return String(JSON.stringify(value, sorted, 2));
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
