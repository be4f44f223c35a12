/** Makes one drawn block say what another says, and touches nothing before the first character that differs. */

/** False, with nothing changed, where the two are blocks of different kinds. */
export function patchBlock(block: Element, wanted: Element): boolean {
  if (
    block.localName !== wanted.localName ||
    block.getAttribute('data-language') !== wanted.getAttribute('data-language')
  )
    return false;
  const [old, fresh] = [insideOf(block), insideOf(wanted)];
  // A link is one thing: where the difference is in one, or at its end, the link is made anew.
  const shared = sharedLength(old.textContent, fresh.textContent);
  const start = Math.min(outsideLinks(old, shared), outsideLinks(fresh, shared));
  const [stays, rest] = [cut(old, start), new Range()];
  rest.setStart(...pointAt(fresh, start));
  rest.setEnd(fresh, fresh.childNodes.length);
  const added = rest.extractContents();
  const {firstChild} = added;
  // The word at the end may still grow into a link: it has to stand in one node.
  if (stays && firstChild instanceof Text) {
    stays.appendData(firstChild.data);
    firstChild.remove();
  }
  old.append(added);
  return true;
}

/** Where the text nodes and links of a block stand. */
export function insideOf(block: Element): Element {
  return block.firstElementChild?.localName === 'code' ? block.firstElementChild : block;
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** The place itself, or the beginning of the link that it is in or after. */
function outsideLinks(parent: Element, at: number): number {
  let begin = 0;
  for (const child of parent.childNodes) {
    const end = begin + (child.textContent?.length ?? 0);
    if (child instanceof Element && begin < at && at <= end) return begin;
    begin = end;
  }
  return at;
}

/** Removes what is after `start`; returns the text node that then stands at the end. */
function cut(parent: Element, start: number): Text | null {
  const [node, offset] = pointAt(parent, start);
  if (node instanceof Text) {
    while (node.nextSibling) node.nextSibling.remove();
    // Not `data =`: that would take the selection out of the part that stays.
    if (offset < node.length) node.deleteData(offset, node.length - offset);
    return node;
  }
  while (parent.childNodes[offset]) parent.childNodes[offset]?.remove();
  return parent.lastChild instanceof Text ? parent.lastChild : null;
}

/** The place of a character: in a text node that holds the one before it, else before a child. */
function pointAt(parent: Element, at: number): [Node, number] {
  let begin = 0;
  for (const [index, child] of [...parent.childNodes].entries()) {
    const end = begin + (child.textContent?.length ?? 0);
    if (child instanceof Text && begin <= at && at <= end && (at > begin || at === 0))
      return [child, at - begin];
    if (begin >= at) return [parent, index];
    begin = end;
  }
  return [parent, parent.childNodes.length];
}
