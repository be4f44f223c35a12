/** A button that copies, and says for a moment whether it did. */
import {copy} from './clipboard.js';
import type {ProseWords} from './prose-host.js';

const SAID_MS = 2000;

export function copyButton(name: string, words: ProseWords, text: () => string): HTMLButtonElement {
  const button = document.createElement('button');
  Object.assign(button, {type: 'button', className: 'copy', textContent: name});
  button.setAttribute('part', 'copy-button');
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', () => {
    void copy({text: text()}).then((isCopied) => {
      button.ariaLive = 'polite';
      button.textContent = isCopied ? words.copied : words.notCopied;
      // Where a page may not copy, its reader may.
      if (!isCopied) selectNear(button);
      clearTimeout(timer);
      timer = setTimeout(() => (button.textContent = name), SAID_MS);
    });
  });
  return button;
}

function selectNear(button: Element) {
  const block = button.closest('figure');
  const content = block?.querySelector('pre, table');
  if (content) getSelection()?.selectAllChildren(content);
}
