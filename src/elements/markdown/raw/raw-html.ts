/** Reads raw HTML for hosts that let it through; a chunk of its own, loaded when a text first holds some. */
import {HtmlBlocks} from './html-blocks.js';
import {decode, elementOf} from './sanitizer.js';

export {elementOf};

export const htmlBlocks = () => new HtmlBlocks(decode);
