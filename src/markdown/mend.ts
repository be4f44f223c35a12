/** What is drawn otherwise once all is known: links whose definition came later, footnotes, entities. */
import {parseInline, type InlineContext} from './inline.js';
import {element, type MarkdownElement, type MarkdownNode} from './node.js';

/** An item of a list; where no blank lines part them, its paragraphs are bare text. */
export function item(blocks: readonly MarkdownNode[], loose: boolean): MarkdownElement {
  if (loose || !blocks.some(isParagraph)) return element('li', blocks);
  const bare: MarkdownNode[] = [];
  for (const block of blocks) {
    if (isParagraph(block)) for (const node of block.children) bare.push(node);
    else bare.push(block);
  }
  return {...element('li', bare), raw: blocks};
}

function isParagraph(block: MarkdownNode): block is MarkdownElement {
  return typeof block !== 'string' && block.tag === 'p';
}

/** An item of a list that turned out loose. */
export function loosened(node: MarkdownNode): MarkdownNode {
  const {raw} = node as MarkdownElement;
  return typeof raw === 'object' ? item(raw, true) : node;
}

/** Whether there is anything in it that more knowledge may change. */
export function isUnsure(node: MarkdownNode): boolean {
  if (typeof node === 'string') return false;
  const {raw = node.children} = node;
  return typeof raw === 'string' || raw.some(isUnsure);
}

/** The node as it is with what is known now; the same where nothing in it could change. */
export function mend<T extends MarkdownNode>(node: T, context: InlineContext): T;
export function mend(node: MarkdownNode, context: InlineContext): MarkdownNode {
  if (typeof node === 'string') return node;
  const {raw, children} = node;
  if (typeof raw === 'string') {
    const kept = typeof children[0] === 'object' && children[0].tag === 'input' ? children.slice(0, 2) : [];
    return {...node, children: [...kept, ...parseInline(raw, context)]};
  }
  if (raw) {
    const mended = mendAll(raw, context);
    return mended === raw ? node : item(mended, false);
  }
  const mended = mendAll(children, context);
  return mended === children ? node : {...node, children: mended};
}

function mendAll(nodes: readonly MarkdownNode[], context: InlineContext): readonly MarkdownNode[] {
  let mended: MarkdownNode[] | null = null;
  for (const [index, node] of nodes.entries()) {
    const next = mend(node, context);
    if (next !== node) (mended ??= [...nodes])[index] = next;
  }
  return mended ?? nodes;
}
