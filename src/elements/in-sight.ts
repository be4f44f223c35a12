/**
 * What is in sight, found by where it stands. To ask the browser what lies under a point has some engines look at all that a
 * page is made of, at every scroll; what stands below each other is found in a few steps.
 */

/** What is lower is not looked into, in pixels. */
const LOW = 40;
/** So few are all asked: among them may be what stands outside the flow, where it likes. */
const FEW = 16;

/** The elements in something that stand between two heights of the viewport, from the top down, what is inside before what it is in. */
export function* inSight(within: ParentNode, top: number, bottom: number): Generator<Element> {
  const {children} = within;
  const isFew = children.length <= FEW;
  for (let at = isFew ? 0 : firstBelow(children, top); at < children.length; at++) {
    const child = children[at]!;
    const box = child.getBoundingClientRect();
    if (box.top >= bottom && !isFew) return;
    if (box.height === 0 || box.bottom <= top || box.top >= bottom) continue;
    if (box.height > LOW) yield* inSight(child, top, bottom);
    yield child;
  }
}

/** The first of those that does not end above; of those without a box nothing can be told. */
function firstBelow(children: HTMLCollection, top: number): number {
  let [from, to] = [0, children.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    let at = middle;
    while (at < to && !children[at]!.getClientRects().length) at++;
    if (at === to || children[at]!.getBoundingClientRect().bottom > top) to = middle;
    else from = at + 1;
  }
  return from;
}
