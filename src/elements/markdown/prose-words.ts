/** The words around Markdown. They come with what draws it; a page gives its own as `strings.prose`. */
import type {ProseWords} from './prose-host.js';

export const proseWords: ProseWords = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Could not copy',
  copyAs: (format: string) => `Copy as ${format}`,
  wrap: 'Wrap',
  code: 'Code',
  table: 'Table',
  formula: 'Formula',
  toDo: 'To do',
  done: 'Done',
  notes: 'Footnotes',
  toText: 'Back to the text',
  showImage: (from: string) => `Show image from ${from}`,
};
