/** What the body of a tool says, in the lazy chunk that draws it. A page gives its own as `strings.toolBody`. */
import {counted} from '../../scene/index.js';
import type {ContentPart} from '../../scene/tool-content.js';

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
  noPicture: 'The picture cannot be shown on this page.',
  notShown: ({block, mime, name, bytes}: Extract<ContentPart, {type: 'other'}>) =>
    `Not shown here: ${[name, mime ?? (block || 'unknown'), size(bytes)].filter(Boolean).join(', ')}`,
};

function size(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  const [unit, value] = bytes < 1_000_000 ? ['kB', bytes / 1000] : ['MB', bytes / 1_000_000];
  return `${value.toLocaleString('en', {maximumFractionDigits: 1})} ${unit}`;
}
