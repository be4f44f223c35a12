/** What the routes ask of the sessions. Every method refuses with a `GatewayError`. */
import type {
  CreateSessionRequest,
  CreateSessionResponse,
  SessionResponse,
  StartRunRequest,
  StartRunResponse,
} from '../../protocol/index.js';
import type {JournalScope} from '../journal/journal.js';
import type {ProfileView} from '../profiles/profile.js';

/** Who asks. A session is seen by its owner alone. */
export interface Caller {
  readonly subject: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly title: string | null;
  readonly profile: string;
  readonly runtimeType: string;
  readonly activeRunId: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Some of a session's turns, by their places in it, which never change; the last of those where there is a limit. */
export interface TurnWindow {
  readonly from?: number | undefined;
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface SessionService {
  create(caller: Caller, request: CreateSessionRequest): Promise<CreateSessionResponse>;
  list(caller: Caller): Promise<readonly SessionSummary[]>;
  /** Settled history, or a window of it, the cursor after it, the run that goes on, what the agent waits for, modes and options. */
  get(caller: Caller, session: string, window?: TurnWindow): Promise<SessionResponse>;
  remove(caller: Caller, session: string): Promise<void>;
  /** `busy` with `{activeRunId}` while a run goes on. */
  start(caller: Caller, request: StartRunRequest): Promise<StartRunResponse>;
  /** Resolves when the agent was told; the stream says what came of it. A run that has ended needs no stopping. */
  abort(caller: Caller, run: string): Promise<void>;
  /** `run-over` for a run that has ended, or is about to be stopped. */
  steer(caller: Caller, run: string, text: string): Promise<void>;
  /** `already-answered` with `{outcome, optionId}` for all but the first. */
  answer(caller: Caller, run: string, permission: string, optionId: string): Promise<void>;
  setMode(caller: Caller, session: string, mode: string): Promise<void>;
  setOption(caller: Caller, session: string, option: string, value: string | boolean): Promise<void>;
  /** Refuses what the caller may not read; else the scope to follow. */
  readable(caller: Caller, scope: JournalScope): Promise<JournalScope>;
  /** Somebody reads what `readable` gave, until the function that is returned is called. */
  reads(scope: JournalScope): () => void;
  diagnostics(caller: Caller, session: string): Promise<object>;
  profiles(caller: Caller): Promise<readonly ProfileView[]>;
  selectProfile(caller: Caller, name: string): Promise<readonly ProfileView[]>;
  health(): Promise<object>;
  /** No new runs; open ones get a terminal event; agents end. */
  stop(): Promise<void>;
}
