/**
 * The colours of a block of code a reader is near to: of its finished lines while it grows, now and then, and of all of it
 * once it is whole. What goes by faster than anybody reads is not coloured. What a line means may depend on any line before
 * it, so each time the code is read from its beginning; the longer that takes, the longer nothing is coloured after it.
 */
import {forget, whenNear} from './near.js';
import type {CodePiece, Highlight} from './prose-host.js';
import {selectedIn} from './selected-in.js';
import {fill, seenText} from './seen-text.js';
import {tellPage} from './tell-page.js';

/** Between two times, at least. */
const PAUSE_MS = 250;
/** And so many times as long as the last one took. */
const REST = 12;
/** What is longer is coloured when it is whole: one reading of it would be felt. */
const LONGEST = 30_000;

export class CodeColours {
  readonly #body: Element;
  readonly #highlight: Highlight;
  readonly #grows: () => boolean;
  readonly #failed: () => void;
  /** How each line is coloured that is. */
  #coloured = new WeakMap<Element, string>();
  #language = '';
  #lines: readonly string[] = [];
  /** How many lines were looked at. */
  #seen = 0;
  #isWhole = false;
  /** Whether lines that are finished wait for their time. */
  #waits = false;
  /** Ends what was begun for another code. */
  #begun = new AbortController();
  /** The first time also waits for the language. */
  #isFirst = true;
  #took = 0;

  constructor(body: Element, highlight: Highlight, grows: () => boolean, failed: () => void) {
    this.#body = body;
    this.#highlight = highlight;
    this.#grows = grows;
    this.#failed = failed;
  }

  /** More lines have come; the last one may not have ended. */
  more(language: string, lines: readonly string[]): void {
    if (this.#isWhole) {
      this.stop();
      this.#isWhole = false;
      this.#seen = 0;
    }
    this.#language = language;
    this.#lines = lines;
    if (language === '' || this.#waits || lines.length - 1 <= this.#seen) return;
    this.#waits = true;
    this.#in(PAUSE_MS + this.#took * REST, (signal, isForPaper) => {
      const task = () => void this.#finishedLines(signal);
      if (isForPaper) task();
      else whenIdle(task);
    });
  }

  /** All lines are here. */
  whole(language: string, lines: readonly string[]): void {
    this.stop();
    this.#isWhole = true;
    this.#language = language;
    this.#lines = lines;
    const {signal} = this.#begun;
    // A text that is over when it is drawn is told so after it was drawn.
    queueMicrotask(() => {
      if (!signal.aborted) this.#in(this.#grows() ? PAUSE_MS : 0, () => void this.#allLines(signal));
    });
  }

  /** Another code, or nothing, is shown there from now on. */
  stop(): void {
    this.#begun.abort();
    this.#begun = new AbortController();
    this.#waits = false;
    forget(this.#body);
    this.#lines = [];
  }

  /** Once a reader is near, but not before so many milliseconds: what goes by faster is not worth it. */
  #in(milliseconds: number, work: (signal: AbortSignal, isForPaper: boolean) => void) {
    const {signal} = this.#begun;
    whenNear(this.#body, (isForPaper) => work(signal, isForPaper), milliseconds);
  }

  async #allLines(signal: AbortSignal) {
    const pieces = await this.#read(this.#language, this.#lines);
    if (signal.aborted) return;
    if (pieces && !this.#colour(pieces)) {
      // What the reader had selected gets its colours when they select something else, or nothing.
      const again = () => this.#in(PAUSE_MS, (still) => void this.#allLines(still));
      document.addEventListener('selectionchange', again, {once: true, signal});
      return;
    }
    // Both are only needed again if it is drawn as another code.
    this.#lines = [];
    this.#coloured = new WeakMap();
  }

  async #finishedLines(signal: AbortSignal) {
    if (signal.aborted) return;
    const lines = this.#lines.slice(0, -1);
    this.#seen = lines.length;
    if (this.#body.isConnected && length(lines) <= LONGEST) {
      const from = performance.now();
      const pieces = await this.#read(this.#language, lines);
      if (signal.aborted) return;
      if (pieces) this.#colour(pieces.slice(0, lines.length));
      this.#took = this.#isFirst ? 0 : performance.now() - from;
      this.#isFirst = false;
    }
    this.#waits = false;
    this.more(this.#language, this.#lines);
  }

  async #read(language: string, lines: readonly string[]) {
    try {
      return await this.#highlight(language, lines.join(''));
    } catch (cause) {
      this.#failed();
      tellPage(this.#highlight, cause);
      return null;
    }
  }

  /** False where something is left as it is because the reader has selected it. */
  #colour(lines: readonly (readonly CodePiece[])[]): boolean {
    let isAll = true;
    const selection = selectedIn(this.#body.getRootNode());
    for (const [index, line] of [...this.#body.querySelectorAll('.code-line')].entries()) {
      const pieces = lines[index];
      if (!pieces) break;
      const isPlain = pieces.every((piece) => typeof piece === 'string');
      const before = this.#coloured.get(line);
      const now = isPlain ? undefined : keyOf(pieces);
      if (before === now && isPlain !== isColoured(line)) continue;
      const said = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
      // A line that has another text stays as it is, and so does one that is being read.
      if (said !== line.textContent?.replace(/\n$/, '')) continue;
      if (selection?.intersectsNode(line)) {
        isAll = false;
        continue;
      }
      fill(line, [...pieces.flatMap(pieceNodes), new Text('\n')]);
      if (now === undefined) this.#coloured.delete(line);
      else this.#coloured.set(line, now);
    }
    return isAll;
  }
}

const length = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);

/** Where there is no telling, at once. */
function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, {timeout: PAUSE_MS});
  else task();
}

/** Whether there is more in a line than its text and the marks in it. */
const isColoured = (line: Element) =>
  line.childElementCount > 0 && line.querySelector(':scope > :not(.mark)') !== null;

const keyOf = (pieces: readonly CodePiece[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : `\0${piece.kind}\0${piece.text}`)).join('\0');

function pieceNodes(piece: CodePiece): Node[] {
  if (typeof piece === 'string') return seenText(piece);
  const span = document.createElement('span');
  span.className = piece.kind;
  fill(span, seenText(piece.text));
  return [span];
}
