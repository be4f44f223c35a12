/** Addresses that become links without any mark (GFM 0.29, section 6.9). */
import {element, type MarkdownElement, type MarkdownNode} from './node.js';

const ADDRESS = /(?:https?:\/\/|ftp:\/\/|www\.)[^\s<]+/giy;
const START = /(?:https?:\/\/|ftp:\/\/|www\.)|@/gi;
const MAIL_NAME = /[\w.+-]{1,254}$/;
const MAIL_HOST = /@([\w-]{1,63}(?:\.[\w-]{1,63}){1,20})/y;
const START_AT = /https?:\/\/|ftp:\/\/|www\./iy;
const DOMAIN = /[\p{L}\p{N}_.-]{1,253}/uy;
const TRAILING = /[?!.,:*_~'"]/;
const ENTITY = /&[A-Za-z\d]{1,32};$/;
/** What may stand before `www.`; a scheme may stand behind all but letters. */
const BEFORE = /[\s*_~(]/;

interface Found {
  readonly link: MarkdownElement;
  /** Where the address begins, unless at the place that was asked for. */
  readonly begin?: number;
  readonly length: number;
}

/** The address that begins at this place; null where none does. */
export function addressAt(text: string, index: number): Found | null {
  START_AT.lastIndex = index;
  const begun = START_AT.exec(text);
  if (!begun) return null;
  const before = text[index - 1] ?? ' ';
  const isBare = /^www/i.test(begun[0]);
  if (isBare ? !BEFORE.test(before) : /[A-Za-z]/.test(before)) return null;
  // Before the rest is looked at: a text may be full of beginnings.
  DOMAIN.lastIndex = isBare ? index : index + begun[0].length;
  const domain = DOMAIN.exec(text)?.[0];
  if (!domain || !isDomain(domain.replace(/[.]+$/, ''), isBare)) return null;
  ADDRESS.lastIndex = index;
  const address = trimmed(ADDRESS.exec(text)?.[0] ?? '');
  if (address.length <= begun[0].length) return null;
  const href = isBare ? `http://${address}` : address;
  return {link: element('a', [address], {href}), length: address.length};
}

/** The text with the addresses in it as links. */
export function linked(text: string): readonly MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let from = 0;
  START.lastIndex = 0;
  for (let match = START.exec(text); match; match = START.exec(text)) {
    const {index} = match;
    const found = match[0] === '@' ? mailAround(text, index, from) : addressAt(text, index);
    if (!found) continue;
    const {begin = index} = found;
    if (begin > from) nodes.push(text.slice(from, begin));
    nodes.push(found.link);
    START.lastIndex = from = begin + found.length;
  }
  if (nodes.length === 0) return [text];
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

function mailAround(text: string, at: number, from: number): Found | null {
  const name = MAIL_NAME.exec(text.slice(Math.max(from, at - 255), at))?.[0];
  MAIL_HOST.lastIndex = at;
  const host = MAIL_HOST.exec(text)?.[0];
  if (!name || !host || /[-_]$/.test(host) || text[at - name.length - 1] === '/') return null;
  const address = name + host;
  return {
    link: element('a', [address], {href: `mailto:${address}`}),
    begin: at - name.length,
    length: address.length,
  };
}

/** A sentence's own marks, a parenthesis that was open before, and an entity do not belong to the address. */
function trimmed(address: string): string {
  let end = address.length;
  let extra = count(address, ')') - count(address, '(');
  for (;;) {
    const last = address[end - 1] ?? '';
    const entity = last === ';' ? ENTITY.exec(address.slice(Math.max(0, end - 34), end)) : null;
    if (entity) end -= entity[0].length;
    else if (last === ')' && extra-- > 0) end--;
    else if (TRAILING.test(last)) end--;
    else return address.slice(0, end);
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function isDomain(domain: string, www: boolean): boolean {
  const labels = domain.replace(/\.$/, '').split('.');
  return (!www || labels.length > 1) && labels.slice(-2).every((label) => !label.includes('_'));
}
