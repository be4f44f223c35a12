/**
 * Chosen profiles: which one each subject made its default, in one small file that is replaced whole. Only this object writes
 * it, one choice after the other.
 */
import {readFile, rename, writeFile} from 'node:fs/promises';

/** Choices kept; the oldest is forgotten first. */
const SUBJECTS = 10_000;

type Choices = ReadonlyMap<string, string>;

export class ChosenProfiles {
  readonly #file: string | null;
  #choices: Choices;
  #writing: Promise<void> = Promise.resolve();

  /** Without a file choices last as long as the process. */
  constructor(file: string | null = null, choices: Choices = new Map()) {
    this.#file = file;
    this.#choices = choices;
  }

  /** With what was chosen before. A file that cannot be read is a fault, and counts as none: choices can be made anew. */
  static async open(file: string, onFault: (fault: unknown) => void): Promise<ChosenProfiles> {
    try {
      return new ChosenProfiles(file, readChoices(await readFile(file, 'utf8')));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') {
        onFault(new Error(`${file} cannot be read, so nobody has chosen a profile.`, {cause}));
      }
      return new ChosenProfiles(file);
    }
  }

  /** The name of the profile, which may be gone by now; null for a subject that has not chosen. */
  of(subject: string): string | null {
    return this.#choices.get(subject) ?? null;
  }

  /** Resolves when the choice stands, also after the death of the process. */
  choose(subject: string, profile: string): Promise<void> {
    const written = this.#writing.then(async () => {
      const next = new Map(this.#choices);
      next.delete(subject);
      next.set(subject, profile);
      if (next.size > SUBJECTS) next.delete(next.keys().next().value!);
      await this.#write(next);
      this.#choices = next;
    });
    this.#writing = written.catch(() => {});
    return written;
  }

  async #write(choices: Choices): Promise<void> {
    if (this.#file === null) return;
    await writeFile(`${this.#file}.new`, JSON.stringify({chosen: [...choices]}), {mode: 0o600});
    await rename(`${this.#file}.new`, this.#file);
  }
}

function readChoices(text: string): Choices {
  const {chosen} = JSON.parse(text) as {chosen: unknown};
  if (!Array.isArray(chosen)) throw new Error('It holds no choices.');
  return new Map(chosen.filter(isChoice));
}

function isChoice(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
}
