/** What the reader selected in a turn, row by row, and where it goes if the page does not take it. */
import type {QuotedRange} from '../events.js';
import type {HermesComposer} from '../hermes-composer.js';
import {selectedRange} from '../selected-range.js';
import {homeOf, isSameHome} from '../session-home.js';
import type {Session} from '../../session/index.js';

/** The selection as a range of the root, if something is selected in it. */
export function selectionIn(root: ShadowRoot): Range | null {
  const range = selectedRange(root);
  if (!range || range.collapsed || !root.contains(range.startContainer) || !root.contains(range.endContainer))
    return null;
  const live = new Range();
  live.setStart(range.startContainer, range.startOffset);
  live.setEnd(range.endContainer, range.endOffset);
  return live;
}

/** What of these rows is selected. Offsets count in the text a row shows, its buttons left out. */
export function quotedRanges(selection: Range, rows: Iterable<HTMLElement>): QuotedRange[] {
  return [...rows].flatMap((row) => {
    if (row.hidden || !selection.intersectsNode(row)) return [];
    const text =
      row.querySelector<HTMLElement>(':scope > .text:not([hidden])') ??
      row.querySelector('[data-text]') ??
      row;
    const range = quotedIn(selection, text);
    return range ? [{itemId: row.dataset['itemId'] ?? '', ...range}] : [];
  });
}

function quotedIn(selection: Range, element: Element) {
  let at = 0;
  let start = -1;
  let end = 0;
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element
      ? node.matches(APART)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const from = node === selection.startContainer ? selection.startOffset : 0;
    const to = node === selection.endContainer ? selection.endOffset : node.length;
    if (from < to && selection.intersectsNode(node)) {
      const own = node.parentElement!.closest(BLOCK);
      if (start < 0) start = at + from;
      else if (own !== block)
        text += own?.matches('td, th') && own.parentElement === block?.parentElement ? '\t' : '\n';
      block = own;
      end = at + to;
      text += node.data.slice(from, to);
    }
    at += node.length;
  }
  return start < 0 || text.trim() === '' ? null : {start, end, text: text.replace(/\n{3,}/g, '\n\n').trim()};
}

/** What stands in a row beside its text. */
const APART = 'button, figcaption, summary, svg, .unseen, [hidden]';
const BLOCK = 'p, li, pre, h1, h2, h3, h4, h5, h6, td, th, blockquote, div, dd, dt';

/** As Markdown quotes. */
export const quoteLines = (text: string) => text.replace(/^/gm, '> ');

/** Puts it into the composer of the conversation, if there is one on the page. */
export async function quoteInComposer(
  from: Element,
  session: Session | null,
  text: string,
): Promise<boolean> {
  const composer = session && findComposer(from, session);
  if (!composer) return false;
  const before = composer.value.trimEnd();
  composer.value = `${before && `${before}\n\n`}${quoteLines(text)}\n\n`;
  await composer.updateComplete;
  composer.focus();
  return true;
}

/** The nearest: in the same root, else in one around it. */
function findComposer(from: Element, session: Session): HermesComposer | null {
  const home = homeOf(session);
  for (
    let root: Node | null = from.getRootNode();
    root;
    root = root instanceof ShadowRoot ? root.host.getRootNode() : null
  ) {
    const composers = (root as ParentNode & Node).querySelectorAll?.<HermesComposer>('hermes-composer') ?? [];
    // One that is not registered yet has no session.
    const found = [...composers].find(
      ({shown, disabled}) => shown && !disabled && isSameHome(homeOf(shown), home),
    );
    if (found) return found;
  }
  return null;
}
