/** Outputs that are more than text: pictures that bring their bytes, addresses, which are only links, and what is only told of. */
import {blockParts, contentParts, type ContentPart} from '../../scene/tool-content.js';
import type {ProseChoices} from '../markdown/prose-host.js';
import {loadedMarkdown} from '../load-markdown.js';
import {safeUrl} from '../safe-url.js';
import type {Draw, Drawing, SectionFacts} from './section.js';
import {drawText, link} from './text-section.js';
import {appendVisibly, button, element} from './visible-text.js';
import type {ToolBodyWords} from './words.js';

export const drawContent: Draw = (box, facts, words) => new ContentDrawing(box, facts, words);

class ContentDrawing implements Drawing {
  readonly #box: HTMLElement;
  readonly #words: ToolBodyWords;
  /** What stands there, each in an element of its own. */
  readonly #drawn: {readonly part: ContentPart; readonly element: HTMLElement}[] = [];
  #facts: SectionFacts | undefined;

  constructor(box: HTMLElement, facts: SectionFacts, words: ToolBodyWords) {
    this.#box = box;
    this.#words = words;
    this.update(facts);
  }

  /** An event repeats all that came before: what it says again stays as it is, with the reader's selection. */
  update(facts: SectionFacts): boolean {
    this.#facts = facts;
    const parts = partsOf(facts);
    let same = 0;
    while (same < this.#drawn.length && isSame(this.#drawn[same]!.part, parts[same])) same++;
    for (const {element: gone} of this.#drawn.splice(same)) gone.remove();
    for (const part of parts.slice(same)) {
      const made = element('div', 'part');
      this.#box.append(made);
      drawPart(made, part, facts, this.#words);
      this.#drawn.push({part, element: made});
    }
    return true;
  }

  /** Of blocks, what can be pasted somewhere as text. */
  copied(): string {
    const {content, text} = this.#facts!;
    return content ? this.#drawn.map(({part}) => plain(part, this.#words)).join('\n') : text;
  }
}

function partsOf({content, text}: SectionFacts): readonly ContentPart[] {
  return content ? blockParts(content, text) : (contentParts(text) ?? []);
}

function plain(part: ContentPart, words: ToolBodyWords): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'other') return words.notShown(part);
  return part.type === 'link' ? part.uri : part.source;
}

function isSame(part: ContentPart, other: ContentPart | undefined): boolean {
  const [before, after] = [part, other ?? {}].map((one) => Object.entries(one));
  return before!.length === after!.length && before!.every(([, value], index) => value === after![index]![1]);
}

function drawPart(box: HTMLElement, part: ContentPart, facts: SectionFacts, words: ToolBodyWords) {
  switch (part.type) {
    case 'text':
      drawText(box, {...facts, kind: 'text', text: part.text}, words);
      break;
    case 'image':
      box.append(picture(part.source, part.name, words));
      break;
    case 'link':
      drawLink(box, part, facts.prose, words);
      break;
    case 'other':
      appendVisibly(box.appendChild(element('p', 'no-picture')), words.notShown(part), true);
      break;
  }
}

/** A page whose policy has no `img-src` for it says so in words, where the picture would be. */
function picture(source: string, name: string | null, words: ToolBodyWords): Element {
  const image = element('img');
  image.alt = name ?? words.picture;
  image.decoding = 'async';
  image.referrerPolicy = 'no-referrer';
  image.addEventListener('error', () => image.replaceWith(element('p', 'no-picture', words.noPicture)), {
    once: true,
  });
  image.src = source;
  return image;
}

/** A picture elsewhere is a link, and is shown as the page allows pictures in prose: at once, when asked for, or never. */
function drawLink(
  box: HTMLElement,
  part: Extract<ContentPart, {type: 'link'}>,
  prose: ProseChoices | undefined,
  words: ToolBodyWords,
) {
  box.append(address(part));
  const host = part.isImage && prose && loadedMarkdown()?.proseHost(prose);
  const found = host && host.image(part.uri);
  if (!found) return;
  const drawn = () => picture(found.src, part.name, words);
  if (found.shown) {
    box.append(drawn());
    return;
  }
  const show = button('show-picture', host.words.showImage(new URL(found.src).host), () =>
    show.replaceWith(drawn()),
  );
  box.append(show);
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
