/** Brings a range into view in all that scrolls around it, and moves nothing where it can be read already. */
import {liveRange} from '../live-range.js';

/** How far from the edges it is to stand, in pixels; a bar may stand there. */
const EDGE = 56;

export function intoView(at: AbstractRange): void {
  const range = liveRange(at);
  for (let box = above(at.startContainer); box; box = above(box)) if (mayScroll(box)) bring(range, box);
}

function above(node: Node): Element | null {
  const {parentNode} = node;
  if (parentNode instanceof ShadowRoot) return parentNode.host;
  return (node as Element).assignedSlot ?? (parentNode instanceof Element ? parentNode : null);
}

function mayScroll(box: Element): boolean {
  if (box === document.scrollingElement) return true;
  const {overflowX, overflowY} = getComputedStyle(box);
  return /auto|scroll/.test(overflowX + overflowY);
}

function bring(range: Range, box: Element) {
  const at = range.getClientRects()[0] ?? range.startContainer.parentElement!.getBoundingClientRect();
  const view = viewOf(box);
  const edge = Math.min(EDGE, view.height / 4);
  if (at.top < view.top + edge || at.bottom > view.top + view.height - edge)
    box.scrollTop += at.top + at.height / 2 - view.top - view.height / 2;
  if (at.left < view.left || at.right > view.left + view.width)
    box.scrollLeft += at.left + at.width / 2 - view.left - view.width / 2;
}

function viewOf(box: Element) {
  const {clientWidth: width, clientHeight: height} = box;
  if (box === document.scrollingElement) return {left: 0, top: 0, width, height};
  const {left, top} = box.getBoundingClientRect();
  return {left: left + box.clientLeft, top: top + box.clientTop, width, height};
}
