/* eslint-disable @typescript-eslint/require-await -- the contract is asynchronous: a refusal is a rejection */
/**
 * The journal in one SQLite file, for one machine and one process.
 *
 * `recorder → **journal** → SSE frames`. Appends get their places at once, in memory, and are written together: what
 * arrives within one turn of the event loop is one transaction. Readers see a batch after its commit. A follower is a
 * position, nothing more: it takes what it lacks from the tail in memory, or a page of the file where it is far behind.
 */
import {isSessionRun, parseEventId, sessionOfRun, sessionRunId} from '../../protocol/index.js';
import {
  JournalError,
  type Fence,
  type Journal,
  type JournalEntry,
  type JournalFrame,
  type JournalScope,
  type JournalSource,
  type RunRecord,
  type SessionRecord,
} from './journal.js';
import {LiveSession, type LiveRun, type StagedEntry} from './live-session.js';
import {journalError, openDatabase, type Database} from './sqlite.js';
import {closeJournal, prepareJournal} from './sqlite-schema.js';
import {prepareStatements, type RunRow, type SessionRow, type Statements} from './sqlite-statements.js';

export interface SqliteJournalOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  /** `normal` survives the death of the process, `full` the loss of power too. */
  readonly durable?: 'normal' | 'full';
  /** How large the file may grow, in pages of 4 KiB; as large as the disk when not given. */
  readonly pages?: number;
}

/** Opens the journal, or rejects with a `JournalError` that says what to do. */
export async function openSqliteJournal({
  file,
  durable = 'normal',
  pages,
}: SqliteJournalOptions): Promise<Journal> {
  const db = await openDatabase(file);
  try {
    prepareJournal(db, file, durable);
    if (pages !== undefined) db.exec(`PRAGMA max_page_count = ${pages}`);
    return new SqliteJournal(db, file);
  } catch (cause) {
    db.close();
    throw journalError(cause, file);
  }
}

/** Sessions kept in hand although nobody reads or writes them. */
const IDLE_SESSIONS = 32;
const PAGE_FRAMES = 256;
const PAGE_CHARACTERS = 1024 * 1024;
const DIAGNOSTICS = 1000;
const DIAGNOSTIC_CHARACTERS = 64 * 1024;
/** Of the message that a frame came from; what a longer one said stands in the frame. */
const SOURCE_CHARACTERS = 1024 * 1024;
/** Rows deleted before others get a turn. */
const DELETE_STEP = 2000;

interface Waiting {
  readonly staged: StagedEntry;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Where a reader stands and how far it may go. */
interface View {
  readonly live: LiveSession;
  readonly run: LiveRun | null;
}

class SqliteJournal implements Journal {
  readonly #db: Database;
  readonly #file: string;
  readonly #sql: Statements;
  /** The last used last. */
  readonly #live = new Map<string, LiveSession>();
  #queue: Waiting[] = [];
  #closed = false;

  constructor(db: Database, file: string) {
    this.#db = db;
    this.#file = file;
    this.#sql = prepareStatements(db);
  }

  async createSession(record: SessionRecord): Promise<void> {
    const {id, owner, profile, title, agentSessionId, cwd, settings, createdAt, updatedAt} = record;
    this.#ask(() =>
      this.#sql.insertSession.run(
        ...[id, owner, profile, title, agentSessionId, cwd, JSON.stringify(settings), createdAt, updatedAt],
      ),
    );
  }

  async updateSession(id: string, change: Parameters<Journal['updateSession']>[1]): Promise<void> {
    const record = sessionRecord(this.#row(id));
    const {profile, title, agentSessionId, cwd, settings, updatedAt} = {...record, ...change};
    this.#ask(() =>
      this.#sql.updateSession.run(
        ...[profile, title, agentSessionId, cwd, JSON.stringify(settings), updatedAt, id],
      ),
    );
  }

  async session(id: string): Promise<SessionRecord | null> {
    const row = this.#ask(() => this.#sql.session.get(id)) as SessionRow | undefined;
    return row ? sessionRecord(row) : null;
  }

  async sessions(owner: string): Promise<readonly SessionRecord[]> {
    return (this.#ask(() => this.#sql.sessionsOfOwner.all(owner)) as SessionRow[]).map(sessionRecord);
  }

  async removeSession(id: string): Promise<void> {
    this.#flush();
    const {n} = this.#row(id);
    this.#doom(id, n);
    await this.#deleteDoomed();
  }

  async run(id: string): Promise<RunRecord | null> {
    if (isSessionRun(id)) return this.#sessionRun(id);
    const row = this.#ask(() => this.#sql.run.get(id)) as RunRow | undefined;
    return row ? this.#runRecord(row) : null;
  }

  async runs(session: string): Promise<readonly RunRecord[]> {
    const rows = this.#ask(() => this.#sql.runsOfSession.all(this.#row(session).n)) as RunRow[];
    return rows.map((row) => this.#runRecord(row));
  }

  async openRuns(): Promise<readonly RunRecord[]> {
    const rows = this.#ask(() => this.#sql.openRuns.all()) as RunRow[];
    return rows.map((row) => this.#runRecord(row));
  }

  async claim(session: string): Promise<Fence> {
    // What an earlier fence was promised is written first.
    this.#flush();
    const live = this.#session(session);
    this.#ask(() => this.#sql.setFence.run(live.fence + 1, live.n));
    live.fence++;
    return {session, token: live.fence};
  }

  append(fence: Fence, entry: JournalEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      const staged = this.#stage(fence, entry);
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      this.#queue.push({staged, resolve, reject});
    });
  }

  async read(scope: JournalScope, after: string | null, limit: number): Promise<readonly JournalFrame[]> {
    const view = this.#view(scope);
    const start = this.#startOf(view, after);
    return this.#ask(() => this.#page(view, start, limit, Infinity));
  }

  async *follow(
    scope: JournalScope,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<readonly JournalFrame[]> {
    const view = this.#view(scope);
    const {live, run} = view;
    let wake: (() => void) | null = null;
    // Cheaper to look at than the signal, which is asked for every batch of every reader.
    let isOver = signal.aborted;
    const waiter = () => {
      wake?.();
      wake = null;
    };
    live.waiters.add(waiter);
    const over = () => {
      isOver = true;
      waiter();
    };
    signal.addEventListener('abort', over);
    try {
      for (let position = this.#startOf(view, after); !isOver;) {
        if (run?.end != null && position >= run.end) return;
        // Also of a session that was removed meanwhile: what stood before its end is still told.
        const batch = live.tail.after(position) ?? this.#behind(view, position);
        if (batch.length > 0) {
          position = batch.at(-1)!.position;
          const wanted = run === null ? batch : framesOf(run, batch);
          if (wanted.length > 0) yield wanted;
        } else if (position < live.committed) {
          // The file has no more of this run.
          position = live.committed;
        } else {
          this.#mustHave(live);
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      signal.removeEventListener('abort', over);
      live.waiters.delete(waiter);
      this.#forgetIdle();
    }
  }

  async sources(session: string, limit: number): Promise<readonly JournalSource[]> {
    const {n} = this.#row(session);
    const rows = this.#ask(() => this.#sql.sources.all(n, limit, n, limit, limit));
    return (rows as {at: number; source: string}[]).map(({at, source}) => ({at, source})).reverse();
  }

  async prune(before: number, isInUse = (_session: string) => false): Promise<number> {
    this.#flush();
    const unused = this.#ask(() => this.#sql.unusedSessions.all(before)) as {id: string; n: number}[];
    const old = unused.filter(({id}) => !isInUse(id));
    for (const {id, n} of old) this.#doom(id, n);
    await this.#deleteDoomed();
    return old.length;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    for (const live of this.#live.values()) live.wake();
    this.#live.clear();
    closeJournal(this.#db);
  }

  // Writing

  #stage(fence: Fence, entry: JournalEntry): StagedEntry {
    const live = this.#session(fence.session);
    if (live.fence !== fence.token) {
      throw new JournalError(
        'fenced',
        `Another writer has session ${fence.session}. Read it again before writing.`,
      );
    }
    return live.stage(entry, (run) => this.#endedRun(live, run));
  }

  /** A run that is not open in this session: ended, never heard of, or somebody else's. */
  #endedRun(live: LiveSession, id: string): LiveRun | null {
    const row = this.#ask(() => this.#sql.run.get(id)) as RunRow | undefined;
    if (row === undefined) return null;
    if (row.session === live.n) return liveRun(row, row.last_seq ?? 0);
    throw new JournalError('gap', `Run ${id} is of another session than ${live.id}.`);
  }

  /** Writes what was accepted, shows it to the readers and tells the writers. All of it or nothing. */
  #flush(): void {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    try {
      this.#transaction(() => {
        for (const {staged} of queue) this.#insert(staged);
      });
    } catch (cause) {
      for (const {staged, reject} of queue) {
        staged.live.stale = true;
        staged.live.queued--;
        reject(cause as Error);
      }
      return;
    }
    for (const [live, batch] of batches(queue)) live.publish(batch);
    for (const {staged, resolve} of queue) {
      staged.live.queued--;
      resolve();
    }
  }

  #insert({live, frames, position: last, entry}: StagedEntry): void {
    let source = entry.source?.slice(0, SOURCE_CHARACTERS) ?? null;
    for (const {run, frame, terminal} of frames) {
      run.n ??= this.#beginRun(live, run, entry.at);
      const {position, seq, data} = frame;
      this.#sql.insertFrame.run(live.n, position, run.n, seq, data, entry.at, source);
      source = null;
      if (terminal) this.#endRun(live, run, frame, entry.at);
    }
    if (source !== null) this.#insertDiagnostic(live, source, last, entry.at);
  }

  #beginRun(live: LiveSession, run: LiveRun, at: number): number {
    this.#sql.touchSession.run(at, live.n);
    return Number(this.#sql.insertRun.run(run.id, live.n, run.first).lastInsertRowid);
  }

  #endRun(live: LiveSession, run: LiveRun, {position, seq}: JournalFrame, at: number): void {
    this.#sql.touchSession.run(at, live.n);
    this.#sql.endRun.run(position, seq, run.n);
  }

  #insertDiagnostic(live: LiveSession, source: string, position: number, at: number): void {
    const n = ++live.diagnostic;
    const kept = source.slice(0, DIAGNOSTIC_CHARACTERS);
    this.#sql.insertDiagnostic.run(live.n, n, position, at, kept);
    this.#sql.deleteDiagnostics.run(live.n, n - DIAGNOSTICS);
  }

  #transaction(work: () => void): void {
    this.#ask(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        work();
        this.#db.exec('COMMIT');
      } catch (cause) {
        this.#rollBack();
        throw cause;
      }
    });
  }

  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // A full disk has rolled back by itself.
    }
  }

  /** Everything that is asked of the file goes through here, for its errors. */
  #ask<T>(work: () => T): T {
    if (this.#closed) throw new JournalError('closed', 'The journal is closed; the gateway is stopping.');
    try {
      return work();
    } catch (cause) {
      throw journalError(cause, this.#file);
    }
  }

  // Removing

  #doom(id: string, n: number): void {
    this.#transaction(() => {
      this.#sql.doom.run(n);
      this.#sql.deleteRuns.run(n);
      this.#sql.deleteSession.run(n);
    });
    const live = this.#live.get(id);
    this.#live.delete(id);
    live?.wake();
  }

  /** Deletes the rows of removed sessions in small steps, also those that a dead process left. */
  async #deleteDoomed(): Promise<void> {
    for (;;) {
      const doomed = this.#ask(() => this.#sql.nextDoomed.get()) as {session: number} | undefined;
      if (doomed === undefined) return;
      const {session} = doomed;
      const deleted = this.#ask(() =>
        Number(this.#sql.deleteFrames.run(session, session, DELETE_STEP).changes),
      );
      if (deleted === 0) {
        this.#transaction(() => {
          this.#sql.deleteDiagnostics.run(session, Number.MAX_SAFE_INTEGER);
          this.#sql.undoom.run(session);
        });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  // Reading

  #view(scope: JournalScope): View {
    if ('session' in scope) return {live: this.#session(scope.session), run: null};
    if (isSessionRun(scope.run)) {
      const live = this.#session(sessionOfRun(scope.run));
      return {live, run: live.runs.get(scope.run)!};
    }
    const row = this.#ask(() => this.#sql.run.get(scope.run)) as RunRow | undefined;
    if (row === undefined)
      throw new JournalError('unknown-run', `There is no run ${scope.run}. Load its session.`);
    const live = this.#session(row.session_id);
    return {live, run: live.runs.get(row.id) ?? liveRun(row, row.last_seq ?? 0)};
  }

  /** The position after which a reader goes on. */
  #startOf(view: View, after: string | null): number {
    const first = view.run === null || view.run.n === 0 ? 0 : view.run.first - 1;
    return Math.max(first, after === null ? 0 : (this.#positionOf(view.live, after) ?? 0));
  }

  /** Where the frame with an id stands; null when this session has no such frame. */
  #positionOf(live: LiveSession, id: string): number | null {
    const place = parseEventId(id);
    if (place === null) return null;
    const row = this.#ask(() => this.#rowOf(live, place.run, place.seq)) as {position: number} | undefined;
    return row?.position ?? null;
  }

  #rowOf(live: LiveSession, name: string, seq: number): unknown {
    if (name === sessionRunId(live.id)) return this.#sql.positionInSessionRun.get(live.n, seq);
    const run = this.#sql.run.get(name) as RunRow | undefined;
    if (run?.session !== live.n) return undefined;
    return this.#sql.positionInRun.get(live.n, run.first + seq - 1, run.n, seq);
  }

  /** A page for a follower whom the tail does not reach; never more than readers may see. */
  #behind(view: View, position: number): readonly JournalFrame[] {
    this.#mustHave(view.live);
    if (position >= view.live.committed) return [];
    return this.#ask(() => this.#page(view, position, PAGE_FRAMES, PAGE_CHARACTERS));
  }

  #page({live, run}: View, after: number, limit: number, characters: number): JournalFrame[] {
    const last = run?.end ?? Number.MAX_SAFE_INTEGER;
    const rows =
      run === null
        ? this.#sql.framesOfSession.iterate(live.n, after, limit)
        : this.#sql.framesOfRun.iterate(live.n, after, last, run.n, limit);
    const frames: JournalFrame[] = [];
    const own = sessionRunId(live.id);
    for (const row of rows as Iterable<{position: number; run: string | null; seq: number; data: string}>) {
      frames.push({position: row.position, run: row.run ?? own, seq: row.seq, data: row.data});
      if ((characters -= row.data.length) <= 0) break;
    }
    return frames;
  }

  // Records

  #row(id: string): SessionRow {
    const row = this.#ask(() => this.#sql.session.get(id)) as SessionRow | undefined;
    if (row) return row;
    throw new JournalError(
      'unknown-session',
      `There is no session ${id}. Create one, or load the list again.`,
    );
  }

  #sessionRun(id: string): RunRecord | null {
    const session = sessionOfRun(id);
    const row = this.#ask(() => this.#sql.session.get(session)) as SessionRow | undefined;
    if (row === undefined) return null;
    return {id, session, lastSeq: this.#lastOwnSeq(row.n), ended: false};
  }

  #runRecord(row: RunRow): RunRecord {
    const ended = row.last !== null;
    return {id: row.id, session: row.session_id, lastSeq: row.last_seq ?? this.#lastSeq(row), ended};
  }

  #lastSeq({session, first, n}: RunRow): number {
    return this.#number(() => this.#sql.lastSeq.get(session, first, n));
  }

  #lastOwnSeq(session: number): number {
    return this.#number(() => this.#sql.lastOwnSeq.get(session));
  }

  #number(query: () => unknown): number {
    return (this.#ask(query) as {value: number | null} | undefined)?.value ?? 0;
  }

  // Sessions in hand

  #session(id: string): LiveSession {
    const known = this.#live.get(id);
    if (known && !known.stale) return known;
    const row = this.#row(id);
    const live = known ?? new LiveSession(id, row.n);
    this.#load(live, row.fence);
    this.#live.delete(id);
    this.#live.set(id, live);
    this.#forgetIdle();
    return live;
  }

  /** Reads from the file how far a session is. */
  #load(live: LiveSession, fence: number): void {
    live.fence = fence;
    live.committed = live.position = this.#number(() => this.#sql.lastPosition.get(live.n));
    live.diagnostic = this.#number(() => this.#sql.lastDiagnostic.get(live.n));
    const open = this.#ask(() => this.#sql.openRunsOfSession.all(live.n)) as RunRow[];
    const before = new Map(live.runs);
    live.runs.clear();
    for (const row of open) {
      live.runs.set(row.id, Object.assign(before.get(row.id) ?? {}, liveRun(row, this.#lastSeq(row))));
    }
    const id = sessionRunId(live.id);
    const own = {id, n: 0, first: 1, seq: this.#lastOwnSeq(live.n), ending: false, end: null};
    live.runs.set(id, Object.assign(before.get(id) ?? {}, own));
    live.stale = false;
  }

  #mustHave(live: LiveSession): void {
    if (this.#live.get(live.id) !== live) {
      throw new JournalError('closed', `Session ${live.id} was removed, or the gateway is stopping.`);
    }
  }

  #forgetIdle(): void {
    if (this.#live.size <= IDLE_SESSIONS) return;
    let over = this.#live.size - IDLE_SESSIONS;
    for (const live of this.#live.values()) {
      if (over-- <= 0) return;
      if (live.idle) this.#live.delete(live.id);
    }
  }
}

/** The written frames by session; a run's terminal event is its end for readers from here on. */
function batches(queue: readonly Waiting[]): Map<LiveSession, JournalFrame[]> {
  const bySession = new Map<LiveSession, JournalFrame[]>();
  for (const {staged} of queue) {
    if (staged.frames.length === 0) continue;
    const batch = bySession.get(staged.live) ?? [];
    bySession.set(staged.live, batch);
    for (const {run, frame, terminal} of staged.frames) {
      batch.push(frame);
      if (!terminal) continue;
      run.end = frame.position;
      staged.live.runs.delete(run.id);
    }
  }
  return bySession;
}

/** The frames of one run; the batch itself when all are. */
function framesOf(run: LiveRun, batch: readonly JournalFrame[]): readonly JournalFrame[] {
  return batch.every((frame) => frame.run === run.id) ? batch : batch.filter((frame) => frame.run === run.id);
}

function liveRun({id, n, first, last}: RunRow, seq: number): LiveRun {
  return {id, n, first, seq, ending: last !== null, end: last};
}

function sessionRecord(row: SessionRow): SessionRecord {
  return {
    id: row.id,
    owner: row.owner,
    profile: row.profile,
    title: row.title,
    agentSessionId: row.agent_session_id,
    cwd: row.cwd,
    settings: JSON.parse(row.settings) as Record<string, unknown>,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
