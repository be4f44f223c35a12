/**
 * The parser of Markdown. It is loaded with what draws Markdown, whose chunk stands alone, and is here before anything
 * is exported: `loadExport` waits for both.
 */
import {loadedMarkdown} from '../load-markdown.js';

export function markdown() {
  const loaded = loadedMarkdown();
  if (!loaded) throw new Error('The parser of Markdown is not loaded. Call loadMarkdown() first.');
  return loaded;
}

/** Text as HTML, where no Markdown is meant. */
export function escapeHtml(text: string): string {
  return markdown().escapeHtml(text);
}
