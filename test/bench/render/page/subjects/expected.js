/** What the markdown says, line by line without white space, and in how many blocks that may have a header of their own. */
/* global DOMParser */
import {marked} from 'marked';

export function expected(markdown) {
  const {body} = new DOMParser().parseFromString(marked.parse(markdown), 'text/html');
  const pieces = body.textContent
    .split('\n')
    .map((line) => line.replace(/\s+/g, ''))
    .filter((line) => line !== '');
  return {pieces, blocks: body.querySelectorAll('pre, table').length};
}
