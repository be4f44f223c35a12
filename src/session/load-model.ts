/** Loads the folding part once for all sessions. */
import type * as model from './model.js';

export type Model = typeof model;

let loaded: Model | null = null;
let loading: Promise<Model> | null = null;

/** The folding part, if it is here already. */
export function loadedModel(): Model | null {
  return loaded;
}

/** Loads the folding part. A page may call it early; sessions do so by themselves. A failure may be tried again. */
export function loadModel(): Promise<Model> {
  loading ??= import('./model.js').then(
    (module) => (loaded = module),
    (cause: unknown) => {
      loading = null;
      throw cause;
    },
  );
  return loading;
}
