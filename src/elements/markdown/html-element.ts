/** The element of a tag of raw HTML, under the same rules as those that Markdown writes. */
import {image} from './image.js';
import type {ProseHost} from './prose-host.js';
import {loadedRawHtml} from './raw-html.js';

/** Without content. The tag is one that was read, or empty for a group of blocks. */
export function htmlElement(opening: string, host: ProseHost): HTMLElement {
  if (opening === '') {
    const group = document.createElement('div');
    group.className = 'raw';
    return group;
  }
  const sanitized = loadedRawHtml()?.elementOf(opening);
  if (!sanitized) return document.createElement('span');
  if (sanitized.localName === 'img') return picture(sanitized, host);
  // Not the element itself, nor into this document with an address that it would load: those are images alone.
  const element = document.importNode(sanitized) as HTMLElement;
  if (element instanceof HTMLAnchorElement) link(element, host);
  return element;
}

function picture(sanitized: Element, host: ProseHost): HTMLElement {
  const said = (name: string) => sanitized.getAttribute(name) ?? '';
  const title = said('title');
  return image({src: said('src'), alt: said('alt'), ...(title && {title})}, host, {
    width: said('width'),
    height: said('height'),
  });
}

function link(element: HTMLAnchorElement, host: ProseHost) {
  const written = element.getAttribute('href');
  const address = written === null ? null : host.address(written);
  if (address === null) element.removeAttribute('href');
  else Object.assign(element, linkTo(address));
}

/** What any link out of a text says. */
export const linkTo = (address: string) => ({
  href: address,
  target: '_blank',
  rel: 'noopener noreferrer nofollow ugc',
});
