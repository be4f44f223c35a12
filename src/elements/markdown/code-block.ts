/** A block of code: its language and what can be done with it above, each line a box of its own, which the browser lays out once. */
import type {MarkdownElement} from '../../markdown/index.js';
import {CodeColours} from './code-colours.js';
import {copyButton} from './copy-button.js';
import type {ProseHost} from './prose-host.js';
import {fill, hasUnseen, seenText} from './seen-text.js';
import {tellPage} from './tell-page.js';

/** Lines in a box that the browser can pass over as one. */
const GROUP = 64;

export function codeBlock(node: MarkdownElement, host: ProseHost): HTMLElement {
  const figure = document.createElement('figure');
  figure.className = 'code';
  figure.setAttribute('part', 'code');
  figure.dir = 'ltr';
  const bar = document.createElement('figcaption');
  bar.setAttribute('part', 'caption');
  const language = document.createElement('span');
  language.className = 'language';
  const wrap = document.createElement('button');
  Object.assign(wrap, {type: 'button', className: 'wrap', textContent: host.words.wrap});
  wrap.setAttribute('part', 'wrap-button');
  wrap.ariaPressed = 'false';
  wrap.addEventListener('click', () => {
    wrap.ariaPressed = String(figure.classList.toggle('wrapped'));
  });
  bar.append(
    language,
    wrap,
    copyButton(host.words.copy, host.words, () => codeText(figure)),
  );
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.append(document.createElement('code'));
  figure.append(bar, pre);
  patchCode(figure, null, node, host);
  return figure;
}

/** The code as it was written. */
export function codeText(figure: Element): string {
  return [...figure.querySelectorAll('.code-line')].map((line) => line.textContent).join('');
}

export function codeBody(figure: Element): Element {
  return figure.querySelector('code')!;
}

const colouring = new WeakMap<Element, CodeColours>();

export function patchCode(
  figure: HTMLElement,
  old: MarkdownElement | null,
  next: MarkdownElement,
  host: ProseHost,
): void {
  const body = codeBody(figure);
  const isOther = old !== null && languageOf(old) !== languageOf(next);
  if (isOther) {
    body.replaceChildren();
    colouring.get(figure)?.stop();
    colouring.delete(figure);
  }
  const lines = next.children as readonly string[];
  const before = old === null || isOther ? [] : (old.children as readonly string[]);
  let index = 0;
  while (index < before.length && before[index] === lines[index]) index++;
  const wasWhole = old !== null && !old.attributes.open;
  if (wasWhole && !next.attributes.open && !isOther && index === lines.length && index === before.length)
    return;
  if (figure.classList.contains('is-drawn')) {
    figure.classList.remove('is-drawn');
    figure.lastElementChild!.remove();
  }
  if (host.highlight && !colouring.has(figure))
    colouring.set(
      figure,
      new CodeColours(body, host.highlight, host.grows, () => figure.classList.add('plain')),
    );
  if (old === null || old.attributes.info !== next.attributes.info) name(figure, next, host);
  for (let count = before.length; count > lines.length; count--) removeLast(body);
  for (; index < lines.length; index++) {
    const line = lines[index]!;
    if (index >= before.length) addLine(body, index, line);
    else if (before[index] !== line) setLine(lineAt(body, index), before[index]!, line);
  }
  if (next.attributes.open) colouring.get(figure)?.more(languageOf(next), lines);
  else finish(figure, languageOf(next), lines, host);
}

function languageOf({attributes: {info = ''}}: MarkdownElement): string {
  return /^[^\s{]*/.exec(info)![0].toLowerCase();
}

function name(figure: HTMLElement, node: MarkdownElement, {words}: ProseHost) {
  const language = languageOf(node);
  figure.dataset['language'] = language;
  figure.querySelector('.language')!.textContent = language;
  figure.querySelector('pre')!.ariaLabel = [words.code, language].filter(Boolean).join(', ');
}

function lineAt(body: Element, index: number): Element {
  return body.children[Math.floor(index / GROUP)]!.children[index % GROUP]!;
}

function addLine(body: Element, index: number, text: string) {
  if (index % GROUP === 0) {
    const group = document.createElement('div');
    group.className = 'code-lines';
    body.append(group);
  }
  const line = document.createElement('div');
  line.className = 'code-line';
  fill(line, seenText(text));
  body.lastElementChild!.append(line);
}

function removeLast(body: Element) {
  const group = body.lastElementChild!;
  group.lastElementChild!.remove();
  if (group.childElementCount === 0) group.remove();
}

function setLine(line: Element, before: string, text: string) {
  const {firstChild} = line;
  if (firstChild instanceof Text && !firstChild.nextSibling && text.startsWith(before) && !hasUnseen(text))
    firstChild.appendData(text.slice(before.length));
  else fill(line, seenText(text));
}

/** The code is whole: it is coloured in full, or drawn in another way, as soon as what does so is there. */
function finish(figure: HTMLElement, language: string, lines: readonly string[], {figure: draw}: ProseHost) {
  if (language === '') return;
  const isStill = () =>
    codeText(figure) === lines.join('') &&
    figure.dataset['language'] === language &&
    !figure.classList.contains('is-drawn');
  colouring.get(figure)?.whole(language, lines);
  // A page that fails to draw it fails the same way at once and later: the code stays.
  void (async () => {
    const drawn = await draw?.(language, lines.join(''));
    if (drawn && isStill()) show(figure, drawn);
  })().catch((cause: unknown) => {
    figure.classList.add('plain');
    tellPage(draw!, cause);
  });
}

/** What was drawn of the code stands in its place; the code stays, to be copied and read out. */
function show(figure: HTMLElement, drawn: Node) {
  figure.classList.add('is-drawn');
  const box = document.createElement('div');
  box.className = 'drawn';
  box.setAttribute('part', 'figure');
  box.append(drawn);
  figure.append(box);
}
