/** Commands, plain text and terminals: lines that grow at their end, and stand once they are over. */
import {plainStyle, type TerminalColour} from '../../scene/terminal-style.js';
import {
  PlainLines,
  plainText,
  TerminalLines,
  type GrowingLines,
  type TextLine,
  type TextSpan,
} from '../../scene/terminal-text.js';
import {safeUrl} from '../safe-url.js';
import type {Draw, Drawing, SectionFacts} from './section.js';
import {appendVisibly, element, scroller} from './visible-text.js';
import {Windowed} from './windowed.js';
import type {ToolBodyWords} from './words.js';

/** A line longer than this is drawn in pieces, of which the first ones count as lines. */
const LONGEST = 400;
/** Of a line that still grows, as many pieces are drawn. */
const MOST_OF_TAIL = 25;

export const drawText: Draw = (box, facts, words) => new TextDrawing(box, facts, words);

class TextDrawing implements Drawing {
  readonly #box: HTMLElement;
  readonly #lines: GrowingLines;
  readonly #isCode: boolean;
  readonly #tail = element('span', 'tail');
  #window: Windowed | undefined;
  #text: string;
  /** Lines, the long ones in pieces; the last piece of each ends it. */
  readonly #pieces: (readonly [line: TextLine, ends: boolean])[] = [];
  #taken = 0;
  #drawnTail: TextLine = [];

  /** No more comes. */
  #isOver: boolean;

  constructor(box: HTMLElement, {kind, title, text, grows}: SectionFacts, words: ToolBodyWords) {
    this.#isOver = !grows;
    this.#box = scroller(`of-${kind}`, title);
    this.#isCode = kind === 'command';
    this.#lines = kind === 'terminal' ? new TerminalLines() : new PlainLines();
    this.#text = text;
    box.append(this.#box);
    this.#box.append(this.#tail);
    this.#lines.write(text);
    this.#take();
    this.#window = new Windowed(this.#box, this.#units, words.showAll, {
      after: this.#tail,
      done: () => this.#drawTail(),
    });
    this.#drawTail();
  }

  copied(): string {
    return this.#lines instanceof TerminalLines ? plainText(this.#lines) : this.#text;
  }

  update({text, grows}: SectionFacts): boolean {
    if (this.#isOver || !text.startsWith(this.#text)) return false;
    const atEnd =
      this.#box.scrollTop > 0 && this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight < 2;
    this.#lines.write(text.slice(this.#text.length));
    this.#text = text;
    // A last line of which only the begin stands there is drawn as one that is over.
    this.#isOver = !grows && cut(this.#lines.tail).length > MOST_OF_TAIL;
    this.#take();
    this.#window?.update();
    this.#drawTail();
    if (atEnd) this.#box.scrollTop = this.#box.scrollHeight;
    return true;
  }

  #take() {
    const {lines, tail} = this.#lines;
    for (; this.#taken < lines.length; this.#taken++) this.#push(lines[this.#taken]!, true);
    // One that is over may be a very long one.
    if (this.#isOver) this.#push(tail, false);
  }

  #push(line: TextLine, ends: boolean) {
    const pieces = cut(line);
    for (const [index, piece] of pieces.entries())
      this.#pieces.push([piece, ends && index === pieces.length - 1]);
  }

  get #units() {
    const length = () => this.#pieces.length;
    const lines = () => this.#lines.lines.length + 1;
    return {
      get length() {
        return length();
      },
      get lines() {
        return lines();
      },
      draw: (from: number, to: number) => this.#drawPieces(from, to),
    };
  }

  #drawPieces(from: number, to: number): Node {
    const drawn = element('span');
    let plain = '';
    const flush = () => {
      appendVisibly(drawn, plain, this.#isCode);
      plain = '';
    };
    for (const [line, ends] of this.#pieces.slice(from, to)) {
      if (line.every(({style}) => style === plainStyle)) plain += line.map(({text}) => text).join('');
      else {
        flush();
        drawLine(drawn, line, this.#isCode);
      }
      if (ends) plain += '\n';
    }
    flush();
    return drawn;
  }

  /** The last line, as far as it is there; it waits for those before it. */
  #drawTail() {
    const line =
      this.#window?.isDone && !this.#isOver ? cut(this.#lines.tail).slice(0, MOST_OF_TAIL).flat() : [];
    const before = this.#drawnTail;
    this.#drawnTail = line;
    if (isSame(line, before)) return;
    const [now] = line;
    // What stands may be selected.
    if (line.length === 1 && now!.style === plainStyle && isBegin(before, now!)) {
      appendVisibly(this.#tail, now!.text.slice(before[0]?.text.length ?? 0), this.#isCode);
      return;
    }
    this.#tail.textContent = '';
    drawLine(this.#tail, line, this.#isCode);
  }
}

function isBegin(line: TextLine, {text}: TextSpan): boolean {
  const [span] = line;
  return line.length < 2 && (!span || (span.style === plainStyle && text.startsWith(span.text)));
}

function drawLine(parent: Node, line: TextLine, isCode: boolean) {
  for (const span of line)
    if (span.style === plainStyle) appendVisibly(parent, span.text, isCode);
    else parent.appendChild(drawSpan(span));
}

function isSame(a: TextLine, b: TextLine): boolean {
  return (
    a.length === b.length &&
    a.every(({text, style}, index) => text === b[index]!.text && style === b[index]!.style)
  );
}

/** A long line in pieces. */
function cut(line: TextLine): readonly TextLine[] {
  const pieces: TextSpan[][] = [[]];
  let room = LONGEST;
  for (const {text, style} of line) {
    for (let at = 0; at < text.length;) {
      const end = Math.min(text.length, at + room);
      pieces.at(-1)!.push({text: text.slice(at, end), style});
      room -= end - at;
      at = end;
      if (room === 0) {
        pieces.push([]);
        room = LONGEST;
      }
    }
  }
  return pieces;
}

const flags = ['bold', 'dim', 'italic', 'underline', 'strike', 'inverse'] as const;

function drawSpan({text, style}: TextSpan): Element {
  const href = style.link === null ? null : safeUrl(style.link);
  const span = href === null ? element('span') : link(href);
  span.classList.add('styled', ...flags.filter((flag) => style[flag]));
  for (const side of ['colour', 'ground'] as const) paint(span, side, style[side]);
  appendVisibly(span, text);
  return span;
}

/** The sixteen have classes; any other is a property, since a style in markup is not allowed everywhere. */
function paint(span: HTMLElement, side: 'colour' | 'ground', colour: TerminalColour | null) {
  if (colour === null) return;
  if (typeof colour === 'number') span.classList.add(`${side}-${colour}`);
  else {
    span.classList.add(`${side}-own`);
    span.style.setProperty(`--_${side}`, colour);
  }
}

export function link(href: string): HTMLAnchorElement {
  const made = element('a');
  return Object.assign(made, {href, target: '_blank', rel: 'noopener noreferrer nofollow ugc'});
}
