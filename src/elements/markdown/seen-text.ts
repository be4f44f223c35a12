/** Text of code: what would not be seen in it, or turns it around, gets a mark with its code. */

/** Not seen, or not as what they are: controls, zero-width and bidirectional characters, spaces that are none. */
const UNSEEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{DI}]/u;
const EACH = new RegExp(`(${UNSEEN.source})`, 'u');

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

/** The nodes of a text: one, unless something in it is marked. */
export function seenText(text: string): Node[] {
  if (!hasUnseen(text)) return [new Text(text)];
  return text.split(EACH).flatMap((piece, index) => {
    if (piece === '') return [];
    return index % 2 === 0 ? new Text(piece) : marked(piece);
  });
}

function marked(character: string): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'mark';
  mark.setAttribute('part', 'code-point');
  mark.dataset['code'] = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  mark.textContent = character;
  return mark;
}
