/** An example of a specification, and which of them mean something else here. */

export interface SpecExample {
  readonly example: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

const BARE = 'Addresses without marks are links in GFM; these examples are of CommonMark without it.';
const COMMENTS = 'CommonMark 0.31 takes more for a comment than the 0.29 that GFM is written on.';

/** Why an example means something else here. The list only shrinks. */
export const exceptions: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  commonmark: new Map([602, 606, 608, 611, 612].map((example) => [example, BARE])),
  gfm: new Map([
    ...[610, 614, 616, 619, 620].map((example) => [example, BARE] as const),
    [645, COMMENTS],
    [646, COMMENTS],
    [653, 'Raw HTML is text here, or goes through a sanitizer as a whole; no tag has a rule of its own.'],
  ]),
};
