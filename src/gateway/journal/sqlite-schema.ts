/**
 * The journal's tables, and how a file becomes one.
 *
 * A frame is one row, found by session and position. Rows stand in the order of writing and not by session, so what many
 * sessions say in one transaction touches few pages. Runs of a session do not overlap, therefore the place of a run's seq is
 * found from its first position on; only the frames of the session's own run (`run` = 0), which lie scattered, have an index.
 */
import {JournalError} from './journal.js';
import {journalError, type Database} from './sqlite.js';

/** Raised with every change of the tables; older files are brought up to it by `upgrades`. */
const SCHEMA_VERSION = 1;

/** "HeJo": tells our files from other people's. */
const APPLICATION_ID = 0x48654a6f;

/**
 * Of 4 KiB. Each checkpoint waits for the disk, and so does everybody: it is kept shorter than anybody notices, although a
 * longer log would make fewer of them and less work in all (docs/benchmarks.md).
 */
const CHECKPOINT_PAGES = 500;

const tables = `
  CREATE TABLE sessions (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    profile TEXT NOT NULL,
    title TEXT,
    agent_session_id TEXT,
    cwd TEXT NOT NULL,
    settings TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    fence INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX sessions_by_owner ON sessions (owner, updated_at);

  CREATE TABLE runs (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL,
    first INTEGER NOT NULL, -- position of its first frame
    last INTEGER,           -- position and seq of its terminal event
    last_seq INTEGER
  );
  CREATE INDEX runs_by_session ON runs (session);
  CREATE INDEX open_runs ON runs (n) WHERE last IS NULL;

  CREATE TABLE frames (
    session INTEGER NOT NULL,
    position INTEGER NOT NULL,
    run INTEGER NOT NULL,   -- 0: the session's own
    seq INTEGER NOT NULL,
    data TEXT NOT NULL,
    at INTEGER NOT NULL,
    source TEXT,            -- the line it came from, at the first of its events
    PRIMARY KEY (session, position)
  );
  CREATE UNIQUE INDEX session_run_frames ON frames (session, seq) WHERE run = 0;

  -- Lines that gave no event.
  CREATE TABLE diagnostics (
    session INTEGER NOT NULL,
    n INTEGER NOT NULL,
    position INTEGER NOT NULL, -- of the last frame before it
    at INTEGER NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (session, n)
  ) WITHOUT ROWID;

  -- Sessions that were removed while rows of theirs are still being deleted.
  CREATE TABLE doomed (session INTEGER PRIMARY KEY);
`;

/** From version n (the index) to n + 1. */
const upgrades: readonly string[] = [tables];

/** Makes a database a journal of the newest version, held by this process alone. */
export function prepareJournal(db: Database, file: string, durable: 'normal' | 'full'): void {
  try {
    refuseStrangers(db, file);
    // Held as long as it is open: a second gateway would take the first one's runs for those of a dead one.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.exec(`PRAGMA synchronous = ${durable === 'full' ? 'FULL' : 'NORMAL'}`);
    db.exec('BEGIN EXCLUSIVE');
    for (const upgrade of upgrades.slice(versionOf(db))) db.exec(upgrade);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec('COMMIT');
  } catch (cause) {
    throw journalError(cause, file);
  }
}

/** Closes it and lets go of the file at once. */
export function closeJournal(db: Database): void {
  try {
    // The package keeps a closed file locked until its statements are collected; a rollback journal can be let go before.
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema');
  } finally {
    db.close();
  }
}

function refuseStrangers(db: Database, file: string): void {
  const application = pragma(db, 'application_id');
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (application !== APPLICATION_ID && !isEmpty) {
    throw new JournalError(
      'damaged',
      `${file} is a database of something else. Choose another --data folder.`,
    );
  }
  const version = versionOf(db);
  if (version > SCHEMA_VERSION) {
    throw new JournalError(
      'newer',
      `${file} was written by a newer gateway (journal version ${version}, this one knows ${SCHEMA_VERSION}). Start that one, or choose another --data folder.`,
    );
  }
}

function versionOf(db: Database): number {
  return pragma(db, 'user_version');
}

function pragma(db: Database, name: string): number {
  return (db.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[name]!;
}
