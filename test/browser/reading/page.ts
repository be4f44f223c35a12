/** What the reading tests share: a page with a transcript, looked at and used as a reader does. */
import '../../../src/define.js';
import type {HermesTranscript} from '../../../src/index.js';
import type {TurnAnchor} from '../../../src/anchor/index.js';
import {loadControlRow} from '../../../src/elements/lazy-control-row.js';
import {loadMarkdown} from '../../../src/elements/load-markdown.js';
import {mountStory, Story} from './story.js';

export {keys} from '../keys.js';

const mounted: Element[] = [];

// What keys go by from turn to turn is in there.
before(() =>
  Promise.all([loadMarkdown(), loadControlRow(), import('../../../src/elements/export/actions.js')]),
);

afterEach(() => {
  getSelection()?.removeAllRanges();
  for (const element of mounted.splice(0)) element.remove();
  document.documentElement.scrollTop = 0;
});

/** Puts something into the page until the test is over. */
export function place<T extends Element>(element: T, parent: Element = document.body): T {
  parent.append(element);
  mounted.push(element);
  return element;
}

/** A transcript of these turns, 200 px high unless the page is to scroll. */
export async function read(
  turns: TurnAnchor[],
  {mode = 'compact-worklog', height = '200px', parent = document.body} = {},
) {
  const story = new Story({turns});
  const element = mountStory(story, mode);
  element.style.blockSize = height;
  place(element, parent);
  await drawn();
  return {story, element};
}

/** After what is on its way has been drawn and scrolled. */
export async function drawn(frames = 3): Promise<void> {
  for (let frame = 0; frame < frames; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}

/** Draws until it is so; the test's own timeout says when it never is. */
export async function until(isSo: () => unknown): Promise<void> {
  while (!isSo()) await drawn(1);
}

export const root = (element: Element) => element.shadowRoot as ShadowRoot;
export const turnsOf = (element: Element) => [...root(element).querySelectorAll<HTMLElement>('[part=turn]')];
export const row = (element: Element, id: string, turn = 0) =>
  turnsOf(element)[turn]!.querySelector<HTMLElement>(`[data-item-id="${id}"]`)!;
export const press = (element: Element, id: string, turn = 0) =>
  row(element, id, turn).querySelector<HTMLElement>('[aria-expanded]')!.click();
export const top = (element: Element) => Math.round(element.getBoundingClientRect().top);
/** Whole pixels are all that some engines scroll by. */
export const isNear = (a: number, b: number) => Math.abs(a - b) <= 1;
export const back = (element: Element) =>
  root(element).querySelector<HTMLButtonElement>('[part=follow-button]')!;
export const atEnd = (element: Element) =>
  element.scrollHeight - element.scrollTop - element.clientHeight < 2;

/** What is selected, as the engine tells it of a shadow root. */
export function selected(element: HermesTranscript): AbstractRange | null {
  const selection = getSelection()!;
  return (
    selection.getComposedRanges?.({shadowRoots: [root(element)]})[0] ??
    (selection.rangeCount ? selection.getRangeAt(0) : null)
  );
}
