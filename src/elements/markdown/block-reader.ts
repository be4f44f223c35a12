/** What stands between the parser and the drawing: it hands blocks on as they are, or reads the raw HTML in them. */
import type {MarkdownElement, MarkdownNode} from '../../markdown/index.js';

export interface BlockReader {
  /** What will not change any more, of blocks that will not change. */
  take(blocks: readonly MarkdownNode[]): readonly MarkdownNode[];
  /** What was held back, now that no more comes. */
  end(): readonly MarkdownNode[];
  /** What stands behind that, with the blocks that may still change. */
  draft(tail: readonly MarkdownNode[]): readonly MarkdownNode[];
  /** Blocks that were mended: where they are drawn, and what was and is to be drawn there. */
  mend(mendings: readonly Mending[]): readonly Mending[];
  /** A node that stands for itself. */
  read(node: MarkdownElement): MarkdownElement;
  /** Another of its kind, which has seen nothing. */
  anew(): BlockReader;
}

export type Mending = readonly [place: number, before: MarkdownNode, after: MarkdownNode];

/** Raw HTML is text. */
export const asWritten: BlockReader = {
  take: (blocks) => blocks,
  end: () => [],
  draft: (tail) => tail,
  mend: (mendings) => mendings,
  read: (node) => node,
  anew: () => asWritten,
};

/** Raw HTML is not shown yet: what reads it is on its way. `met` is told of the first. */
export function withoutHtml(met: () => void): BlockReader {
  const hide = (node: MarkdownElement): MarkdownElement => {
    if (node.tag === 'html') {
      met();
      return {...node, children: ['']};
    }
    const children = node.children.map(hideIn);
    return children.some((child, index) => child !== node.children[index]) ? {...node, children} : node;
  };
  const hideIn = (node: MarkdownNode) => (typeof node === 'string' ? node : hide(node));
  return {
    take: (blocks) => blocks.map(hideIn),
    end: () => [],
    draft: (tail) => tail.map(hideIn),
    mend: (mendings) =>
      mendings.map(([place, before, after]) => [place, hideIn(before), hideIn(after)] as const),
    read: hide,
    anew: () => withoutHtml(met),
  };
}
