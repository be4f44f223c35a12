/** The tags, comments and texts in a piece of raw HTML. */
import {ALLOWED, ATTRIBUTES} from './tag-names.js';

/** What is not read as HTML up to its own end stays whole. A tag is what the parser takes for one. */
const tokenOf = (tag: string) =>
  new RegExp(
    [
      String.raw`<!--(?:-?>|[^]*?(?:--!?>|$))`,
      String.raw`<(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript|plaintext)(?![\w-])(?:[^]*?<\/\1\s*>|[^]*)`,
      tag,
      '[^<]+|<',
    ].join('|'),
    'gi',
  );
const NAME = /^<(\/?)([a-z][a-z\d-]*)[^]*>$/i;

/** A comment that does not end would take the rest of an answer with it. */
const ENDED = /^<!--(?:-?|[^]*--!?)>$/;

export interface HtmlToken {
  readonly kind: 'opening' | 'closing' | 'text' | 'comment' | 'literal';
  readonly text: string;
  /** Of a tag. */
  readonly name: string;
}

/** Reads the tokens of a text, where a tag is what this pattern takes for one. */
export function htmlTokens(tag: string): (html: string) => Iterable<HtmlToken> {
  const token = tokenOf(tag);
  return (html) => tokensIn(html, token);
}

function* tokensIn(html: string, token: RegExp): Generator<HtmlToken> {
  for (const [text, raw] of html.matchAll(token)) {
    const [, slash, tag] = NAME.exec(text) ?? [];
    const name = tag?.toLowerCase() ?? '';
    if (raw !== undefined) yield {kind: 'literal', text, name};
    else if (text.startsWith('<!--')) yield {kind: ENDED.test(text) ? 'comment' : 'literal', text, name};
    else if (tag === undefined) yield {kind: 'text', text, name};
    else if (!ALLOWED.has(name)) yield {kind: 'literal', text, name};
    else yield {kind: slash ? 'closing' : 'opening', text, name};
  }
}

/** A tag is looked for so far back, and what stands outside of the values of its attributes is no longer than that. */
const LONGEST = 2000;
const LONGEST_OUTSIDE = 200;

/** The beginning of a tag: its name, attributes that are whole, and one that may not be. */
const BEGUN = new RegExp(
  String.raw`<(?:!-?|/?(?:([a-z][a-z\d]*)((?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>\x60]+|'[^']*'|"[^"]*"))?)*)(\s+(?:[a-z_:][\w.:-]*\s*=\s*(?:"[^"]*|'[^']*)?)?|\s*/)?)?)$`,
  'iy',
);
/** Without end but for what cannot be words: an image that carries its data. */
const DATA = /^<img\s[^<>]{0,200}?src\s*=\s*["']?data:image\/[^\s"'<>]*$/i;
const VALUE = /"[^"]*"?|'[^']*'?/g;
const ATTRIBUTE = /\s([^\s=]+)(?=(\s*=)?)/g;

/** Where a tag or comment begins that has not come whole; -1 where none does. What is so hidden is little. */
export function unfinishedAt(text: string): number {
  const comment = text.lastIndexOf('<!--');
  if (comment >= 0 && !text.includes('-->', comment)) return text.length - comment > LONGEST ? -1 : comment;
  const last = text.lastIndexOf('<');
  if (last >= 0 && DATA.test(text.slice(last))) return last;
  const from = Math.max(0, text.length - LONGEST);
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
    BEGUN.lastIndex = at;
    const begun = BEGUN.exec(text);
    if (begun && isTag(begun)) return at;
  }
  return -1;
}

function isTag([text, name = '', whole = '', begun = '']: RegExpExecArray): boolean {
  const known = name.toLowerCase();
  if (whole === '' && begun === '') return [...ALLOWED].some((each) => each.startsWith(known));
  const outside = text.replace(VALUE, '""');
  return ALLOWED.has(known) && outside.length <= LONGEST_OUTSIDE && !saysWords(outside);
}

/** Names without a value that no tag has are words: `i <b and c`. The last may be half a name. */
function saysWords(tag: string): boolean {
  return [...tag.matchAll(ATTRIBUTE)].some(
    ({0: found, 1: name, 2: value, index}) =>
      value === undefined && index + found.length < tag.length && !ATTRIBUTES.includes(name!.toLowerCase()),
  );
}
