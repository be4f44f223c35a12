/** What is read off a page: long tasks in the stretches that count, nodes, the text a reader can read. */
/* global document, Node, NodeFilter, PerformanceObserver, requestAnimationFrame */

const tasks = [];
const stretches = [];
const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
observer.observe({type: 'longtask'});

/** Resolves when the next frame is begun. */
export const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Tasks between these two times count, also those in which they were taken. */
export const counts = (from, to) => stretches.push([from, to]);

/** Long tasks of all stretches that count. */
export function longTasks() {
  tasks.push(...observer.takeRecords());
  const counted = tasks.filter(({startTime, duration}) =>
    stretches.some(([from, to]) => startTime < to && startTime + duration > from),
  );
  return {count: counted.length, longest: Math.max(0, ...counted.map(({duration}) => duration))};
}

/** Elements and text nodes, also in shadow roots. */
export function nodes(root) {
  let found = 0;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    found++;
    if (walker.currentNode.shadowRoot) found += nodes(walker.currentNode.shadowRoot);
  }
  return found;
}

/**
 * What differs where something was drawn meanwhile. It goes to no node by itself: the engine keeps an object for each node
 * that a script has looked at, and for its list of children, which would be measured as held by what drew it.
 */
export function sketch(root) {
  const drawn = root.firstElementChild?.shadowRoot ?? root;
  return `${drawn.querySelectorAll('*').length} ${drawn.textContent}`;
}

/** All text, also in shadow roots; what is on buttons is not of the text. */
export function drawnText(root) {
  let text = '';
  for (const node of root.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) text += node.data;
    else if (node.nodeType === Node.ELEMENT_NODE && !/^(style|script|button|template)$/.test(node.localName))
      text += drawnText(node.shadowRoot ?? node);
  }
  return text;
}
