/** Text that asks for trust: what would not be seen in it, turns it around or looks like something else, gets a mark. */
import {html} from 'lit';

/** Not seen, or not as what they are: controls, zero-width and bidirectional characters, spaces that are none. */
const UNSEEN = String.raw`(?![\n\t ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{DI}]`;
/** Forms of ASCII that a shell does not take for it: full width, mathematical letters, other slashes. */
const FORMS = String.raw`[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u2044\u2215\u29F8]`;
/** Letters that look Latin, in a word that has Latin ones. A word is looked at from near, so that a long one costs little. */
const OTHER = String.raw`[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}]`;
const NEAR = String.raw`[\p{L}\p{M}]{0,40}`;
const MIXED = String.raw`(?<=\p{sc=Latn}${NEAR})${OTHER}|${OTHER}(?=${NEAR}\p{sc=Latn})`;

export const MARKED = new RegExp(`(${UNSEEN}|${FORMS}|${MIXED})`, 'u');

/** The text as it is, with the code of each character that could hide what it says. */
export function visibly(text: string): unknown {
  const pieces = text.split(MARKED);
  return pieces.length === 1
    ? text
    : pieces.map((piece, index) =>
        index % 2 === 0
          ? piece
          : html`<span class="mark" part="code-point" data-code=${codeOf(piece)}>${piece}</span>`,
      );
}

export function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
