/** What is copied of a formula that is drawn: the TeX as it was written. For the moment of copying it stands there again. */
import {selectedIn} from './selected-in.js';

/** Where formulas are drawn; they may be gone with their page. */
const roots = new Set<WeakRef<ShadowRoot | Document>>();
const known = new WeakSet<Node>();

/** From now on, what is copied of the root this formula stands in holds its TeX. */
export function copyAsWritten(formula: Element): void {
  // Drawn at once, it does not stand where it belongs yet.
  queueMicrotask(() => {
    const root = formula.getRootNode();
    if (known.has(root) || !(root instanceof ShadowRoot || root instanceof Document)) return;
    if (roots.size === 0) document.addEventListener('copy', copied, {capture: true});
    known.add(root);
    roots.add(new WeakRef(root));
  });
}

function copied() {
  const boxes = [...roots].flatMap((reference) => {
    const root = reference.deref();
    if (!root) roots.delete(reference);
    return root ? selectedFormulas(root) : [];
  });
  // Before the next frame it is over: the browser reads what is selected right after this event.
  if (boxes.length > 0) setTimeout(() => boxes.forEach((box) => box.classList.remove('as-written')));
}

function selectedFormulas(root: ShadowRoot | Document): readonly Element[] {
  const range = selectedIn(root);
  if (!range) return [];
  // What goes over the edge of a root is no range: nothing is lost where more than is selected stands as written.
  const isInside = !range.collapsed && root.contains(range.commonAncestorContainer);
  const boxes = [...root.querySelectorAll('.math.is-drawn')];
  return boxes.filter((box) => {
    if (isInside && !range.intersectsNode(box)) return false;
    const [begins, ends] = [box.contains(range.startContainer), box.contains(range.endContainer)];
    // A part of one formula is copied as it is seen.
    if (begins && ends) return false;
    const tex = box.querySelector(':scope > .tex')!;
    // What is selected goes on after the one it begins in.
    if (begins) box.append(tex);
    else box.prepend(tex);
    box.classList.add('as-written');
    return true;
  });
}
