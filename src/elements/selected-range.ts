/** The selection as it is inside a root; a selection does not tell that of itself. */
export function selectedRange(root: ShadowRoot): StaticRange | Range | null {
  const selection = getSelection();
  // The rest has the browser lay out what was drawn.
  if (!selection?.rangeCount) return null;
  // Younger than some browsers; those tell the nodes inside a root without it.
  return selection.getComposedRanges?.({shadowRoots: [root]})[0] ?? selection.getRangeAt(0);
}
