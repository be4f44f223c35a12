/** The directive that keeps an element's blocks equal to a growing text. */
import type {ElementPart} from 'lit';
import {noChange} from 'lit';
import {directive, Directive} from 'lit/directive.js';
import {GrowingText} from '../anchor/index.js';
import {BlockWriter} from './block-writer.js';

class Growing extends Directive {
  #seen = GrowingText.empty;
  #writer: BlockWriter | null = null;

  render(_text: GrowingText, _finished: boolean) {
    return noChange;
  }

  override update({element}: ElementPart, [text, finished]: [GrowingText, boolean]) {
    if (this.#writer && text.extends(this.#seen)) {
      if (text !== this.#seen) this.#writer.write(text.since(this.#seen.count));
    } else if (text !== this.#seen) {
      this.#replace(element, text, finished);
    }
    this.#seen = text;
    if (finished) this.#writer?.end();
    return noChange;
  }

  /** Another text, such as the settled one: blocks that say the same stay the same nodes. */
  #replace(element: Element, text: GrowingText, finished: boolean) {
    const fresh = document.createElement('div');
    const writer = new BlockWriter(fresh);
    writer.write(text.toString());
    if (finished) writer.end();
    let kept = 0;
    while (kept < fresh.children.length && same(element.children[kept], fresh.children[kept])) kept++;
    // The writer goes on in its own last block; where the old one stayed there is nothing to go on in.
    this.#writer = fresh.children.length > kept || !kept ? writer : null;
    while (element.children[kept]) element.children[kept]?.remove();
    element.append(...[...fresh.children].slice(kept));
    if (this.#writer) writer.moveTo(element);
  }
}

function same(a: Element | undefined, b: Element | undefined): boolean {
  return a?.localName === b?.localName && a?.textContent === b?.textContent;
}

/** In an element's tag: `<div ${growing(text, finished)}></div>`. Takes only the pieces added since it last looked. */
export const growing = directive(Growing);
