/** What is copied of a selection in turns: what they say, as text and as HTML, and nothing of what stands around that. */
import {copiedHtml, isBlocks} from './copied-html.js';
import {asSeen} from './as-seen.js';
import {innermost, selectedRows, selectedTexts, selectionIn} from './quote.js';
import {addText, quotedText, type Selected} from './quoted-text.js';

let isWatching = false;

/** From now on. Who came before, such as the page, has the first word. */
export function watchCopies(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener('copy', write);
}

function write(event: ClipboardEvent): void {
  const {clipboardData, defaultPrevented} = event;
  const path = event.composedPath();
  const root = path.find(isOurs);
  if (defaultPrevented || !clipboardData || !root || isField(path[0])) return;
  const {text, html} = copiedOf(root);
  // What is selected may be none of what turns say.
  if (text.trim() === '') return;
  clipboardData.setData('text/plain', text);
  clipboardData.setData('text/html', html);
  event.preventDefault();
}

/** Turns draw into the root of their transcript, or have one of their own. */
function isOurs(target: EventTarget): target is ShadowRoot {
  return target instanceof ShadowRoot && /^hermes-(?:transcript|turn)$/.test(target.host.localName);
}

/** It has a selection of its own. */
function isField(target: EventTarget | undefined): boolean {
  return target instanceof Element && target.matches('input, textarea');
}

function copiedOf(root: ShadowRoot) {
  const nothing = {text: '', html: ''};
  const selection = selectionIn(root);
  if (!selection || isInFormula(selection)) return nothing;
  const rows = root.querySelectorAll<HTMLElement>('[data-item-id]:not([data-type=status])');
  const said = selectedRows(selection, rows).flatMap(({text: element}) => {
    const text = copiedText(selection, element);
    return text.trim() === '' ? [] : [{text, html: copiedHtml(selection, element)}];
  });
  const [only, ...others] = said;
  if (!only || others.length === 0) return only ?? nothing;
  return {
    text: said.map(({text}) => text.replace(/^\n+|\n+$/g, '')).join('\n\n'),
    html: said.map(({html}) => (isBlocks(html) ? html : `<p>${html}</p>\n`)).join(''),
  };
}

/** A part of a formula that is drawn is copied as it is seen. */
function isInFormula({commonAncestorContainer: around}: Range): boolean {
  return (around instanceof Element ? around : around.parentElement)?.closest('.formula') != null;
}

/** Within one block, to the letter. */
function copiedText(selection: Range, element: Element): string {
  const parts: Selected[] = [];
  for (const {node, text} of selectedTexts(selection, element)) addText(parts, node, asSeen(node, text));
  const said = parts.filter(({text}) => text.trim() !== '');
  const [only, ...others] = said;
  return only && others.length === 0 ? only.text : quotedText(said, innermost(selection, element));
}
