/** The tags, comments and texts in a piece of raw HTML. */
import {ALLOWED} from './tag-names.js';

/**
 * What is not read as HTML up to its own end stays whole. An attribute's value has no `<` here, so that a text of tags
 * without end takes linear time.
 */
const TOKEN =
  /<!--(?:-?>|[^]*?(?:--!?>|$))|<(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript|plaintext)(?![\w-])(?:[^]*?<\/\1\s*>|[^]*)|<(\/?)([a-z][\w-]*)(?:[\s/](?:[^<>"']|"[^"<]*"|'[^'<]*')*)?>|[^<]+|</gi;

/** A comment that does not end would take the rest of an answer with it. */
const ENDED = /^<!--(?:-?|[^]*--!?)>$/;

export interface HtmlToken {
  readonly kind: 'opening' | 'closing' | 'text' | 'comment' | 'literal';
  readonly text: string;
  /** Of a tag. */
  readonly name: string;
}

export function* htmlTokens(html: string): Generator<HtmlToken> {
  for (const [text, raw, slash, tag] of html.matchAll(TOKEN)) {
    const name = tag?.toLowerCase() ?? '';
    if (raw !== undefined) yield {kind: 'literal', text, name};
    else if (text.startsWith('<!--')) yield {kind: ENDED.test(text) ? 'comment' : 'literal', text, name};
    else if (tag === undefined) yield {kind: 'text', text, name};
    else if (!ALLOWED.has(name)) yield {kind: 'literal', text, name};
    else yield {kind: slash ? 'closing' : 'opening', text, name};
  }
}

/** Where a tag or comment begins that has not come whole; -1 where none does. */
export function unfinishedAt(text: string): number {
  const comment = text.lastIndexOf('<!--');
  if (comment >= 0 && !text.includes('-->', comment)) return comment;
  const at = text.lastIndexOf('<');
  const begun = at < 0 ? null : /^<(?:!-?|\/?(?:([a-z][a-z\d]*)(\s[^>]*)?\/?)?)$/i.exec(text.slice(at));
  if (!begun) return -1;
  const [, name = '', attributes] = begun;
  const known = name.toLowerCase();
  const isTag =
    attributes === undefined ? [...ALLOWED].some((each) => each.startsWith(known)) : ALLOWED.has(known);
  return isTag ? at : -1;
}
