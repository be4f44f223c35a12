/** Text as nodes, with the code of each character that would not be seen, or turns the text around. */
import {codeOf, MARKED} from '../visibly.js';

/** In outputs, where emoji and other scripts are at home, only what hides or reorders. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const HIDING = /([\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;

/** Appends the text to a node: for commands and code, every disguise is marked; else only what hides or reorders. */
export function appendVisibly(parent: Node, text: string, isCode = false): void {
  for (const [index, piece] of text.split(isCode ? MARKED : HIDING).entries()) {
    if (index % 2 === 0) {
      if (piece) parent.appendChild(new Text(piece));
      continue;
    }
    const mark = element('span', 'mark', piece);
    mark.setAttribute('part', 'code-point');
    mark.dataset['code'] = codeOf(piece);
    parent.appendChild(mark);
  }
}

/** A line of code as a text that hides nothing. */
export function asSeen(text: string): string {
  return text
    .split(MARKED)
    .map((piece, index) => (index % 2 === 0 ? piece : `⟨${codeOf(piece)}⟩`))
    .join('');
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  text = '',
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** A button that says what it does, in words or, where it shows a picture only, by its name. */
export function button(
  className: string,
  text: string,
  pressed: (event: MouseEvent) => void,
): HTMLButtonElement {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', pressed);
  return made;
}

/** What can be scrolled is reached by keys, and has a name. */
export function scroller(className: string, name: string): HTMLPreElement {
  const made = element('pre', className);
  made.dir = 'ltr';
  made.tabIndex = 0;
  made.setAttribute('role', 'group');
  made.ariaLabel = name;
  return made;
}
