/**
 * What is far from view rests: the browser neither lays it out nor paints it, and keeps its size. Nothing rests before it has
 * been measured: what a reader scrolls up to would jump.
 */

/**
 * Only in Chromium. Browsers that find text in what is hidden until it is found also find it in what rests; in older ones nothing
 * rests. Firefox and WebKit decide what rests between measuring and telling sizes, and tell the page of a loop.
 */
const isFound =
  typeof document !== 'undefined' && 'onbeforematch' in document && navigator.vendor.startsWith('Google');

const waiting = new Set<HTMLElement>();

/** They rest while they are out of sight. Their sizes are measured together; they are kept by the browser from when it sees them. */
export function restUnseen(elements: readonly HTMLElement[]): void {
  if (!isFound) return;
  const heights = elements.map(heightOf);
  for (const [index, {style}] of elements.entries()) {
    style.containIntrinsicBlockSize = `${heights[index]}px`;
    style.contentVisibility = 'auto';
  }
}

/**
 * From the next frame on it rests while it is out of sight, in place of each of its children. The group before the group it is in
 * does so too: by then that is far away.
 */
export function restLater(element: HTMLElement): void {
  if (!isFound) return;
  if (waiting.size === 0) requestAnimationFrame(rest);
  waiting.add(element);
  const far = element.parentElement?.previousElementSibling;
  if (far?.matches('.group')) waiting.add(far as HTMLElement);
}

function rest() {
  // What is not drawn yet comes again when it is.
  const whole = [...waiting].filter(
    (element) => !waiting.has(element.parentElement!) && !element.querySelector('[data-undrawn]'),
  );
  waiting.clear();
  for (const element of whole)
    for (const group of element.querySelectorAll<HTMLElement>(':scope > .group')) {
      // Before its group begins to rest: in what rests, the browser would go on watching it.
      group.classList.remove('rests');
      group.removeAttribute('style');
      // Once a box has been painted, all frames tell it where it has been scrolled to. This makes another of it, which stands as it did.
      for (const box of group.querySelectorAll<HTMLElement>('pre, .scroll')) box.style.display = 'flow-root';
    }
  const heights = whole.map(heightOf);
  for (const [index, element] of whole.entries()) {
    // The browser watches the size of each that has `auto`, in every frame.
    element.style.containIntrinsicBlockSize = `auto ${heights[index]}px`;
    element.classList.add('rests');
    for (const child of element.children as HTMLCollectionOf<HTMLElement>) child.style.contentVisibility = '';
  }
}

/** To the last part of a pixel: what rests or wakes must change no size around it. */
function heightOf(element: Element): number {
  return element.getBoundingClientRect().height;
}
