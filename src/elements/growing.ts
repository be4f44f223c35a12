/** The directive that keeps an element's blocks equal to a growing text. */
import type {ElementPart} from 'lit';
import {noChange} from 'lit';
import {directive, Directive} from 'lit/directive.js';
import {GrowingText} from '../anchor/index.js';
import {TextDigest} from '../scene/text-digest.js';
import {BlockWriter} from './block-writer.js';
import {patchBlock} from './patch-block.js';

const digests = new WeakMap<Element, TextDigest>();

/** The text an element was given to draw, by length and hash; null for an element that draws none. */
export function drawnText(element: Element): string | null {
  return digests.get(element)?.toString() ?? null;
}

class Growing extends Directive {
  #seen = GrowingText.empty;
  #digest = new TextDigest();
  #writer: BlockWriter | null = null;

  render(_text: GrowingText, _finished: boolean) {
    return noChange;
  }

  override update({element}: ElementPart, [text, finished]: [GrowingText, boolean]) {
    if (this.#writer && text.extends(this.#seen)) {
      if (text !== this.#seen) this.#write(this.#writer, text.since(this.#seen.count));
    } else if (text !== this.#seen) {
      this.#replace(element, text, finished);
    }
    this.#seen = text;
    if (finished) this.#writer?.end();
    digests.set(element, this.#digest);
    return noChange;
  }

  /** What is told of the screen is what was handed to the writer, so that nothing is read to tell it. */
  #write(writer: BlockWriter, piece: string) {
    this.#digest.add(piece);
    writer.write(piece);
  }

  /** Another text, such as the settled one: what says the same stays the same nodes, up to the first difference. */
  #replace(element: Element, text: GrowingText, finished: boolean) {
    const fresh = document.createElement('div');
    const writer = (this.#writer = new BlockWriter(fresh));
    this.#digest = new TextDigest();
    this.#write(writer, text.toString());
    if (finished) writer.end();
    const [blocks, wanted] = [[...element.children], [...fresh.children]];
    let kept = 0;
    while (kept < wanted.length && same(blocks[kept], wanted[kept])) kept++;
    const [changed, target] = [blocks[kept], wanted[kept]];
    if (changed && target && patchBlock(changed, target)) kept++;
    for (const block of blocks.slice(kept)) block.remove();
    element.append(...wanted.slice(kept));
    // Where the last block is the old one, the writer goes on in that.
    writer.moveTo(element, kept === wanted.length ? blocks[kept - 1] : undefined);
  }
}

function same(a: Element | undefined, b: Element | undefined): boolean {
  return a?.localName === b?.localName && a?.textContent === b?.textContent;
}

/** In an element's tag: `<div ${growing(text, finished)}></div>`. Takes only the pieces added since it last looked. */
export const growing = directive(Growing);
