/** What a call gave back, as HTML that loads nothing from elsewhere. */
import type {ContentPart} from '../../scene/tool-content.js';
import {safeUrl} from '../safe-url.js';
import type {ToolBodyWords} from '../tool-body/words.js';
import {escapeHtml} from './markdown-here.js';
import {code, pre, said} from './turn-html.js';

export function partHtml(part: ContentPart, words: ToolBodyWords): string {
  switch (part.type) {
    case 'text':
      return pre(part.text);
    case 'image':
      return `<p><img src="${escapeHtml(part.source)}" alt="${escapeHtml(part.name ?? words.picture)}"></p>\n`;
    case 'link':
      return linkHtml(part);
    case 'other':
      return `<p>${said(words.notShown(part))}</p>\n`;
  }
}

/** Also where it is said to be a picture: who opens this has not been asked whether its server may know. */
function linkHtml({uri, name, text}: Extract<ContentPart, {type: 'link'}>): string {
  const href = safeUrl(uri);
  const shown = name === null ? code(uri) : said(name);
  const address = name === null || name === uri ? '' : ` ${code(uri)}`;
  const link =
    href === null
      ? shown
      : `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow ugc">${shown}</a>`;
  return `<p>${link}${address}${text ? `<br>\n${said(text)}` : ''}</p>\n`;
}
