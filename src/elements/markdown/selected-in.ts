/** What is selected in a root, as a range that can be asked; null where nothing is. */
export function selectedIn(root: Node): Range | null {
  const selection = getSelection();
  // The rest has the browser lay out what was drawn.
  if (!selection?.rangeCount) return null;
  const composed = root instanceof ShadowRoot && selection.getComposedRanges?.({shadowRoots: [root]})[0];
  const found = composed || selection.getRangeAt(0);
  // Not asked of the selection, which some engines call collapsed where it is inside a root.
  if (found.collapsed) return null;
  const {startContainer, startOffset, endContainer, endOffset} = found;
  const range = new Range();
  // WebKit may tell a place that a text which has become shorter has no more.
  range.setStart(startContainer, Math.min(startOffset, lengthOf(startContainer)));
  range.setEnd(endContainer, Math.min(endOffset, lengthOf(endContainer)));
  return range;
}

function lengthOf(node: Node): number {
  return node instanceof CharacterData ? node.length : node.childNodes.length;
}
