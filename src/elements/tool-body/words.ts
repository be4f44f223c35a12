/** What the body of a tool says, in the lazy chunk that draws it. A page gives its own as `strings.toolBody`. */
import {counted} from '../../scene/index.js';
import type {ContentPart} from '../../scene/tool-content.js';
import {numeral} from '../language.js';

export type ToolBodyWords = ReturnType<typeof englishToolBody>;

/** Numbers are written as in that language. */
export const englishToolBody = (language?: string) => ({
  command: 'Command',
  copy: (what: string) => `Copy: ${what}`,
  copied: 'Copied',
  notCopied: 'Could not be copied',
  showAll: (lines: number) => (lines > 1 ? `Show all ${numeral(lines, language)} lines` : 'Show all'),
  showText: (length: number) => `Show all ${numeral(length, language)} characters`,
  unchanged: (lines: number) => counted(lines, 'unchanged line'),
  fold: (name: string, size: number) => `${name || 'Everything'}, ${counted(size, 'entry', 'entries')}`,
  created: 'new',
  deleted: 'deleted',
  renamed: (from: string) => `was ${from}`,
  picture: 'Picture from the tool',
  noPicture: 'The picture cannot be shown on this page.',
  notShown: ({block, mime, name, bytes}: Extract<ContentPart, {type: 'other'}>) =>
    `Not shown here: ${[name, mime ?? (block || 'unknown'), size(bytes, language)].filter(Boolean).join(', ')}`,
});

function size(bytes: number, language?: string): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  const [unit, value] = bytes < 1_000_000 ? ['kB', bytes / 1000] : ['MB', bytes / 1_000_000];
  return `${numeral(value, language)} ${unit}`;
}
