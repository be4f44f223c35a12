/** Markdown as text without its marks. */
import {toText} from '../../markdown/to-text.js';
import {markdown} from './markdown-here.js';

export function plainText(text: string, math = false): string {
  const {findEntity, parseMarkdown} = markdown();
  return toText(parseMarkdown(text, {entities: findEntity, math}));
}
