/** The element classes, without registering them; `hermes-elements/define` registers. */
export * from './elements/index.js';
