/**
 * The clipboard, with formatted text where it takes that; where there is none, as on pages without https, through the copy
 * command. All that copies by a button copies by this, which comes with what draws Markdown.
 */

export interface Copied {
  readonly text: string;
  /** The same, formatted. */
  readonly html?: string;
}

/** Whether it is there now. Called from a click, before anything is waited for: browsers ask for that. */
export async function copy(copied: Copied): Promise<boolean> {
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  try {
    if (!clipboard) return copyByCommand(copied);
    if (copied.html !== undefined && typeof ClipboardItem === 'function' && 'write' in clipboard)
      await clipboard.write([new ClipboardItem(formats(copied.text, copied.html))]);
    else await clipboard.writeText(copied.text);
    return true;
  } catch {
    // Refused, as in a frame without leave; the older command may still be allowed.
    return copyByCommand(copied);
  }
}

const formats = (text: string, html: string) => ({
  'text/plain': new Blob([text], {type: 'text/plain'}),
  'text/html': new Blob([html], {type: 'text/html'}),
});

function copyByCommand({text, html}: Copied): boolean {
  let isSet = false;
  const put = (event: ClipboardEvent) => {
    if (!event.clipboardData) return;
    event.clipboardData.setData('text/plain', text);
    if (html !== undefined) event.clipboardData.setData('text/html', html);
    event.preventDefault();
    event.stopImmediatePropagation();
    isSet = true;
  };
  addEventListener('copy', put, true);
  try {
    // Old, and all there is on a page without https.
    return document.execCommand('copy') && isSet;
  } finally {
    removeEventListener('copy', put, true);
  }
}
