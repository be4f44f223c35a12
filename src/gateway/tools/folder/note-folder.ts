/**
 * A folder of Markdown notes: read, changed and watched without ever leaving it.
 *
 * Ids are checked names (note-path.ts); links are refused on the way to a note and as the note. A change is written beside
 * the note and renamed over it, so a reader sees the old text or the new one, and a note with a second name (hard link)
 * changes under this one only.
 */
import {createHash, randomUUID} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {link, lstat, mkdir, open, readdir, realpath, rename, unlink, type FileHandle} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {ToolError} from '../tool-error.js';
import {Turns} from '../turns.js';
import {isNoteName, nameForTitle, namesOf} from './note-path.js';
import {NoteText, type Replacement} from './note-text.js';

const MAX_NOTE_BYTES = 1_000_000;
const MAX_NOTES = 5_000;
const ending = '.md';

export interface NoteSummary {
  readonly id: string;
  /** The first heading, else the file's name. */
  readonly title: string;
  /** Changes whenever the bytes of the file do. */
  readonly revision: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

export interface Note extends NoteSummary {
  readonly markdown: string;
}

export interface NoteChange {
  readonly before: Note | null;
  readonly note: Note;
}

export class NoteFolder {
  readonly #folder: string;
  readonly #turns = new Turns();
  readonly #known = new Map<string, {readonly stamp: string; readonly summary: NoteSummary}>();
  #root: Promise<string> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Every note, by title. */
  async list(): Promise<readonly NoteSummary[]> {
    const ids: string[] = [];
    await this.#collect(await this.#realRoot(), '', ids);
    const found = await Promise.all(ids.map((id) => this.#summary(id)));
    const notes = found.filter((note) => note !== null);
    for (const id of this.#known.keys()) if (!ids.includes(id)) this.#known.delete(id);
    return notes.sort((a, b) => a.title.localeCompare(b.title, 'en') || (a.id < b.id ? -1 : 1));
  }

  async read(id: string): Promise<Note> {
    return noteOf(id, await this.#bytes(id));
  }

  /**
   * Replaces in a note's text what `edit` names, in order. A revision that is not the current one is a `conflict` with the
   * current text, and so is a `conflict` of `edit` itself.
   */
  change(
    id: string,
    revision: string | null,
    edit: (note: Note) => readonly Replacement[],
  ): Promise<NoteChange> {
    return this.#turns.take(id, async () => {
      const found = await this.#bytes(id);
      const before = noteOf(id, found);
      if (revision !== null && revision !== before.revision) {
        throw conflict('The note has changed since you read it. Look at its text and try again.', before);
      }
      const replacements = orConflict(before, () => edit(before));
      const text = NoteText.of(decode(found.bytes)).replaced(replacements);
      if (text.markdown === before.markdown) return {before, note: before};
      await this.#write(id, encode(text.toString(), found.bytes), found.stats);
      return {before, note: await this.read(id)};
    });
  }

  /** A new note, named after its title; a number is added where the name is taken. */
  async create(title: string, text: string): Promise<NoteChange> {
    const markdown = titleOf(text) === null ? `# ${title}\n${text === '' ? '' : `\n${text}`}` : text;
    const name = nameForTitle(title);
    for (let number = 1; number <= 1000; number++) {
      const id = number === 1 ? name : `${name}-${number}`;
      try {
        await this.#write(id, encode(markdown, null), null);
        return {before: null, note: await this.read(id)};
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'exists') throw error;
      }
    }
    throw new ToolError('exists', 'There are too many notes of this name. Choose another title.');
  }

  async #collect(root: string, path: string, ids: string[]): Promise<void> {
    const entries = await readdir(join(root, path), {withFileTypes: true});
    for (const entry of entries) {
      if (ids.length >= MAX_NOTES) return;
      const name =
        entry.isFile() && entry.name.endsWith(ending) ? entry.name.slice(0, -ending.length) : entry.name;
      const id = path === '' ? name : `${path}/${name}`;
      if (!isNoteName(name) || id.split('/').length > 8) continue;
      if (entry.isDirectory()) await this.#collect(root, id, ids);
      // Links are neither files nor directories here, so they are not listed.
      else if (entry.isFile() && name !== entry.name) ids.push(id);
    }
  }

  async #summary(id: string): Promise<NoteSummary | null> {
    try {
      const {mtimeMs, size, ino} = await lstat(await this.#file(id));
      const stamp = `${mtimeMs}:${size}:${ino}`;
      const known = this.#known.get(id);
      if (known?.stamp === stamp) return known.summary;
      const {title, revision, updatedAt} = await this.read(id);
      const summary = {id, title, revision, updatedAt};
      this.#known.set(id, {stamp, summary});
      return summary;
    } catch (error) {
      // Gone since it was listed, or no text: not a note.
      if (error instanceof ToolError || isCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  /** The note's file, in a directory that is really where its name says. */
  async #file(id: string): Promise<string> {
    const file = join(await this.#realRoot(), ...namesOf(id)) + ending;
    try {
      if ((await realpath(dirname(file))) === dirname(file)) return file;
    } catch (error) {
      if (!isCode(error, 'ENOENT') && !isCode(error, 'ENOTDIR')) throw error;
    }
    throw noSuchNote();
  }

  #realRoot(): Promise<string> {
    this.#root ??= mkdir(this.#folder, {recursive: true}).then(() => realpath(this.#folder));
    return this.#root;
  }

  async #bytes(id: string): Promise<FileContent> {
    const handle = await openNote(await this.#file(id));
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw noSuchNote();
      if (stats.size > MAX_NOTE_BYTES) throw tooLarge();
      return {bytes: await handle.readFile(), stats};
    } finally {
      await handle.close();
    }
  }

  /** Writes a note whole: over the one that was read, or where none is. */
  async #write(id: string, bytes: Buffer, over: Stats | null): Promise<void> {
    if (bytes.length > MAX_NOTE_BYTES) throw tooLarge();
    const file = await this.#file(id);
    const beside = join(dirname(file), `.hermes-${randomUUID()}.tmp`);
    const handle = await open(beside, 'wx', over?.mode ?? 0o644);
    try {
      await handle.writeFile(bytes).finally(() => handle.close());
      if (over === null) return await placeNew(beside, file);
      await assertSame(file, over, id, () => this.read(id));
      await rename(beside, file);
    } finally {
      await unlink(beside).catch((error: unknown) => {
        // Renamed: it has become the note.
        if (!isCode(error, 'ENOENT')) throw error;
      });
    }
  }
}

interface FileContent {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

async function openNote(file: string): Promise<FileHandle> {
  try {
    // Not following a link at the end; not waiting for the other side of a pipe.
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENXIO', 'EISDIR'].some((code) => isCode(error, code))) throw noSuchNote();
    throw error;
  }
}

/** A link is made only where no file is, and never over one. */
async function placeNew(beside: string, file: string): Promise<void> {
  try {
    await link(beside, file);
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw new ToolError('exists', 'There is a note of this name.');
    throw error;
  }
}

/** Another program may have written the file while the edit was made: its text is not lost. */
async function assertSame(file: string, read: Stats, id: string, now: () => Promise<Note>): Promise<void> {
  const {ino, mtimeMs, size} = await lstat(file);
  if (ino === read.ino && mtimeMs === read.mtimeMs && size === read.size) return;
  throw conflict(`The note ${id} was changed by another program at this moment. Try again.`, await now());
}

function noteOf(id: string, {bytes, stats}: FileContent): Note {
  const {markdown} = NoteText.of(decode(bytes));
  return {
    id,
    title: titleOf(markdown) ?? id.split('/').at(-1) ?? id,
    revision: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
    updatedAt: Math.round(stats.mtimeMs),
    markdown,
  };
}

const BOM = '\ufeff';

/** The text of a file without its mark; what is not UTF-8 is not a note that could be written back. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch (cause) {
    throw new ToolError('invalid', 'This file is not UTF-8 text.', null, {cause});
  }
}

/** Bytes with the mark that the file had. */
function encode(text: string, before: Buffer | null): Buffer {
  const mark = before?.subarray(0, 3).toString('utf8') === BOM ? BOM : '';
  return Buffer.from(mark + text, 'utf8');
}

/** The text of the first heading of the first level. */
export function titleOf(markdown: string): string | null {
  const [, title = ''] =
    /^#[ \t]+(.+?)[ \t]*#*$/m.exec(markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '')) ?? [];
  return title.trim().slice(0, 200) || null;
}

function orConflict<Result>(note: Note, edit: () => Result): Result {
  try {
    return edit();
  } catch (error) {
    throw error instanceof ToolError && error.code === 'conflict' ? conflict(error.message, note) : error;
  }
}

function conflict(message: string, {id, revision, markdown}: Note): ToolError {
  return new ToolError('conflict', message, {docId: id, revision, markdown});
}

function noSuchNote(): ToolError {
  return new ToolError('not-found', 'There is no such note. mnote_page_list lists them.');
}

function tooLarge(): ToolError {
  return new ToolError('too-large', `A note may have ${MAX_NOTE_BYTES / 1_000_000} MB.`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
