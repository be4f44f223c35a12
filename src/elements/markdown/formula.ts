/**
 * A formula: the TeX as it was written, until what the page draws of it has come. The TeX stays beside that, unseen, to be
 * copied, quoted and found.
 */
import {texOf, type MarkdownElement} from '../../markdown/index.js';
import {copyAsWritten} from './copied-formulas.js';
import type {ProseHost} from './prose-host.js';
import {tellPage} from './tell-page.js';

/** What each box shows, as it was written. */
const sources = new WeakMap<Element, string>();

export function formulaBox(node: MarkdownElement, host: ProseHost): HTMLElement {
  const box = document.createElement('span');
  box.className = node.attributes.display ? 'math display' : 'math';
  box.dir = 'ltr';
  const tex = document.createElement('span');
  tex.className = 'tex';
  tex.append(new Text());
  box.append(tex);
  patchFormula(box, node, host);
  return box;
}

export function patchFormula(box: HTMLElement, node: MarkdownElement, host: ProseHost): void {
  const source = node.children[0] as string;
  const before = sources.get(box) ?? '';
  if (source !== before) {
    sources.set(box, source);
    box.classList.remove('is-drawn');
    box.querySelector(':scope > .formula')?.remove();
    const text = box.querySelector('.tex')!.firstChild as Text;
    // Not `data =` where it grows: that would take the selection out of it.
    if (source.startsWith(before)) text.appendData(source.slice(before.length));
    else text.data = source;
  }
  box.classList.toggle('display', node.attributes.display === true);
  if (!node.attributes.open && !box.classList.contains('is-drawn')) draw(box, node, host);
}

function draw(box: HTMLElement, node: MarkdownElement, host: ProseHost) {
  const {math} = host;
  if (!math) return;
  const source = sources.get(box);
  const show = (drawn: Node | null) => {
    if (drawn && sources.get(box) === source) put(box, drawn, node.attributes.display === true, host);
  };
  const fail = (cause: unknown) => tellPage(math, cause);
  try {
    const drawn = math(texOf(node), node.attributes.display === true);
    if (drawn && 'then' in drawn) drawn.then(show).catch(fail);
    else show(drawn);
  } catch (cause) {
    fail(cause);
  }
}

function put(box: HTMLElement, drawn: Node, display: boolean, {words}: ProseHost) {
  const formula = document.createElement('span');
  formula.className = 'formula';
  // What scrolls has to be reached by keys.
  if (display) Object.assign(formula, {tabIndex: 0, role: 'group', ariaLabel: words.formula});
  formula.append(drawn);
  box.querySelector(':scope > .formula')?.remove();
  box.append(formula);
  box.classList.add('is-drawn');
  copyAsWritten(box);
}
