/**
 * Nodes of Markdown as nodes of the document, made once and then changed in place: text grows by its new part, an element
 * keeps its place, and what is the same value is not looked at. So a selection in the growing end stays.
 */
import {
  noteId,
  textOf,
  type MarkdownAttributes,
  type MarkdownElement,
  type MarkdownNode,
} from '../../markdown/index.js';
import {codeBlock, patchCode} from './code-block.js';
import {direct} from './direction.js';
import {formulaBox, patchFormula} from './formula.js';
import {image} from './image.js';
import type {ProseHost} from './prose-host.js';
import {htmlElement, linkTo} from './html-element.js';
import {fill, hasUnseen, seenText} from './seen-text.js';
import {patchTable, tableBlock} from './table-block.js';

/** Blocks with a direction of their own. */
const DIRECTED = /^(?:p|h[1-6]|[ou]l|li|blockquote|t[hd]|d[td]|summary)$/;

export class Drawing {
  readonly #host: ProseHost;
  /** True while another text takes the place of one: a block that begins alike may still go the other way. */
  isAnother = false;

  constructor(host: ProseHost) {
    this.#host = host;
  }

  create(node: MarkdownNode): Node {
    return typeof node === 'string' ? new Text(node) : this.#element(node);
  }

  /** Makes `drawn`, which shows `old`, show `next`. */
  patch(drawn: ChildNode, old: MarkdownNode, next: MarkdownNode): void {
    if (old === next) return;
    if (typeof old === 'string' && typeof next === 'string' && drawn instanceof Text)
      return patchText(drawn, old, next);
    // A browser that translates puts nodes of its own in the place of ours.
    const kept = typeof old !== 'string' && typeof next !== 'string' && drawn instanceof HTMLElement;
    if (!kept || !isPatched(old, next)) return drawn.replaceWith(this.create(next));
    const element = drawn;
    if (next.tag === 'pre') return patchCode(element, old, next, this.#host);
    if (next.tag === 'table') return patchTable(element, old, next, this);
    if (next.tag === 'code') return patchInlineCode(element, old, next);
    if (next.tag === 'math') return patchFormula(element, next, this.#host);
    this.#attributes(element, next.tag, old.attributes, next.attributes);
    this.patchChildren(element, old.children, next.children);
    if (isTask(old) !== isTask(next)) element.classList.toggle('task');
    if (DIRECTED.test(element.localName))
      direct(
        element,
        this.isAnother || (old.children[0] !== next.children[0] && beginning(old) !== beginning(next)),
      );
  }

  patchChildren(parent: Element, old: readonly MarkdownNode[], next: readonly MarkdownNode[]): void {
    const {childNodes} = parent;
    const both = Math.min(old.length, next.length);
    for (let index = 0; index < both; index++) {
      // Asked first: a list may have thousands of items, all but the last the same.
      if (old[index] === next[index]) continue;
      const drawn = childNodes[index];
      if (drawn) this.patch(drawn, old[index]!, next[index]!);
      else parent.append(this.create(next[index]!));
    }
    for (let index = old.length; index > next.length; index--) childNodes[index - 1]?.remove();
    for (let index = old.length; index < next.length; index++) parent.append(this.create(next[index]!));
  }

  #element(node: MarkdownElement): Element {
    const {tag, attributes, children} = node;
    switch (tag) {
      case 'pre':
        return codeBlock(node, this.#host);
      case 'table':
        return tableBlock(node, this.#host, this);
      case 'img':
        return image(attributes, this.#host);
      case 'note-reference':
        return noteReference(attributes, this.#host);
      case 'notes':
        return this.#notes(children);
      case 'note':
        return this.#note(node);
      case 'input':
        return checkbox(attributes, this.#host);
      case 'html':
        if (attributes.opening === undefined) return rawHtml(children);
        return this.#filled(htmlElement(attributes.opening, this.#host), children);
      case 'code':
        return inlineCode(children);
      case 'math':
        return formulaBox(node, this.#host);
      default: {
        const element = document.createElement(tag);
        this.#attributes(element, tag, NONE, attributes);
        this.#filled(element, children);
        if (isTask(node)) element.className = 'task';
        return element;
      }
    }
  }

  #filled(element: HTMLElement, children: readonly MarkdownNode[]): HTMLElement {
    for (const child of children) element.append(this.create(child));
    if (DIRECTED.test(element.localName)) direct(element);
    return element;
  }

  #attributes(element: HTMLElement, tag: string, old: MarkdownAttributes, next: MarkdownAttributes) {
    if (old === next) return;
    if (tag === 'a' && old.href !== next.href) {
      const address = next.href === undefined ? null : this.#host.address(next.href);
      if (address === null) element.removeAttribute('href');
      else Object.assign(element, linkTo(address));
    }
    if (old.title !== next.title) element.title = next.title ?? '';
    if (old.start !== next.start) element.setAttribute('start', String(next.start ?? 1));
    if (old.align !== next.align) element.dataset['align'] = next.align ?? '';
  }

  #notes(children: readonly MarkdownNode[]): Element {
    const section = document.createElement('section');
    section.className = 'notes';
    section.ariaLabel = this.#host.words.notes;
    const list = document.createElement('ol');
    for (const child of children) list.append(this.create(child));
    section.append(list);
    return section;
  }

  #note({attributes, children}: MarkdownElement): Element {
    const item = document.createElement('li');
    item.id = idOf(attributes, this.#host);
    for (const child of children) item.append(this.create(child));
    const back = document.createElement('a');
    Object.assign(back, {className: 'back', href: `#${idOf(attributes, this.#host, 1)}`, textContent: '↩'});
    back.addEventListener('click', jump);
    back.ariaLabel = this.#host.words.toText;
    const last = item.lastElementChild;
    (last?.localName === 'p' ? last : item).append(' ', back);
    direct(item);
    return item;
  }
}

const NONE: MarkdownAttributes = {};

/** The first character, as far as it stands in the first text. */
const beginning = ({children: [first]}: MarkdownElement) =>
  typeof first === 'string'
    ? first.slice(0, 1)
    : // Which says nothing of the direction.
      textOf(first && first.tag !== 'math' ? [first] : []).slice(0, 1);

function isTask({tag, children: [first]}: MarkdownElement): boolean {
  return tag === 'li' && typeof first === 'object' && first.tag === 'input';
}

/** What is whole or not there is made anew. */
const WHOLE = new Set(['img', 'note-reference', 'notes', 'note', 'input']);

function isPatched(old: MarkdownElement, next: MarkdownElement): boolean {
  if (old.tag !== next.tag || WHOLE.has(next.tag)) return false;
  return (
    next.tag !== 'html' ||
    (next.attributes.opening !== undefined && next.attributes.opening === old.attributes.opening)
  );
}

function patchText(text: Text, old: string, next: string) {
  if (old === next) return;
  let shared = 0;
  // Not `startsWith`, which engines do a character at a time.
  if (next.slice(0, old.length) === old) shared = old.length;
  else while (shared < old.length && old.charCodeAt(shared) === next.charCodeAt(shared)) shared++;
  // Not `data =`: that would take the selection out of the part that stays.
  if (shared < old.length) text.deleteData(shared, old.length - shared);
  if (shared < next.length) text.appendData(next.slice(shared));
}

function inlineCode(children: readonly MarkdownNode[]): Element {
  const code = document.createElement('code');
  code.dir = 'ltr';
  fill(
    code,
    children.flatMap((child) => seenText(child as string)),
  );
  return code;
}

function patchInlineCode(code: Element, old: MarkdownElement, next: MarkdownElement) {
  const [before = '', after = ''] = [old.children[0], next.children[0]] as string[];
  if (code.firstChild && !hasUnseen(before + after)) patchText(code.firstChild as Text, before, after);
  else fill(code, seenText(after));
}

function rawHtml(children: readonly MarkdownNode[]): Element {
  const text = document.createElement('span');
  text.className = 'html';
  text.append(...(children as string[]));
  return text;
}

function checkbox({checked = false}: MarkdownAttributes, {words}: ProseHost): Element {
  const box = document.createElement('input');
  Object.assign(box, {type: 'checkbox', disabled: true, checked});
  box.ariaLabel = checked ? words.done : words.toDo;
  return box;
}

function noteReference(attributes: MarkdownAttributes, host: ProseHost): Element {
  const raised = document.createElement('sup');
  const link = document.createElement('a');
  Object.assign(link, {
    href: `#${idOf(attributes, host)}`,
    id: idOf(attributes, host, attributes.use),
    textContent: String(attributes.number),
  });
  link.className = 'note';
  link.addEventListener('click', jump);
  raised.append(link);
  return raised;
}

/** The id of a footnote, or of one of its uses. */
function idOf(attributes: MarkdownAttributes, {scope}: ProseHost, use?: number): string {
  const id = `${scope}-note-${noteId(attributes)}`;
  return use === undefined ? id : `${id}:${use}`;
}

/** Addresses find nothing in a shadow root, and are the page's own: a footnote is gone to by our own hand. */
function jump(event: Event) {
  event.preventDefault();
  event.stopPropagation();
  const link = event.currentTarget as HTMLAnchorElement;
  const root = link.getRootNode() as Document | ShadowRoot;
  const target = root.getElementById(link.hash.slice(1));
  target?.scrollIntoView({block: 'nearest'});
  (target?.matches('a') ? target : target?.querySelector<HTMLElement>('a.back'))?.focus({
    preventScroll: true,
  });
}
