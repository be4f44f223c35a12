/** What is selected as a range that can be asked. WebKit may tell a place that a text which has become shorter has no more. */
export function liveRange({startContainer, startOffset, endContainer, endOffset}: AbstractRange): Range {
  const range = new Range();
  range.setStart(startContainer, Math.min(startOffset, lengthOf(startContainer)));
  range.setEnd(endContainer, Math.min(endOffset, lengthOf(endContainer)));
  return range;
}

function lengthOf(node: Node): number {
  return node instanceof CharacterData ? node.length : node.childNodes.length;
}
