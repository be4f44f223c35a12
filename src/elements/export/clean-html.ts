/**
 * Markdown as HTML for other places, such as a mail or an archive: no classes, nothing that loads or runs, addresses only
 * where they are safe, the direction of each block by its own text. An image becomes a link to it: who opens or pastes
 * this has not been asked whether its server may know.
 */
import type {MarkdownElement, MarkdownNode} from '../../markdown/index.js';
import {safeUrl} from '../safe-url.js';
import {markdown} from './markdown-here.js';

/** The `scope` parts the ids of footnotes from those of other texts on the page. Formulas stand as they were written, where they are read as such. */
export function cleanHtml(text: string, scope = '', math = false): string {
  const {findEntity, parseMarkdown, toHtml} = markdown();
  return parseMarkdown(text, {entities: findEntity, math})
    .map((block) =>
      toHtml([isHtml(block) ? htmlLines(block) : clean(block, scope, false)], {address: safeUrl}),
    )
    .map(withDirection)
    .join('');
}

function clean(node: MarkdownNode, scope: string, inLink: boolean): MarkdownNode {
  if (typeof node === 'string') return node;
  const {tag, attributes} = node;
  const children = node.children.map((child) =>
    isHtml(child) && isBlockOf(node, child) ? htmlLines(child) : clean(child, scope, inLink || tag === 'a'),
  );
  switch (tag) {
    case 'pre':
      // Its language would be a class.
      return {tag, attributes: {}, children};
    case 'img': {
      const {src = '', alt = ''} = attributes;
      const words = alt || src;
      return inLink ? words : {tag: 'a', attributes: {href: src}, children: [words]};
    }
    case 'note':
    case 'note-reference':
      return {tag, attributes: {...attributes, label: scope + (attributes.label ?? '')}, children};
    default:
      return {...node, children};
  }
}

const isHtml = (node: MarkdownNode): node is MarkdownElement =>
  typeof node !== 'string' && node.tag === 'html';

/** Whether what a node holds is a block, and not a part of its text. The blocks of a tight item are told beside its text. */
function isBlockOf({tag, raw}: MarkdownElement, child: MarkdownNode): boolean {
  return typeof raw === 'object' ? raw.includes(child) : /^(?:blockquote|li|note)$/.test(tag);
}

/** A block of raw HTML is text, in the lines it was written in. */
function htmlLines({children: [text]}: MarkdownElement): MarkdownElement {
  const br: MarkdownElement = {tag: 'br', attributes: {}, children: []};
  const lines = (text as string)
    .trimEnd()
    .split('\n')
    .flatMap((line) => [br, line]);
  return {tag: 'p', attributes: {}, children: lines.slice(1)};
}

/** Code is written from left to right, whatever it says; a formula is text like any other. */
function withDirection(block: string): string {
  if (!block.startsWith('<')) return `<p dir="auto">${block.trim()}</p>\n`;
  return block
    .replace(/^<(p|h[1-6]|[uo]l|blockquote|table)(?=[ >])/, '<$1 dir="auto"')
    .replace(/^<pre>/, '<pre dir="ltr">')
    .replace(/^<section class="footnotes">/, '<section dir="auto">');
}
