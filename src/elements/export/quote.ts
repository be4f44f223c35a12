/** What the reader selected in a turn, row by row, and where it goes if the page does not take it. */
import type {QuotedRange} from '../events.js';
import type {HermesComposer} from '../hermes-composer.js';
import {liveRange} from '../live-range.js';
import {selectedRange} from '../selected-range.js';
import {homeOf, isSameHome} from '../session-home.js';
import type {Session} from '../../session/index.js';
import {addText, quotedText, type Selected} from './quoted-text.js';

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
  return selectedRows(selection, rows).flatMap(({row, text}) => {
    const range = quotedIn(selection, text);
    return range ? [{itemId: row.dataset['itemId'] ?? '', ...range}] : [];
  });
}

/** The rows a selection touches, each with the element that holds what it says. */
export function selectedRows(selection: Range, rows: Iterable<HTMLElement>) {
  return [...rows].flatMap((row) => {
    if (row.hidden || !selection.intersectsNode(row)) return [];
    const text =
      row.querySelector<HTMLElement>(':scope > .text:not([hidden])') ??
      row.querySelector('[data-text]') ??
      row;
    return [{row, text}];
  });
}

function quotedIn(selection: Range, element: Element) {
  let start = -1;
  let end = 0;
  const parts: Selected[] = [];
  for (const {node, at, text} of selectedTexts(selection, element)) {
    if (start < 0) start = at;
    end = at + text.length;
    addText(parts, node, text);
  }
  const text = quotedText(parts, innermost(selection, element));
  return start < 0 || text.trim() === '' ? null : {start, end, text};
}

/** The innermost element around all that is selected of an element. */
export function innermost({commonAncestorContainer: around}: Range, element: Element): Element {
  const within = around instanceof Element ? around : around.parentElement;
  return within && element.contains(within) ? within : element;
}

/** The texts of an element that are selected, as far as they are, and where each begins in all that it says. */
export function* selectedTexts(selection: Range, element: Element) {
  let at = 0;
  for (const node of textNodes(element)) {
    const [from, to] = selectedOf(selection, node);
    if (from < to) yield {node, at: at + from, text: node.data.slice(from, to)};
    at += node.length;
  }
}

function selectedOf(selection: Range, node: Text): readonly [from: number, to: number] {
  if (!selection.intersectsNode(node)) return [0, 0];
  return [
    node === selection.startContainer ? selection.startOffset : 0,
    node === selection.endContainer ? selection.endOffset : node.length,
  ];
}

/** What is not read out of a row: its buttons, and what only they speak of. */
function* textNodes(element: Element): Generator<Text> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element
      ? isApart(node)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  );
  while (walker.nextNode()) yield walker.currentNode as Text;
}

/** Whether it stands in a row beside its text. */
export function isApart(element: Element): boolean {
  return element.matches(
    'button, figcaption, summary:not(.raw summary), svg, .unseen, .back, .head, .math > .formula, figure > .drawn, [hidden]',
  );
}

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
