/** A button that copies, and says so for a moment. */
import type {ProseWords} from './prose-host.js';

const SAID_MS = 2000;

export function copyButton(name: string, words: ProseWords, text: () => string): HTMLButtonElement {
  const button = document.createElement('button');
  Object.assign(button, {type: 'button', className: 'copy', textContent: name});
  button.setAttribute('part', 'copy-button');
  button.addEventListener('click', () => {
    // Without a clipboard (an insecure page, a frame without leave) the text is selected instead.
    const {clipboard} = navigator as Partial<Navigator>;
    const copied = clipboard ? clipboard.writeText(text()) : Promise.reject(new Error('no clipboard'));
    copied.then(
      () => {
        button.textContent = words.copied;
        button.ariaLive = 'polite';
        setTimeout(() => (button.textContent = name), SAID_MS);
      },
      () => selectNear(button),
    );
  });
  return button;
}

function selectNear(button: Element) {
  const block = button.closest('figure');
  const content = block?.querySelector('pre, table');
  if (content) getSelection()?.selectAllChildren(content);
}
