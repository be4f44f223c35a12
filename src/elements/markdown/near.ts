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
let observer: IntersectionObserver | undefined;

/** Runs `work` once, when a reader is near the element, before a page with it is printed, or never; in the place of what waited for it. */
export function whenNear(element: Element, work: () => void): void {
  observer ??= begin();
  works.set(element, work);
  observer.observe(element);
  waiting.add(element);
  if (waiting.size < most) return;
  waiting = new Set([...waiting].filter(({isConnected}) => isConnected));
  most = Math.max(MANY, waiting.size * 2);
}

/** Nothing waits for a reader any more. */
export function forget(element: Element): void {
  works.delete(element);
  waiting.delete(element);
  observer?.unobserve(element);
}

function begin(): IntersectionObserver {
  addEventListener('beforeprint', () => {
    for (const element of [...waiting]) if (element.isConnected) run(element);
  });
  return new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) if (isIntersecting) run(target);
  }, NEAR);
}

function run(element: Element) {
  const work = works.get(element);
  forget(element);
  work?.();
}
