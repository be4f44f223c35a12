/** Streaming Markdown: pieces in, stable blocks out (CommonMark 0.31 with the tables, tasks, strikethrough, addresses and footnotes of GFM, and formulas for who asks for them). */
export type {EntityTable} from './characters.js';
export {MarkdownStream, parseMarkdown, type MarkdownOptions, type Mended} from './markdown-stream.js';
export {
  noteId,
  texOf,
  textOf,
  type MarkdownAttributes,
  type MarkdownElement,
  type MarkdownNode,
  type MarkdownTag,
} from './node.js';
export {escapeHtml, toHtml, type HtmlOptions} from './to-html.js';
