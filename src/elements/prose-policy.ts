/** What the page allows in an agent's Markdown. */
import type {Highlight, ProseHost, ProseWords} from './markdown/prose-host.js';
import {loadHighlight} from './load-highlight.js';
import {safeUrl} from './safe-url.js';

/** Images that carry their own data ask nobody. */
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;
const LARGEST_DATA = 2_000_000;

export interface ProsePolicy {
  /** Origins whose images are shown without asking, parted by spaces; `*` for all, `none` for no images at all. */
  readonly images: string | null | undefined;
  /** What raw HTML is: `sanitize` for the elements of harmless tags; else text. */
  readonly html: string | null | undefined;
  /** Colours code in place of the built-in highlighter; null for none. */
  readonly highlight: Highlight | null | undefined;
  /** Draws code of a language in another way once it is whole. */
  readonly figure: ProseHost['figure'] | undefined;
}

let count = 0;

export function proseHost(words: ProseWords, {images, html, highlight, figure}: ProsePolicy): ProseHost {
  // An attribute that was removed is null.
  const allowed = (images ?? '').split(/\s+/).filter(Boolean);
  return {
    words,
    scope: `hermes-${++count}`,
    address: safeUrl,
    image: (address) => {
      if (allowed.includes('none')) return null;
      if (DATA_IMAGE.test(address) && address.length < LARGEST_DATA) return {src: address, shown: true};
      const src = safeUrl(address);
      if (src === null || src.startsWith('mailto:')) return null;
      return {src, shown: allowed.includes('*') || allowed.includes(new URL(src).origin)};
    },
    html: html === 'sanitize',
    highlight: highlight === null ? undefined : (highlight ?? loadHighlight),
    figure,
  };
}
