/** Colours code with the built-in highlighter, which is loaded when the first block of code is whole. */
import type {Highlight} from './markdown/prose-host.js';

let loading: Promise<Highlight> | null = null;

export const loadHighlight: Highlight = async (language, code) => {
  loading ??= import('./highlight/highlighter.js').then(
    ({highlight}) => highlight,
    (cause: unknown) => {
      loading = null;
      throw cause;
    },
  );
  return (await loading)(language, code);
};
