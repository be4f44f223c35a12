/** Loads what draws Markdown, once for all elements. Until it is here, text stands as it was written. */
import {Lazy} from '../session/index.js';
import type * as markdown from './markdown/markdown-view.js';

const lazy = new Lazy<typeof markdown>(() => import('./markdown/markdown-view.js'));

/** What draws Markdown, if it is here already. */
export function loadedMarkdown(): typeof markdown | null {
  return lazy.loaded;
}

/** Loads it. A failure may be tried again. */
export function loadMarkdown(): Promise<typeof markdown> {
  return lazy.load();
}
