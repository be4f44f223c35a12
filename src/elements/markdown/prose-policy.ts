/** What the page allows in an agent's Markdown, read from what it chose. */
import type {ProseChoices, ProseHost} from './prose-host.js';
import {proseWords} from './prose-words.js';

/** Images that carry their own data ask nobody. */
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;
const LARGEST_DATA = 2_000_000;

let count = 0;

export function proseHost(choices: ProseChoices, grows = () => false): ProseHost {
  const {images, html, highlight, figure, math, address} = choices;
  // An attribute that was removed is null.
  const allowed = (images ?? '').split(/\s+/).filter(Boolean);
  return {
    words: choices.words?.(proseWords) ?? proseWords,
    scope: `hermes-${++count}`,
    address,
    image: (source) => {
      if (allowed.includes('none')) return null;
      if (DATA_IMAGE.test(source) && source.length < LARGEST_DATA) return {src: source, shown: true};
      const src = address(source);
      if (src === null || src.startsWith('mailto:')) return null;
      return {src, shown: allowed.includes('*') || allowed.includes(new URL(src).origin)};
    },
    html: html === 'sanitize',
    highlight: highlight ?? undefined,
    figure,
    math: math ?? undefined,
    grows,
  };
}
