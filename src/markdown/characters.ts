/** Kinds of characters, as CommonMark 0.31 names them (section 2.1), and what stands for a character. */

/** A name of an entity without `&` and `;`, to the characters it stands for; undefined for one that is not known. */
export type EntityTable = (name: string) => string | undefined;

const PUNCTUATION = /[\p{P}\p{S}]/u;
const WHITE = /\s/;
const ESCAPED = /\\([!-/:-@[-`{-~])|&(?:#[xX]([\da-fA-F]{1,6})|#(\d{1,7})|([A-Za-z][A-Za-z\d]{1,31}));/g;

export function isPunctuation(character: string): boolean {
  return PUNCTUATION.test(character);
}

/** Begin and end of the text count as white space. */
export function isWhite(character: string): boolean {
  return character === '' || WHITE.test(character);
}

/** Without the spaces, tabs and line ends around it. Other white space is text (CommonMark 0.31, section 2.1). */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (from < to && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a;
}

/** The character with this number; the replacement character where there is none. */
export function characterAt(code: number): string {
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? '\uFFFD'
    : String.fromCodePoint(code);
}

/** Undoes backslash escapes and entities, as in addresses, titles and the words after a fence. */
export function unescaped(text: string, entities: EntityTable): string {
  if (!text.includes('\\') && !text.includes('&')) return text;
  return text.replace(ESCAPED, (whole, literal?: string, hex?: string, decimal?: string, name?: string) => {
    if (literal !== undefined) return literal;
    if (hex !== undefined) return characterAt(parseInt(hex, 16));
    if (decimal !== undefined) return characterAt(parseInt(decimal, 10));
    return entities(name!) ?? whole;
  });
}
