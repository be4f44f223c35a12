/** Text of code: what would not be seen in it, or turns it around, gets a mark with its code. */

/** Not seen, or not as what they are: controls, zero-width and bidirectional characters, spaces that are none. */
const UNSEEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{DI}]/gu;
/** What an emoji is made of, and scripts whose words need joiners. */
// Alternatives, as some engines miss a pair of surrogates that a class before `$` should match.
const EMOJI = /(?:\p{Emoji}|\u20E3)$/u;
const PICTURE = /(?:\p{ExtPict}|\p{EMod}|\uFE0F)$/u;
const NEXT_PICTURE = /^\p{ExtPict}/u;
const JOINED =
  /[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{M}]$/u;
/** As much as one character can take. */
const NEAR = 2;

export function hasUnseen(text: string): boolean {
  return marksOf(text).next().done === false;
}

/** The nodes of a text: one, unless something in it is marked. */
export function seenText(text: string): Node[] {
  const nodes: Node[] = [];
  let from = 0;
  for (const {0: character, index} of marksOf(text)) {
    if (index > from) nodes.push(new Text(text.slice(from, index)));
    nodes.push(marked(character));
    from = index + character.length;
  }
  if (from < text.length || nodes.length === 0) nodes.push(new Text(text.slice(from)));
  return nodes;
}

function* marksOf(text: string) {
  for (const match of text.matchAll(UNSEEN)) if (!isNeeded(text, match[0], match.index)) yield match;
}

/** Whether it belongs to an emoji, or to a word of a script that needs it. */
function isNeeded(text: string, character: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - NEAR), at);
  const after = text.slice(at + 1, at + 1 + NEAR);
  switch (character) {
    case '\uFE0F':
      return EMOJI.test(before);
    case '\u200D':
      return (PICTURE.test(before) && NEXT_PICTURE.test(after)) || isJoined(before, after);
    case '\u200C':
      return isJoined(before, after);
    default:
      return false;
  }
}

function isJoined(before: string, after: string): boolean {
  return JOINED.test(before) && JOINED.test(String.fromCodePoint(after.codePointAt(0) ?? 0));
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
