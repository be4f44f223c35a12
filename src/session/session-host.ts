/** The session as its lazily loaded part sees it: what it may read, and what it may do. */
import type {Clock, ConnectionState, EventStream} from '../transport/index.js';
import type {Page} from '../transport/page-life.js';
import type {AgentFacts} from '../protocol/index.js';
import type {SessionProblem} from './problem.js';
import type {CopyStorage} from './recovery-cache.js';
import type {Settled} from './settled.js';
import type {SessionSource} from './source.js';

/** What a session waits by and lives in; given by tests. */
export interface SessionOptions {
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** After how long a silence a connection counts as dead, in ms; 45 s when not given. */
  readonly longestSilence?: number | undefined;
  /** The page whose life the connections follow. */
  readonly page?: Page | null | undefined;
  /** Where the recovery copy is kept. */
  readonly storage?: CopyStorage | null | undefined;
}

/** What is known of `pendingControls` while the server's word on them is awaited, or could not be had. */
export type PendingLook =
  | {readonly phase: 'asking'; readonly message: null}
  /** The message says why, and what the reader can do. */
  | {readonly phase: 'failed'; readonly message: string};

export interface SessionHost {
  readonly options: SessionOptions;
  source: SessionSource;
  /** The stream of a run, or a gateway's of the session; null when none was opened yet. */
  stream: EventStream | null;
  /** Ends with the present connection; null while disconnected. What an earlier one still brings is dropped. */
  signal: AbortSignal | null;
  connection: ConnectionState;
  problem: SessionProblem | null;
  pendingControls: ReadonlySet<string>;
  /** Null when the server has said which those are. */
  pendingLook: PendingLook | null;
  /** What the agent can do; null where the server does not say. */
  agent: AgentFacts | null;
  /** Reads a stream in place of the present one. */
  follow(url: string, run: string | null, more?: FollowOptions): void;
  /** Asks for a settled payload and takes it in. Null when that failed; the problem then says why. */
  load(url: string, isPage?: boolean): Promise<Settled | null>;
  /** Shows another source from now on. */
  open(source: SessionSource): void;
  /** Tells all that listen: of so many pieces of a text, else of anything. */
  tell(pieces?: number): void;
}

export interface FollowOptions {
  /** Where it goes on; by default where the run stands. */
  readonly cursor?: string | null;
  /** True for a stream that goes on after the end of a run. */
  readonly endless?: boolean;
}
