/** Loads what reads raw HTML, once for all texts. */
import type * as rawHtml from './raw/raw-html.js';

let loaded: typeof rawHtml | null = null;
let loading: Promise<void> | null = null;
/** True where the page allows no such reading, or it did not come: the tags stay text. */
let failed = false;

export const loadedRawHtml = () => loaded;

export const rawHtmlFailed = () => failed;

/** Comes to its end as soon as it is known how raw HTML is shown. */
export function loadRawHtml(): Promise<void> {
  return (loading ??= import('./raw/raw-html.js').then(
    (module) => {
      loaded = module;
    },
    () => {
      failed = true;
    },
  ));
}
