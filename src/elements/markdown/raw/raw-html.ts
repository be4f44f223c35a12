/** Reads raw HTML for hosts that let it through; a chunk of its own, loaded when a text first holds some. */
import {HtmlBlocks} from './html-blocks.js';
import {htmlTokens} from './html-tokens.js';
import {decode, elementOf} from './sanitizer.js';

export {elementOf};

/** The parser says what it takes for a tag: to import that from it would take the parser's chunk apart. */
export const htmlBlocks = (tag: string) => new HtmlBlocks({decode, tokens: htmlTokens(tag)});
