/**
 * What is left of a row while it is folded away: its words, for who looks for them. The browser keeps them out of layout,
 * selection and the accessibility tree; its find-in-page asks for them to be opened (`beforematch`). They are plain text of a
 * finished turn: a hidden text that still grew would have to be read whole for each token, and the browser goes through
 * all that it has hidden before it had a style whenever it looks for styles in a turn.
 */
import {nothing} from 'lit';
import {toolKeyArgument, type Row} from '../scene/index.js';

/** Where browsers do not look into what is hidden, there is nothing in it. */
const isFound = typeof document !== 'undefined' && 'onbeforematch' in document;

/** The value of `hidden`. */
export const folded = isFound ? 'until-found' : '';

export function foldedText(row: Row, isOver: boolean): string | typeof nothing {
  if (!isFound || !isOver) return nothing;
  switch (row.type) {
    case 'tool':
      return `${row.tool.name || (row.tool.title ?? '')} ${toolKeyArgument(row.tool) ?? ''}`;
    case 'tool-group':
      return row.words;
    default:
      return 'text' in row ? row.text.toString() : nothing;
  }
}
