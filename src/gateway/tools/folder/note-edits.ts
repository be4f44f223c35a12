/** Note edits: replacements that fit exactly or not at all, and what they changed as a unified diff. */
import {createTwoFilesPatch, OMIT_HEADERS} from 'diff';
import {ToolError} from '../tool-error.js';
import {plainEnds, type Replacement} from './note-text.js';

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** What edits replace, in order. A `conflict` when one does not fit; the caller knows the current text. */
export function editReplacements(markdown: string, edits: readonly TextEdit[]): readonly Replacement[] {
  let text = markdown;
  return edits.map((edit, index) => {
    const replacement = editReplacement(text, edit, index + 1);
    text = text.slice(0, replacement.start) + replacement.text + text.slice(replacement.end);
    return replacement;
  });
}

function editReplacement(text: string, {oldText, newText}: TextEdit, number: number): Replacement {
  const at = oldText === '' ? -1 : text.indexOf(oldText);
  if (at === -1) throw new ToolError('conflict', `The oldText of edit ${number} does not stand in the note.`);
  if (text.includes(oldText, at + 1)) {
    throw new ToolError(
      'conflict',
      `The oldText of edit ${number} stands there more than once. Give more of it.`,
    );
  }
  return {start: at, end: at + oldText.length, text: plainEnds(newText)};
}

/** What changed, as `diff -u` says it; null as `before` for a new file. */
export function noteDiff(path: string, before: string | null, after: string): string {
  // The package's own header writes names as Git does, other scripts than Latin in escapes; readers want the name.
  const head = `--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ b/${path}\n`;
  const options = {context: 3, timeout: 500, headerOptions: OMIT_HEADERS};
  const hunks = createTwoFilesPatch('', '', before ?? '', after, undefined, undefined, options);
  // Two long texts with nothing in common take too long to compare: then everything changed.
  return head + (hunks ?? replacedWhole(before ?? '', after));
}

function replacedWhole(before: string, after: string): string {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, '').split('\n')) as [
    string[],
    string[],
  ];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return `@@ -1,${old.length} +1,${now.length} @@\n${lines.join('\n')}\n`;
}
