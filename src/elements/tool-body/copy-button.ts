/** A button that copies a text and says whether it did. */
import {loadedMarkdown} from '../load-markdown.js';
import {button, element} from './visible-text.js';
import type {ToolBodyWords} from './words.js';

const SAID_MS = 2000;

export function copyButton(what: string, words: ToolBodyWords, text: () => string): HTMLButtonElement {
  const made = button('copy', '', () => {
    void copied(text()).then((isCopied) => {
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

/** What copies is loaded with what draws Markdown, beside this. */
async function copied(text: string): Promise<boolean> {
  return (await loadedMarkdown()?.copy({text})) ?? false;
}
