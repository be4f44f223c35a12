/** Work on elements that can wait until a reader comes near them, or prints the page. */

const NEAR: IntersectionObserverInit & {readonly scrollMargin: string} = {
  rootMargin: '50%',
  scrollMargin: '50%',
};
/** So many may wait before those are looked for that have left the page. */
const MANY = 256;

const works = new WeakMap<Element, () => void>();
/** Those that are there to be printed. */
let waiting = new Set<Element>();
let most = MANY;

/** Who comes by scrolling has to stay for so long: in a page that flies past nothing is done. */
const STAY_MS = 100;
/** Those of which it was told before where they are: who is near to them now has come there. */
const placed = new WeakSet<Element>();
const coming = new WeakMap<Element, ReturnType<typeof setTimeout>>();

/** Browsers look at all that is observed, in every frame: of what stands in a group, only the group while that is far. */
const groups = new WeakMap<Element, Set<Element>>();
let observers: {readonly near: IntersectionObserver; readonly far: IntersectionObserver} | undefined;

/** Runs `work` once, when a reader is near the element, before a page with it is printed, or never; in the place of what waited for it. */
export function whenNear(element: Element, work: () => void): void {
  const {near, far} = (observers ??= begin());
  works.set(element, work);
  waiting.add(element);
  const group = element.closest('.group');
  if (group) {
    const members = groups.get(group) ?? new Set();
    groups.set(group, members.add(element));
    // Anew, so that it is told of where the group is.
    far.unobserve(group);
    far.observe(group);
  } else near.observe(element);
  if (waiting.size < most) return;
  waiting = new Set([...waiting].filter(({isConnected}) => isConnected));
  most = Math.max(MANY, waiting.size * 2);
}

/** Nothing waits for a reader any more. */
export function forget(element: Element): void {
  clearTimeout(coming.get(element));
  works.delete(element);
  waiting.delete(element);
  placed.delete(element);
  observers?.near.unobserve(element);
}

function begin() {
  addEventListener('beforeprint', () => {
    for (const element of [...waiting]) if (element.isConnected) run(element);
  });
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
  return {near, far};
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

function run(element: Element) {
  const work = works.get(element);
  forget(element);
  work?.();
}
