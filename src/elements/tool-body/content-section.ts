/** Outputs that are more than text: pictures that bring their bytes, and addresses, which are only links. */
import {contentParts, type ContentPart} from '../../scene/tool-content.js';
import {safeUrl} from '../safe-url.js';
import type {Draw, SectionFacts} from './section.js';
import {drawText, link} from './text-section.js';
import {appendVisibly, element} from './visible-text.js';
import type {ToolBodyWords} from './words.js';

export const drawContent: Draw = (box, facts, words) => {
  for (const part of contentParts(facts.text) ?? []) drawPart(box, part, facts, words);
  return {update: () => false};
};

function drawPart(box: HTMLElement, part: ContentPart, facts: SectionFacts, words: ToolBodyWords) {
  switch (part.type) {
    case 'text':
      drawText(box, {...facts, kind: 'text', text: part.text}, words);
      break;
    case 'image':
      box.append(picture(part.source, part.name, words));
      break;
    case 'link':
      box.append(address(part));
      break;
  }
}

/** A page whose policy has no `img-src data:` says so in words, where the picture would be. */
function picture(source: string, name: string | null, words: ToolBodyWords): Element {
  const image = element('img');
  image.alt = name ?? words.picture;
  image.decoding = 'async';
  image.addEventListener('error', () => image.replaceWith(element('p', 'no-picture', words.noPicture)), {
    once: true,
  });
  image.src = source;
  return image;
}

function address({uri, name, text}: Extract<ContentPart, {type: 'link'}>): Element {
  const line = element('p', 'address');
  const href = safeUrl(uri);
  const shown = href === null ? element('span') : link(href);
  appendVisibly(shown, name ?? uri, true);
  line.append(shown);
  for (const more of [name === null || name === uri ? null : uri, text]) {
    if (!more) continue;
    const said = element('small');
    appendVisibly(said, more, true);
    line.append(said);
  }
  return line;
}
