/** What the body of a tool says, in the lazy chunk that draws it. A page gives its own as `strings.toolBody`. */
import {counted} from '../../scene/index.js';

export type ToolBodyWords = typeof englishToolBody;

export const englishToolBody = {
  command: 'Command',
  copy: (what: string) => `Copy: ${what}`,
  copied: 'Copied',
  notCopied: 'Could not be copied',
  showAll: (lines: number) => (lines > 1 ? `Show all ${lines.toLocaleString('en')} lines` : 'Show all'),
  showText: (length: number) => `Show all ${length.toLocaleString('en')} characters`,
  unchanged: (lines: number) => counted(lines, 'unchanged line'),
  fold: (name: string, size: number) => `${name || 'Everything'}, ${counted(size, 'entry', 'entries')}`,
  created: 'new',
  deleted: 'deleted',
  renamed: (from: string) => `was ${from}`,
  picture: 'Picture from the tool',
  noPicture: 'This page shows no pictures that come with a text.',
};
