/** Where a text stands in what is drawn, across bold words and links, and never across blocks. */
import {liveRange} from '../live-range.js';
import {foldText, GAP, occurrences} from './folded-text.js';

/** What a block is, for who reads; a name and its argument are two. */
const BLOCK = 'pre, p, li, h1, h2, h3, h4, h5, h6, td, th, blockquote, div, dd, dt, summary, caption, .more';
/** What can be done with a text, or is only heard, is none of it. */
const ASIDE = 'button, .unseen, svg, .head, figcaption, .back, .sign, .beside, .math > .formula';

export function rangesIn(scope: Element, wanted: string): StaticRange[] {
  const {nodes, starts, text} = read(scope);
  const folded = foldText(text);
  let node = 0;
  const placeOf = (at: number) => {
    while (node + 1 < nodes.length && starts[node + 1]! <= at) node++;
    return [nodes[node]!, at - starts[node]!] as const;
  };
  return [...occurrences(folded.text, wanted)].map((at) => {
    const [startContainer, startOffset] = placeOf(folded.at(at));
    const [endContainer, last] = placeOf(folded.at(at + wanted.length) - 1);
    const [begin, end] = [startContainer, endContainer].map(drawnOf);
    return new StaticRange({
      startContainer: begin ?? startContainer,
      startOffset: begin ? 0 : startOffset,
      endContainer: end ?? endContainer,
      endOffset: end ? end.childNodes.length : last + 1,
    });
  });
}

/** Whether it still says what was found there. */
export function isStill(range: StaticRange, wanted: string): boolean {
  const {startContainer: node, startOffset, endContainer, endOffset} = range;
  if (!node.isConnected || !endContainer.isConnected) return false;
  // What is seen of a formula says something else.
  if (!(node instanceof Text && endContainer instanceof Text)) return true;
  if (endOffset > endContainer.length || startOffset > node.length) return false;
  const text = node === endContainer ? node.data.slice(startOffset, endOffset) : liveRange(range).toString();
  return foldText(text).text === wanted;
}

/** What is seen of a formula whose TeX is not. */
const drawnOf = ({parentElement}: Text) =>
  parentElement?.matches('.math.is-drawn > .tex')
    ? parentElement.parentElement!.querySelector(':scope > .formula')
    : null;

/** Its text, and where in that each of its nodes begins. */
function read(scope: Element) {
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Text
      ? NodeFilter.FILTER_ACCEPT
      : (node as Element).matches(ASIDE)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP,
  );
  const nodes: Text[] = [];
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let block: Element | null = null;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const own: Element | null = node.parentElement!.closest(BLOCK);
    if (nodes.length > 0 && own !== block) length += pieces.push(GAP) && 1;
    block = own;
    nodes.push(node);
    starts.push(length);
    pieces.push(node.data);
    length += node.length;
  }
  return {nodes, starts, text: pieces.join('')};
}
