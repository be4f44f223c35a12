/** The modules of highlight.js for browsers, which come without types: what of them is used here. */
declare module '@highlightjs/cdn-assets/es/core.min.js' {
  export interface Highlighter {
    newInstance(): Highlighter;
    configure(options: {readonly __emitter: new () => object}): void;
    registerLanguage(name: string, grammar: Grammar): void;
    highlight(
      code: string,
      options: {readonly language: string; readonly ignoreIllegals: boolean},
    ): {readonly _emitter: object};
  }
  export type Grammar = (highlighter: Highlighter) => object;
  const core: Highlighter;
  export default core;
}

declare module '@highlightjs/cdn-assets/es/languages/*' {
  import type {Grammar} from '@highlightjs/cdn-assets/es/core.min.js';
  const grammar: Grammar;
  export default grammar;
}
