/** A button that copies a text and says whether it did. */
import {button, element} from './visible-text.js';
import type {ToolBodyWords} from './words.js';

const SAID_MS = 2000;

export function copyButton(what: string, words: ToolBodyWords, text: () => string): HTMLButtonElement {
  const made = button('copy', '', () => {
    void copy(text(), made).then((isCopied) => {
      said.textContent = isCopied ? words.copied : words.notCopied;
      made.dataset['copied'] = String(isCopied);
      clearTimeout(timer);
      timer = setTimeout(() => {
        said.textContent = '';
        delete made.dataset['copied'];
      }, SAID_MS);
    });
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const said = element('span', 'said');
  said.setAttribute('role', 'status');
  made.append(element('span', 'unseen', words.copy(what)), said);
  made.setAttribute('part', 'copy-button');
  return made;
}

/** On pages without a secure context there is no clipboard; a field that is selected can still be copied. */
async function copy(text: string, near: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = element('textarea', 'unseen');
    field.value = text;
    near.after(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    (near as HTMLElement).focus({preventScroll: true});
    return isCopied;
  }
}
