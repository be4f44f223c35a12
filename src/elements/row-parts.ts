/** What several kinds of rows are made of. */
import {html, nothing, type TemplateResult} from 'lit';
import {visibly} from './visibly.js';

/** A picture, what it is about, and one thing more that the layout may cut. */
export function line(picture: TemplateResult, words: string, more?: unknown): TemplateResult {
  return more
    ? html`<span class="line wide"
        >${picture}<b dir="auto">${words}</b><span class="more" dir="auto">${more}</span></span
      >`
    : html`<span class="line">${picture}<b dir="auto">${words}</b></span>`;
}

/**
 * A path whose folders give way before its name does: it runs against its own direction, so that the layout cuts it at its
 * beginning. Folders and name are apart, so that no script of theirs turns them round; copied, they are one text.
 */
export function pathText(path: string): TemplateResult {
  const name = path.search(/[^\\/]*[\\/]*$/);
  return html`<bdi dir="ltr"><bdi>${path.slice(0, name)}</bdi><bdi>${path.slice(name)}</bdi></bdi>`;
}

/** A text in full, under a title. */
export function block(
  title: string,
  text: string,
  draw: (text: string) => unknown = String,
): TemplateResult | typeof nothing {
  return text
    ? html`<small>${title}</small>
        <pre dir="ltr" tabindex="0">${draw(text)}</pre>`
    : nothing;
}

/** A unified diff, its added and removed lines marked. */
export function diffLines(diff: string) {
  return diff.split(/(?<=\n)/).map((text) => {
    const mark = /^\+(?!\+\+ )/.test(text) ? 'add' : /^-(?!-- )/.test(text) ? 'remove' : nothing;
    return html`<span class=${mark}>${visibly(text)}</span>`;
  });
}
