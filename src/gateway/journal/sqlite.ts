/** SQLite, wherever this Node has it: its own `node:sqlite`, else the package with the same API. */
import {JournalError, type JournalErrorCode} from './journal.js';

/** What we use of it. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly Value[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: readonly Value[]): unknown;
  all(...values: readonly Value[]): readonly unknown[];
  iterate(...values: readonly Value[]): Iterable<unknown>;
}

type Value = string | number | null;

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => Database;
}

// In a variable, so that neither the compiler nor a bundler of an older Node looks for it.
const builtin = 'node:sqlite';

async function loadSqlite(): Promise<SqliteModule> {
  try {
    return (await import(builtin)) as SqliteModule;
  } catch {
    return import('@photostructure/sqlite');
  }
}

/** Opens a database file, or `:memory:`. */
export async function openDatabase(file: string): Promise<Database> {
  const {DatabaseSync} = await loadSqlite();
  try {
    return new DatabaseSync(file);
  } catch (cause) {
    throw journalError(cause, file);
  }
}

// Primary result codes, the low byte of `errcode`: https://www.sqlite.org/rescode.html
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOT_A_DATABASE = 26;

type Refusal = readonly [JournalErrorCode, (file: string) => string];

const inUse: Refusal = [
  'in-use',
  (file) => `Another gateway uses ${file}. Stop it, or choose another --data folder.`,
];
const damaged: Refusal = [
  'damaged',
  (file) =>
    `${file} is damaged or no journal. Stop the gateway, move the file (with its -wal) away and start again; \`sqlite3 FILE .recover\` reads what is left of it.`,
];

const refusals: ReadonlyMap<number, Refusal> = new Map([
  [BUSY, inUse],
  [LOCKED, inUse],
  [FULL, ['full', (file) => `No space is left for ${file}. Free some, then start the run again.`]],
  [READONLY, ['unwritable', (file) => `${file} cannot be written. Check who owns it and its folder.`]],
  [CANTOPEN, ['unwritable', (file) => `${file} cannot be opened. Check that its folder exists and is ours.`]],
  [CORRUPT, damaged],
  [NOT_A_DATABASE, damaged],
]);

/** What went wrong in SQLite, as an error of the journal with what to do; other errors as they are. */
export function journalError(cause: unknown, file: string): Error {
  if (cause instanceof JournalError) return cause;
  const code = (cause as {errcode?: number} | null)?.errcode ?? -1;
  const [name, sentence] = refusals.get(code & 0xff) ?? [];
  if (name !== undefined && sentence !== undefined) return new JournalError(name, sentence(file), {cause});
  if (code === -1) return cause instanceof Error ? cause : new Error(String(cause));
  // Input and output errors of the disk and the like: nothing of the transaction was kept.
  const message = `${file} could not be read or written (${(cause as Error).message}). Check the disk, then start again.`;
  return new JournalError('unwritable', message, {cause});
}
