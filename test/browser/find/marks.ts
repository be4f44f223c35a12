/** What the tests of finding share: the marks as the document has them, and whether the reader sees theirs. */

export const CURRENT = 'hermes-find-current';

export const marksOf = (name = CURRENT) => [...(CSS.highlights.get(name) ?? [])];

/** Throws for one that goes beyond its text. */
export function rangeOf({startContainer, startOffset, endContainer, endOffset}: AbstractRange): Range {
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range;
}

/** Whether the place the reader is at stands in the view of the transcript, but for so many pixels. */
export function isInView(element: Element, rounded = 0): boolean {
  const [mark] = marksOf();
  if (!mark) return false;
  const at = rangeOf(mark).getBoundingClientRect();
  const view = element.getBoundingClientRect();
  return at.height > 0 && at.top >= view.top - rounded && at.bottom <= view.bottom + rounded;
}
