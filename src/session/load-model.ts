/** Loads the folding part once for all sessions. */
import {Lazy} from './lazy.js';
import type * as model from './model.js';

export type Model = typeof model;

const lazy = new Lazy<Model>(() => import('./model.js'));

/** The folding part, if it is here already. */
export function loadedModel(): Model | null {
  return lazy.loaded;
}

/** Loads the folding part. A page may call it early; sessions do so by themselves. A failure may be tried again. */
export function loadModel(): Promise<Model> {
  return lazy.load();
}
