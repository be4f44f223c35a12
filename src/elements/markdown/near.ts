/** Work on elements that can wait until a reader comes near them, or prints the page. */

const NEAR: IntersectionObserverInit & {readonly scrollMargin: string} = {
  rootMargin: '50%',
  scrollMargin: '50%',
};
/** So many may wait before those are looked for that have left the page. */
const MANY = 256;

type Work = (isForPaper: boolean) => void;

const works = new WeakMap<Element, Work>();
/** Those that are there to be printed. */
let waiting = new Set<Element>();
let most = MANY;
/** While the page is drawn for paper, nothing waits. */
let isPrinting = false;

/** Who comes by scrolling has to stay for so long: in a page that flies past nothing is done. */
const STAY_MS = 100;
/** Those of which it was told before where they are: who is near to them now has come there. */
const placed = new WeakSet<Element>();
const coming = new WeakMap<Element, ReturnType<typeof setTimeout>>();

/** Browsers look at all that is observed, in every frame: of what stands in a group, only the group while that is far. */
const groups = new WeakMap<Node, Set<Element>>();
let observers: ReturnType<typeof begin> | undefined;

/**
 * Runs `work` once, when a reader is near the element, but not before so many milliseconds, or before a page with it is printed,
 * or never; in the place of what waited for it.
 */
export function whenNear(element: Element, work: Work, milliseconds = 0): void {
  observers ??= begin();
  forget(element);
  if (waiting.size >= most) {
    waiting = new Set([...waiting].filter(({isConnected}) => isConnected));
    most = Math.max(MANY, waiting.size * 2);
  }
  works.set(element, work);
  waiting.add(element);
  // It may be drawn before it stands in the page.
  if (isPrinting) queueMicrotask(() => run(element, true));
  else coming.set(element, setTimeout(watch, milliseconds, element));
}

/** Nothing waits for a reader any more. */
export function forget(element: Element): void {
  clearTimeout(coming.get(element));
  works.delete(element);
  waiting.delete(element);
  placed.delete(element);
  observers?.near.unobserve(element);
}

function watch(element: Element) {
  const {near, far, left} = observers!;
  const group = element.closest('.group');
  if (!group) return near.observe(element);
  const members = groups.get(group) ?? new Set();
  groups.set(group, members.add(element));
  // Anew, so that it is told of where the group is.
  far.unobserve(group);
  far.observe(group);
  left.observe(group, {childList: true});
}

function begin() {
  const print = ({type}: Event) => {
    isPrinting = type === 'beforeprint';
    if (isPrinting) for (const element of [...waiting]) if (element.isConnected) run(element, true);
  };
  // Before the turns hear of it, and draw what was folded.
  for (const type of ['beforeprint', 'afterprint']) addEventListener(type, print, {capture: true});
  const near = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      clearTimeout(coming.get(target));
      if (!isIntersecting) placed.add(target);
      else if (placed.has(target)) coming.set(target, setTimeout(run, STAY_MS, target));
      else run(target);
    }
  }, NEAR);
  const far = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      pass(target, isIntersecting, near, far);
      placed.add(target);
    }
  }, NEAR);
  const left = new MutationObserver((records) => {
    for (const {target, removedNodes} of records) if (removedNodes.length > 0) leave(target);
  });
  return {near, far, left};
}

/** Of an element that was carried out of its group, the group tells nothing any more. */
function leave(group: Node) {
  const members = groups.get(group)!;
  for (const element of members) {
    if (group.contains(element)) continue;
    members.delete(element);
    observers!.near.unobserve(element);
    if (works.has(element) && element.isConnected) watch(element);
  }
}

/** A group has come near, or is far. */
function pass(group: Element, isNear: boolean, near: IntersectionObserver, far: IntersectionObserver) {
  const members = groups.get(group)!;
  for (const element of members) {
    if (!works.has(element)) {
      members.delete(element);
      continue;
    }
    if (placed.has(group)) placed.add(element);
    if (isNear) near.observe(element);
    else {
      clearTimeout(coming.get(element));
      near.unobserve(element);
    }
  }
  if (members.size === 0) far.unobserve(group);
}

function run(element: Element, isForPaper = false) {
  const work = works.get(element);
  forget(element);
  work?.(isForPaper);
}
