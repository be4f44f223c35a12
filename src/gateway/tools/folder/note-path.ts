/** Note paths: which file a note's id names. An id is the path in the folder without `.md`; nothing else gets out. */
import {ToolError} from '../tool-error.js';

const MAX_DEPTH = 8;
// File systems allow 255 bytes a name; `.md` and the name of a temporary file beside it need some.
const MAX_NAME_BYTES = 200;
const MAX_ID_BYTES = 1000;
// Control characters, separators of any system, and what Windows refuses; a name that begins with a dot is hidden.
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u001f\u007f\\/:*?"<>|]|^\.|^\s|[.\s]$|\p{Surrogate}/u;

/** The names a note's id is made of. Refuses everything that could be another place than it says. */
export function namesOf(id: string): readonly string[] {
  const names = id.split('/');
  const fits =
    Buffer.byteLength(id) <= MAX_ID_BYTES &&
    names.length <= MAX_DEPTH &&
    names.every((name) => isNoteName(name));
  if (!fits) throw new ToolError('not-found', 'This is not the id of a note.');
  return names;
}

/** Whether a file or folder of this name (without `.md`) can be a note or hold notes. */
export function isNoteName(name: string): boolean {
  return name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && !forbidden.test(name);
}

/** A file name for a title: readable, in any script, and never another place. */
export function nameForTitle(title: string): string {
  const name = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  // By characters, so that the cut is never inside one; four bytes each at most.
  return [...name].slice(0, 48).join('').replace(/-+$/, '') || 'note';
}
