/** A tree as HTML, by the letter of the specifications: for exports, and for their own examples. */
import {noteId, textOf, type MarkdownElement, type MarkdownNode} from './node.js';

const ESCAPES: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};

/** What the writer decides where a page may want another. */
export interface HtmlOptions {
  /** The address to write for a link or image; null leaves it out. */
  address?(address: string): string | null;
  /** Raw HTML as it is; else as text. */
  rawHtml?: boolean;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}

export function toHtml(nodes: readonly MarkdownNode[], options: HtmlOptions = {}): string {
  return nodes
    .map((node) => (typeof node === 'string' ? escapeHtml(node) : elementHtml(node, options)))
    .join('');
}

function elementHtml(node: MarkdownElement, options: HtmlOptions): string {
  const {tag, attributes, children} = node;
  const inside = () => toHtml(children, options);
  const address = (of: string) => {
    const kept = options.address ? options.address(of) : encodeAddress(of);
    return kept === null ? null : escapeHtml(kept);
  };
  const title = attributes.title === undefined ? '' : ` title="${escapeHtml(attributes.title)}"`;
  switch (tag) {
    case 'hr':
      return '<hr />\n';
    case 'br':
      return '<br />\n';
    case 'pre': {
      const language = attributes.info?.split(/\s/)[0];
      return `<pre><code${language ? ` class="language-${escapeHtml(language)}"` : ''}>${inside()}</code></pre>\n`;
    }
    case 'a': {
      const href = attributes.href === undefined ? null : address(attributes.href);
      return href === null ? inside() : `<a href="${href}"${title}>${inside()}</a>`;
    }
    case 'img': {
      const src = address(attributes.src ?? '');
      const alt = escapeHtml(attributes.alt ?? '');
      return src === null ? alt : `<img src="${src}" alt="${alt}"${title} />`;
    }
    case 'input':
      return `<input type="checkbox" disabled=""${attributes.checked ? ' checked=""' : ''} />`;
    case 'html':
      return options.rawHtml ? textOf(children) : escapeHtml(textOf(children));
    case 'math':
      return inside();
    case 'table':
      return tableHtml(children, options);
    case 'th':
    case 'td':
      return `<${tag}${attributes.align ? ` align="${attributes.align}"` : ''}>${inside()}</${tag}>\n`;
    case 'note-reference': {
      const id = noteId(attributes);
      return `<sup><a href="#note-${id}" id="note-${id}:${attributes.use}">${attributes.number}</a></sup>`;
    }
    case 'notes':
      return `<section class="footnotes"><ol>\n${inside()}</ol></section>\n`;
    case 'note':
      return `<li id="note-${noteId(attributes)}">\n${inside()}</li>\n`;
    case 'ol':
    case 'ul':
      return `<${tag}${attributes.start === undefined ? '' : ` start="${attributes.start}"`}>\n${inside()}</${tag}>\n`;
    case 'em':
    case 'strong':
    case 'del':
    case 'code':
      return `<${tag}>${inside()}</${tag}>`;
    default:
      return `<${tag}>${inside()}</${tag}>\n`;
  }
}

function tableHtml([head, ...body]: readonly MarkdownNode[], options: HtmlOptions): string {
  const rows = body.length > 0 ? `<tbody>\n${toHtml(body, options)}</tbody>\n` : '';
  return `<table>\n<thead>\n${toHtml(head === undefined ? [] : [head], options)}</thead>\n${rows}</table>\n`;
}

/** As in the examples of the specification: what is no part of an address in its code, what is coded already as it is. */
function encodeAddress(address: string): string {
  return address.replace(/%(?![\da-fA-F]{2})|[^\w\-.!~*'();/?:@&=+$,#%]/gu, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '%EF%BF%BD';
    }
  });
}
