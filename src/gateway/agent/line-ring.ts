/** The last lines of something that may never stop: bounded in number and length, redacted as they come. */
import type {Redact} from './redact.js';

/** What one line may show. */
const SHOWN = 2_000;
/** What is looked at of a line: more than is shown, so that a secret cut by the limit is never half shown. */
const READ = 8_000;

export class LineRing {
  #lines: string[] = [];
  #count = 0;
  /** The line being read: its first pieces, up to READ. */
  #open = '';

  constructor(
    readonly size: number,
    readonly redact: Redact,
  ) {}

  /** The newest last. */
  get lines(): readonly string[] {
    return this.#open.trim() === '' ? [...this.#lines] : [...this.#lines, this.#shown(this.#open)];
  }

  /** How many lines there were. */
  get count(): number {
    return this.#count;
  }

  add(line: string): void {
    this.#count++;
    this.#lines.push(this.#shown(line));
    // Cutting twice the size at once makes a flood cheap.
    if (this.#lines.length >= 2 * this.size) this.#lines = this.#lines.slice(-this.size);
  }

  /** Text as it comes, in pieces; ends of lines are found here. */
  write(text: string): void {
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      const line = this.#open + piece;
      this.#open = '';
      if (line.trim() !== '') this.add(line.trimEnd());
    }
    if (this.#open.length < READ) this.#open += last.slice(0, READ);
  }

  #shown(line: string): string {
    const shown = this.redact(line.slice(0, READ));
    return shown.length > SHOWN || line.length > READ ? `${shown.slice(0, SHOWN)}…` : shown;
  }
}
