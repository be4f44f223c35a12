/** What the reader selected in a turn, row by row, and where it goes if the page does not take it. */
import type {QuotedRange} from '../events.js';
import type {HermesComposer} from '../hermes-composer.js';
import {liveRange} from '../live-range.js';
import {selectedRange} from '../selected-range.js';
import {homeOf, isSameHome} from '../session-home.js';
import type {Session} from '../../session/index.js';
import {blockOf, quotedText, type Selected} from './quoted-text.js';

/** The selection as a range of the root, if something is selected in it. */
export function selectionIn(root: ShadowRoot): Range | null {
  const range = selectedRange(root);
  if (!range || range.collapsed || !root.contains(range.startContainer) || !root.contains(range.endContainer))
    return null;
  return withFormulas(liveRange(range));
}

/** What of a formula is drawn is no text: it is selected whole. */
function withFormulas(range: Range): Range {
  const [begin, end] = [range.startContainer, range.endContainer].map((node) =>
    (node instanceof Element ? node : node.parentElement)?.closest('.math.is-drawn'),
  );
  if (begin) range.setStartBefore(begin);
  if (end) range.setEndAfter(end);
  return range;
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
  const parts: Selected[] = [];
  for (const node of textNodes(element)) {
    const from = node === selection.startContainer ? selection.startOffset : 0;
    const to = node === selection.endContainer ? selection.endOffset : node.length;
    if (from < to && selection.intersectsNode(node)) {
      if (start < 0) start = at + from;
      end = at + to;
      add(parts, node, node.data.slice(from, to));
    }
    at += node.length;
  }
  const {commonAncestorContainer: around} = selection;
  const within = around instanceof Element && element.contains(around) ? around : around.parentElement;
  const text = quotedText(parts, within && element.contains(within) ? within : element);
  return start < 0 || text.trim() === '' ? null : {start, end, text};
}

function add(parts: Selected[], node: Text, text: string) {
  const block = blockOf(node);
  const last = parts.at(-1);
  if (last?.block !== block) return void parts.push({block, text});
  const isParted = node.previousSibling instanceof HTMLBRElement && !text.startsWith('\n');
  last.text += isParted ? `\n${text}` : text;
}

/** What is not read out of a row: its buttons, and what only they speak of. */
function* textNodes(element: Element): Generator<Text> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element
      ? node.matches(APART)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  );
  while (walker.nextNode()) yield walker.currentNode as Text;
}

/** What stands in a row beside its text. */
const APART =
  'button, figcaption, summary:not(.raw summary), svg, .unseen, .back, .math > .formula, [hidden]';

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
