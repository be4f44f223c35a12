/** Watching a folder of notes: told after a change of ours at once, and looked at now and then for those of others. */
import {systemClock, type Clock, type Timer} from '../../clock.js';
import type {NoteFolder, NoteSummary} from './note-folder.js';

export interface NoteEvent extends NoteSummary {
  readonly change: 'created' | 'modified' | 'deleted';
}

type Listener = (events: readonly NoteEvent[]) => void;

/** Looks only while somebody listens. */
export class NoteWatch {
  readonly #folder: NoteFolder;
  readonly #everyMs: number;
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  #seen: ReadonlyMap<string, NoteSummary> | null = null;
  #timer: Timer = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(folder: NoteFolder, everyMs: number, clock: Clock = systemClock) {
    this.#folder = folder;
    this.#everyMs = everyMs;
    this.#clock = clock;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Resolves when changes from now on will be told. */
  async add(listener: Listener): Promise<void> {
    this.#listeners.add(listener);
    await this.look();
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#seen = null;
  }

  /** Looks now, after a look that is going on. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#listeners.size === 0) return;
    this.#clock.clearTimeout(this.#timer);
    const now = await this.#folder.list().catch(() => null);
    // A folder that cannot be read for a moment is looked at again; nothing is said to be deleted.
    if (now) this.#compare(new Map(now.map((note) => [note.id, note])));
    if (this.#listeners.size > 0) this.#timer = this.#clock.setTimeout(() => void this.look(), this.#everyMs);
  }

  #compare(now: ReadonlyMap<string, NoteSummary>): void {
    const before = this.#seen;
    this.#seen = now;
    const events = before ? changes(before, now) : [];
    if (events.length > 0) for (const listener of [...this.#listeners]) listener(events);
  }
}

function changes(
  before: ReadonlyMap<string, NoteSummary>,
  now: ReadonlyMap<string, NoteSummary>,
): readonly NoteEvent[] {
  const events: NoteEvent[] = [];
  for (const note of now.values()) {
    const old = before.get(note.id);
    if (!old) events.push({...note, change: 'created'});
    else if (old.revision !== note.revision) events.push({...note, change: 'modified'});
  }
  for (const note of before.values()) if (!now.has(note.id)) events.push({...note, change: 'deleted'});
  return events;
}
