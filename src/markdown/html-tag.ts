/** What an opening or a closing tag is (CommonMark 0.31, section 6.6), as the source of a pattern. */

const NAME = String.raw`[A-Za-z][A-Za-z\d-]*`;
const ATTRIBUTE = String.raw`\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>\x60]+|'[^']*'|"[^"]*"))?`;

export const HTML_TAG = String.raw`<(?:${NAME}(?:${ATTRIBUTE})*\s*/?|/${NAME}\s*)>`;
