/** Bug families: what went wrong in the system we are compatible with, each held by tests named after the fact. */
import {test} from 'node:test';

/** How many families the reference counts. */
export const FAMILIES = 65;

/**
 * A test of one family. `docs/bug-families.md` lists number and fact as they stand in the source, so both are literals:
 * `npm run families` writes it anew.
 */
export function family(
  number: number,
  fact: string,
  run: () => void | Promise<void>,
  options: {readonly todo?: string} = {},
): void {
  test(`#${number} ${fact}`, options, run);
}
