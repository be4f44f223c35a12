/** What a page under a strict policy draws: Markdown whose raw HTML is let through, and nothing else of ours. */
import {loadRawHtml} from '../../../src/elements/markdown/raw-html.js';
import {MarkdownView} from '../../../src/elements/markdown/markdown-view.js';
import {safeUrl} from '../../../src/elements/safe-url.js';

export interface RawHtmlPage extends Window {
  violations: string[];
  /** What ran that must not. */
  ran: unknown[];
  /** Comes to its end once it is known whether HTML is read. */
  ready(): Promise<void>;
  draw(markdown: string, images: string, cut: boolean): HTMLElement;
  /** Draws into an element as pieces come; images ask. */
  view(box: Element, images?: string): MarkdownView;
}

const page = window as unknown as RawHtmlPage;
page.ran = [];
const run = (what: unknown) => void page.ran.push(what);
Object.assign(page, {alert: run, print: run, prompt: run, confirm: run});
page.ready = loadRawHtml;
page.view = (box, images = '') => new MarkdownView(box, {images, html: 'sanitize', address: safeUrl});
page.draw = (markdown, images, cut) => {
  const box = document.createElement('div');
  box.className = 'text';
  document.body.append(box);
  const view = page.view(box, images);
  if (cut) for (const character of markdown) view.write(character);
  else view.write(markdown);
  view.end();
  return box;
};
