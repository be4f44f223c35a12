/** How far cells of a table reach: a few characters may ask for millions of places. */

/** A cell reaches over no more columns, and no more rows. */
export const MOST_SPANNED = 20;
/** After so many places that cells reach over, each cell is one place. */
export const MOST_FILLED = 10_000;

const SPAN = /(?:col|row)span\s*=\s*["']?(\d+)/gi;

/** The places a cell takes, or more. */
export function placesOf(opening: string): number {
  let places = 1;
  for (const [, span] of opening.matchAll(SPAN)) places *= Math.max(1, Math.min(Number(span), MOST_SPANNED));
  return places;
}
