/** Text of code: what would not be seen in it, or turns it around, gets a mark with its code. */

/** Scripts whose words need joiners. */
const JOINED = String.raw`[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}]`;
/** What belongs to an emoji, or to a word of such a script. */
const NEEDED = String.raw`(?<=[\p{Emoji}\u20E3])\uFE0F|(?<=[\p{ExtPict}\p{EMod}\uFE0F])\u200D(?=\p{ExtPict})|(?<=${JOINED}\p{M}*)[\u200C\u200D](?=${JOINED})`;
/** Not seen, or not as what they are: controls, zero-width and bidirectional characters, spaces that are none. */
const UNSEEN = new RegExp(String.raw`(?![\n\t ]|${NEEDED})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{DI}]`, 'u');
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

/** Puts nodes in the place of what was there, one by one: there may be more than a call takes. */
export function fill(element: Element, nodes: readonly Node[]): void {
  element.replaceChildren();
  for (const node of nodes) element.append(node);
}
