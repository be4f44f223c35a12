/** Loads what draws Markdown, once for all elements. Until it is here, text stands as it was written. */
import type * as markdown from './markdown/markdown-view.js';

type Markdown = typeof markdown;

let loaded: Markdown | null = null;
let loading: Promise<Markdown> | null = null;

/** What draws Markdown, if it is here already. */
export function loadedMarkdown(): Markdown | null {
  return loaded;
}

/** Loads it. A failure may be tried again. */
export function loadMarkdown(): Promise<Markdown> {
  loading ??= import('./markdown/markdown-view.js').then(
    (module) => (loaded = module),
    (cause: unknown) => {
      loading = null;
      throw cause;
    },
  );
  return loading;
}
