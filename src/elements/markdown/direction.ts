/** The direction of a block: that of its first letter, once it is there. */

const LETTER = /\p{L}/u;
/** Letters of the scripts that are written from right to left, as browsers take them for `dir=auto`. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Formulas run from left to right in any text, and say nothing of its direction. */
function wordsOf(block: Element): string {
  if (!block.querySelector('.math')) return block.textContent;
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element
      ? node.matches('.math')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  );
  let words = '';
  while (walker.nextNode()) words += walker.currentNode.textContent;
  return words;
}

/** Not `auto` for longer than needed: browsers ask again at each node that is put into the block. */
export function direct(block: HTMLElement, again = false): void {
  if (!again && block.dir !== 'auto' && block.dir !== '') return;
  const letter = LETTER.exec(wordsOf(block))?.[0];
  block.dir = letter === undefined ? 'auto' : RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
