/** The directive that keeps an element equal to a growing text: as it was written until Markdown can be drawn, then as that. */
import type {ElementPart} from 'lit';
import {noChange} from 'lit';
import {directive, Directive} from 'lit/directive.js';
import {GrowingText} from '../anchor/index.js';
import {TextDigest} from '../scene/text-digest.js';
import {report} from '../session/index.js';
import {loadedMarkdown, loadMarkdown} from './load-markdown.js';
import type {MarkdownView} from './markdown/markdown-view.js';
import type {ProseChoices} from './markdown/prose-host.js';

/** What was handed to an element to draw, and what draws it. */
const drawings = new WeakMap<Element, Growing>();

/** The text an element shows, by length and hash; null for an element that draws none. */
export function drawnText(element: Element): string | null {
  return drawings.get(element)?.shown() ?? null;
}

/** Draws more of the text that an element shows. False where that takes more than to add to it. */
export function drawMore(element: Element, text: GrowingText): boolean {
  return drawings.get(element)?.more(element, text) ?? false;
}

class Growing extends Directive {
  #seen = GrowingText.empty;
  #finished = false;
  #host: ProseChoices | undefined;
  /** True for a text that could not be drawn. */
  #failed = false;
  #digest = new TextDigest();
  #view: MarkdownView | null = null;
  /** The text as it was written. */
  #plain: Text | null = null;

  render(_text: GrowingText, _finished: boolean, _host: ProseChoices) {
    return noChange;
  }

  override update({element}: ElementPart, [text, finished, host]: [GrowingText, boolean, ProseChoices]) {
    drawings.set(element, this);
    this.#show(element, text, finished, host);
    return noChange;
  }

  more(element: Element, text: GrowingText): boolean {
    if (!this.#view || this.#finished || !text.extends(this.#seen)) return false;
    this.#show(element, text, false, this.#host!);
    return true;
  }

  #show(element: Element, text: GrowingText, finished: boolean, host: ProseChoices) {
    const seen = this.#seen;
    const markdown = loadedMarkdown();
    this.#seen = text;
    this.#finished = finished;
    this.#host = host;
    try {
      this.#draw(element, seen, markdown, host);
    } catch (cause) {
      // A text that cannot be drawn can be read, and stops nothing else.
      this.#failed = true;
      this.#view = null;
      element.replaceChildren();
      this.#asWritten(element, host);
      report(cause);
    }
  }

  #draw(
    element: Element,
    seen: GrowingText,
    markdown: ReturnType<typeof loadedMarkdown>,
    host: ProseChoices,
  ) {
    const text = this.#seen;
    if (!markdown || this.#failed) this.#asWritten(element, host);
    else if (!this.#view) {
      this.#plain?.remove();
      this.#plain = null;
      this.#view = new markdown.MarkdownView(element, host);
      this.#digest = new TextDigest();
      this.#add(this.#view, text.toString());
    } else if (text.extends(seen)) {
      if (text !== seen) this.#add(this.#view, text.since(seen.length));
    } else {
      this.#digest = new TextDigest();
      this.#digest.add(text.toString());
      this.#view.replace(text.toString());
    }
    if (this.#finished) this.#view?.end(text);
  }

  /** What stands on the screen, with what waited to be drawn. */
  shown(): string {
    this.#view?.flush();
    return this.#digest.toString();
  }

  #add(view: MarkdownView, piece: string) {
    this.#digest.add(piece);
    view.write(piece);
  }

  #asWritten(element: Element, host: ProseChoices) {
    const text = this.#seen.toString();
    this.#digest = new TextDigest();
    this.#digest.add(text);
    if (this.#plain) {
      if (text.startsWith(this.#plain.data)) this.#plain.appendData(text.slice(this.#plain.length));
      else this.#plain.data = text;
      return;
    }
    element.append((this.#plain = new Text(text)));
    if (this.#failed) return;
    loadMarkdown().then(
      () => {
        if (!this.#plain) return;
        this.update({element} as ElementPart, [this.#seen, this.#finished, host]);
      },
      // It stays as it was written, which can be read; the next text tries again.
      () => element.toggleAttribute('data-plain', true),
    );
  }
}

/** In an element's tag: `<div ${growing(text, finished, host)}></div>`. Takes only the pieces added since it last looked. */
export const growing = directive(Growing);
