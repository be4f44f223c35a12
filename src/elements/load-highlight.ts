/** Colours code with the built-in highlighter, which is loaded when the first line of code is whole. */
import {Lazy} from '../session/index.js';
import type {Highlight} from './markdown/prose-host.js';

const lazy = new Lazy(() => import('./highlight/highlighter.js'));

export const loadHighlight: Highlight = async (language, code) =>
  (await lazy.load()).highlight(language, code);
