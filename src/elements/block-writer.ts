/**
 * The block writer: text that arrives in pieces becomes paragraphs and code blocks, and what stands is never touched
 * again. Everything is a text node; only the last one grows, by `appendData`, so a selection keeps its place.
 */
import {insideOf} from './patch-block.js';
import {safeUrl} from './safe-url.js';

const OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/;
/** The start of a line that may still turn out blank or a fence; shown only when that is decided (no stray backtick). */
const UNDECIDED = /^\s*(?:`*|~*|`{3,}[^`]*|~{3,}.*)$/;
const ADDRESS = /(?:https?:\/\/|mailto:)[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}*_]/gi;
/** A text node is closed after so many characters: browsers copy the whole node at each append. */
const NODE_LENGTH = 4000;
const LONGEST_WORD = 2000;
const LETTER = /\p{L}/u;
/** Letters of the scripts that are written from right to left, as browsers take them for `dir=auto`. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

export class BlockWriter {
  #root: Node;
  #block: HTMLElement | null = null;
  #tail = new Text();
  /** The marker of the open code block, empty in prose. */
  #fence = '';
  /** The line's beginning, while undecided; null once the line has begun to show. */
  #held: string | null = '';
  /** What parts the next line from the one before it in the open block. */
  #break = '';
  /** The unfinished word at the end, which may become a link; emptied when it is too long for one. */
  #word = '';

  constructor(root: Node) {
    this.#root = root;
  }

  /** Adds the next piece. */
  write(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() as string;
    for (const line of lines) {
      this.#line(line);
      this.#endLine();
    }
    this.#line(last);
  }

  /** Goes on in another element, to which the blocks were moved; in a `block` there that says what the last one said. */
  moveTo(root: Node, block?: Element): void {
    this.#root = root;
    if (!block || !this.#block) return;
    this.#block = block as HTMLElement;
    const inside = insideOf(block);
    const last = inside.lastChild;
    this.#tail = last instanceof Text ? last : inside.appendChild(new Text());
  }

  /** Shows what was held back, when no more is expected. */
  end(): void {
    if (this.#held) this.#decide(this.#held);
    this.#endWord();
  }

  #line(part: string) {
    if (this.#held === null) return this.#put(part);
    this.#held += part;
    if (!UNDECIDED.test(this.#held)) this.#decide(this.#held);
  }

  #endLine() {
    if (this.#held !== null) this.#decide(this.#held);
    this.#held = '';
  }

  /** The line is known to be what it looks like: a fence, a blank, or text. */
  #decide(line: string) {
    this.#held = null;
    const bare = line.trim();
    const opening = !this.#fence && OPENING.exec(line);
    if (opening) {
      this.#close();
      this.#fence = opening[1] as string;
      this.#open(opening[2]);
    } else if (this.#fence && bare.startsWith(this.#fence) && !bare.replaceAll(bare[0] as string, '')) {
      this.#close();
    } else if (bare || this.#fence) {
      this.#put(this.#break + line);
    } else {
      this.#close();
    }
  }

  #open(language?: string) {
    const code = this.#fence !== '';
    this.#block = document.createElement(code ? 'pre' : 'p');
    this.#tail = new Text();
    if (code) {
      this.#block.dir = 'ltr';
      this.#block.tabIndex = 0;
      if (language) this.#block.dataset['language'] = language;
      this.#block.append(document.createElement('code'));
      this.#block.firstChild?.appendChild(this.#tail);
    } else {
      this.#block.dir = 'auto';
      this.#block.append(this.#tail);
    }
    this.#root.appendChild(this.#block);
  }

  #close() {
    this.#endWord();
    this.#block = null;
    this.#fence = this.#break = '';
  }

  #put(text: string) {
    if (!this.#block) this.#open();
    this.#break = '\n';
    if (text === '') return;
    if (this.#tail.length > NODE_LENGTH && !this.#word) this.#grow();
    if (this.#fence) return this.#tail.appendData(text);
    this.#direct(text);
    const known = this.#word.length;
    const whole = this.#word + text;
    const end = Math.max(whole.lastIndexOf(' '), whole.lastIndexOf('\n')) + 1;
    this.#word = whole.length - end > LONGEST_WORD ? '' : whole.slice(end);
    if (end === 0 || !this.#link(whole.slice(0, end), known)) this.#tail.appendData(text);
    else this.#tail.appendData(whole.slice(end));
  }

  /** Direction by the first letter, once it is there: `auto` is asked again at each node put into a block of thousands. */
  #direct(text: string) {
    const block = this.#block as HTMLElement;
    const letter = block.dir === 'auto' && LETTER.exec(text);
    if (letter) block.dir = RIGHT_TO_LEFT.test(letter[0]) ? 'rtl' : 'ltr';
  }

  #grow() {
    const next = new Text();
    this.#tail.after(next);
    this.#tail = next;
  }

  #endWord() {
    if (this.#word && !this.#fence) this.#link(this.#word, this.#word.length);
    this.#word = '';
  }

  /** Draws finished words, of which the first `known` characters stand at the tail's end, if there are links in them. */
  #link(words: string, known: number): boolean {
    const links = words.includes(':') ? [...words.matchAll(ADDRESS)] : [];
    if (links.length === 0) return false;
    this.#tail.deleteData(this.#tail.length - known, known);
    let at = 0;
    for (const {0: address, index} of links) {
      const href = safeUrl(address);
      if (!href) continue;
      this.#tail.appendData(words.slice(at, index));
      const link = document.createElement('a');
      link.href = href;
      link.target = '_blank';
      link.rel = 'noopener noreferrer nofollow ugc';
      link.textContent = address;
      this.#tail.after(link);
      link.after((this.#tail = new Text()));
      at = index + address.length;
    }
    this.#tail.appendData(words.slice(at));
    return true;
  }
}
