/**
 * What is selected as HTML for other places: elements that every editor knows, no classes, styles or elements of ours,
 * nothing that loads. What stands around all of the selection is left out, unless it is said by it: a list, a table, code.
 */
import {safeUrl} from '../safe-url.js';
import {asSeen} from './as-seen.js';
import {escapeHtml} from './markdown-here.js';
import {innermost, isApart, selectedTexts} from './quote.js';

const BLOCKS =
  'blockquote, caption, dd, details, dl, dt, h1, h2, h3, h4, h5, h6, li, ol, p, summary, table, tbody, td, tfoot, th, thead, tr, ul';
const INLINE = 'a, b, cite, code, del, em, i, ins, kbd, mark, q, s, samp, strong, sub, sup, u, var';
const LISTS = 'dl, ol, ul';
const OF_TABLE = 'table, tbody, tfoot, thead, tr';
const CODE = 'pre, .diff';

/** Whether it stands by itself, and not in a line. */
export function isBlocks(html: string): boolean {
  return /^\s*<(?:blockquote|caption|d[dlt]|details|h[1-6r]|li|[ou]l|p|pre|summary|t[dhr]|table|tbody|thead)\b/.test(
    html,
  );
}

/** What of an element is selected. */
export function copiedHtml(selection: Range, element: Element): string {
  const around = innermost(selection, element);
  const code = around.closest(CODE);
  if (code && element.contains(code)) return codeHtml(code, selection);
  const isInTable = around.matches(OF_TABLE);
  const isSaid = isInTable || around.matches(`${LISTS}, ${INLINE}`);
  let html = isSaid ? written(around, selection) : inside(around, selection);
  for (let at = around; at !== element;) {
    at = at.parentElement!;
    if (at.matches(INLINE) || (isInTable && at.matches(OF_TABLE))) html = wrapped(at, html, selection);
  }
  // Templates have white space around what they hold.
  return isBlocks(html) ? html.trimStart() : html;
}

function inside(parent: Element, selection: Range): string {
  return [...parent.childNodes].map((child) => written(child, selection)).join('');
}

function written(node: Node, selection: Range): string {
  if (node instanceof HTMLInputElement) return boxHtml(node, selection);
  if (!selection.intersectsNode(node)) return '';
  if (node instanceof Text) return textHtml(node, selection);
  if (!(node instanceof Element) || isApart(node)) return '';
  if (node.matches(CODE)) return codeHtml(node, selection, true);
  // Who pastes it has not been asked whether its server may know.
  if (node instanceof HTMLImageElement) return linked(node.src, escapeHtml(node.alt || node.src));
  if (node.matches('br, hr')) return `<${node.localName}>\n`;
  return wrapped(node, inside(node, selection), selection);
}

/** That of a task is its mark: it comes with its item, though what is selected begins behind it. */
function boxHtml(box: HTMLInputElement, selection: Range): string {
  const item = box.closest('li')!;
  if (item.contains(selection.commonAncestorContainer)) return '';
  const isSaid = [...selectedTexts(selection, item)].some(({text}) => text.trim() !== '');
  if (!isSaid && !selection.intersectsNode(box)) return '';
  return `<input type="checkbox" disabled${box.checked ? ' checked' : ''}> `;
}

function textHtml(node: Text, selection: Range): string {
  const {startContainer, startOffset, endContainer, endOffset} = selection;
  const text = node.data.slice(
    node === startContainer ? startOffset : 0,
    node === endContainer ? endOffset : undefined,
  );
  const seen = asSeen(node, text);
  // A box has its space.
  const said = node.previousSibling instanceof HTMLInputElement ? seen.trimStart() : seen;
  return escapeHtml(said).replace(/\n/g, '<br>\n');
}

function wrapped(element: Element, html: string, selection: Range): string {
  const {localName: tag} = element;
  const isCell = element.matches('td, th');
  if (html.trim() === '' && !isCell) return html.trim();
  if (element instanceof HTMLAnchorElement)
    return element.matches('.note') ? html : linked(element.href, html);
  if (element.matches(INLINE)) return `<${tag}>${html}</${tag}>`;
  if (element.matches(BLOCKS))
    return `<${tag}${attributes(element as HTMLElement, selection)}>${html.trim()}</${tag}>\n`;
  return tag === 'div' && !isBlocks(html) ? `<p>${html.trim()}</p>\n` : html;
}

function attributes(element: HTMLElement, selection: Range): string {
  const direction = element.dir === 'rtl' ? ' dir="rtl"' : '';
  const {align} = element.dataset;
  if (align) return `${direction} align="${align}"`;
  if (!(element instanceof HTMLOListElement)) return direction;
  const first = [...element.children].findIndex((item) => selection.intersectsNode(item));
  const start = element.start + Math.max(0, first);
  return start === 1 ? direction : `${direction} start="${start}"`;
}

function linked(address: string, html: string): string {
  const href = safeUrl(address);
  return href === null ? html : `<a href="${escapeHtml(href)}">${html}</a>`;
}

/** Lines are one text; a part of one line stands in a line. */
function codeHtml(element: Element, selection: Range, isBlock = false): string {
  let code = '';
  let before: Element | null = null;
  for (const {node, text} of selectedTexts(selection, element)) {
    // The lines of a change are boxes.
    const line = node.parentElement!.closest('.diff > *, .diff-line');
    if (before && line !== before) code += '\n';
    before = line;
    code += text;
  }
  if (code === '') return '';
  if (!isBlock && !code.includes('\n')) return `<code>${escapeHtml(code)}</code>`;
  // A line end after the opening tag is not part of the text.
  return `<pre><code>${code.startsWith('\n') ? '\n' : ''}${escapeHtml(code)}</code></pre>\n`;
}
