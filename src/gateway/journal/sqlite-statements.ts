/** The journal's SQL, prepared once, and the rows it gives. */
import type {Database, Statement} from './sqlite.js';

export interface SessionRow {
  readonly n: number;
  readonly id: string;
  readonly owner: string;
  readonly profile: string;
  readonly title: string | null;
  readonly agent_session_id: string | null;
  readonly cwd: string;
  readonly settings: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly fence: number;
}

export interface RunRow {
  readonly n: number;
  readonly id: string;
  /** Number and id of its session. */
  readonly session: number;
  readonly session_id: string;
  readonly first: number;
  readonly last: number | null;
  readonly last_seq: number | null;
}

const runs = `SELECT runs.*, sessions.id AS session_id FROM runs JOIN sessions ON sessions.n = runs.session`;
const frames = `SELECT position, runs.id AS run, seq, data FROM frames LEFT JOIN runs ON runs.n = frames.run`;

const statements = {
  insertSession: `INSERT INTO sessions
    (id, owner, profile, title, agent_session_id, cwd, settings, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  updateSession: `UPDATE sessions SET
    profile = ?, title = ?, agent_session_id = ?, cwd = ?, settings = ?, updated_at = ? WHERE id = ?`,
  touchSession: `UPDATE sessions SET updated_at = max(updated_at, ?) WHERE n = ?`,
  setFence: `UPDATE sessions SET fence = ? WHERE n = ?`,
  session: `SELECT * FROM sessions WHERE id = ?`,
  sessionsOfOwner: `SELECT * FROM sessions WHERE owner = ? ORDER BY updated_at DESC, n DESC`,
  unusedSessions: `SELECT id, n FROM sessions WHERE updated_at < ?
    AND NOT EXISTS (SELECT 1 FROM runs WHERE session = sessions.n AND last IS NULL)`,

  insertRun: `INSERT INTO runs (id, session, first) VALUES (?, ?, ?)`,
  endRun: `UPDATE runs SET last = ?, last_seq = ? WHERE n = ?`,
  run: `${runs} WHERE runs.id = ?`,
  runsOfSession: `${runs} WHERE runs.session = ? ORDER BY first`,
  openRuns: `${runs} WHERE last IS NULL ORDER BY runs.n`,
  openRunsOfSession: `${runs} WHERE runs.session = ? AND last IS NULL`,

  insertFrame: `INSERT INTO frames (session, position, run, seq, data, at, source) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  framesOfSession: `${frames} WHERE frames.session = ? AND position > ? ORDER BY position LIMIT ?`,
  framesOfRun: `${frames}
    WHERE frames.session = ? AND position > ? AND position <= ? AND frames.run = ? ORDER BY position LIMIT ?`,
  positionInRun: `SELECT position FROM frames
    WHERE session = ? AND position >= ? AND run = ? AND seq = ? ORDER BY position LIMIT 1`,
  positionInSessionRun: `SELECT position FROM frames WHERE session = ? AND seq = ? AND run = 0`,
  lastPosition: `SELECT max(position) AS value FROM frames WHERE session = ?`,
  lastSeq: `SELECT seq AS value FROM frames
    WHERE session = ? AND position >= ? AND run = ? ORDER BY position DESC LIMIT 1`,
  lastOwnSeq: `SELECT max(seq) AS value FROM frames WHERE session = ? AND run = 0`,

  insertDiagnostic: `INSERT INTO diagnostics (session, n, position, at, source) VALUES (?, ?, ?, ?, ?)`,
  deleteDiagnostics: `DELETE FROM diagnostics WHERE session = ? AND n <= ?`,
  lastDiagnostic: `SELECT max(n) AS value FROM diagnostics WHERE session = ?`,
  sources: `SELECT at, source FROM (
      SELECT * FROM (SELECT at, source, position, 0 AS n FROM frames
        WHERE session = ? AND source IS NOT NULL ORDER BY position DESC LIMIT ?)
      UNION ALL
      SELECT * FROM (SELECT at, source, position, n FROM diagnostics WHERE session = ? ORDER BY n DESC LIMIT ?)
    ) ORDER BY position DESC, n DESC LIMIT ?`,

  doom: `INSERT INTO doomed (session) VALUES (?)`,
  deleteRuns: `DELETE FROM runs WHERE session = ?`,
  deleteSession: `DELETE FROM sessions WHERE n = ?`,
  nextDoomed: `SELECT session FROM doomed LIMIT 1`,
  deleteFrames: `DELETE FROM frames WHERE session = ? AND position <=
    (SELECT min(position) FROM frames WHERE session = ?) + ?`,
  undoom: `DELETE FROM doomed WHERE session = ?`,
} as const;

export type Statements = Readonly<Record<keyof typeof statements, Statement>>;

export function prepareStatements(db: Database): Statements {
  const prepared = Object.entries(statements).map(([name, sql]) => [name, db.prepare(sql)]);
  return Object.fromEntries(prepared) as Statements;
}
