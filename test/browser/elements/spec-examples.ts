/** The examples of the specifications, fetched as a page does; see test/unit/markdown/spec-examples.ts. */
import type {SpecExample} from '../../unit/markdown/spec-example.js';

const read = async (name: string) =>
  (await (
    await fetch(new URL(`../../fixtures/markdown/${name}.json`, import.meta.url))
  ).json()) as SpecExample[];

export const commonMark = await read('commonmark-0.31.2');
export const gfm = await read('gfm-0.29');
export {exceptions} from '../../unit/markdown/spec-example.js';
