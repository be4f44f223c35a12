/** The state of one session on one connection: small heads that are replaced, and text as ropes that grow. */
import type {RunPermissionOption, RunToolFields} from '../run-event.js';
import type {PermissionAnswerer} from './observation.js';
import type {PromptEcho} from './prompt.js';
import type {Ending} from './ending.js';
import type {UsageTold} from './usage.js';

/** Text of one channel since its last boundary. */
export interface OpenText {
  /** The agent's id for it; undefined where it gives none. */
  readonly agentId: string | undefined;
  /** The id in our events: the agent's, or one of our own. */
  readonly id: string;
  /** A rope: only appended to, and read when a resend of the same length comes, or at the end. */
  readonly text: string;
  /** How many chunks it came in. */
  readonly chunks: number;
}

/** A tool call, as far as it is known. */
export interface AcpTool extends RunToolFields {
  readonly tool_call_id: string;
  readonly startedAt: number;
  /** False while only a permission request has named it. */
  readonly announced: boolean;
  /** The reader refused it. */
  readonly denied: boolean;
}

/** A permission request without an answer. */
export interface AcpPermission {
  readonly permissionId: string;
  /** The agent's JSON-RPC id, to be answered with. */
  readonly requestId: unknown;
  /** The agent's session, which may be a child of ours. */
  readonly acpSessionId: string | null;
  readonly runId: string;
  readonly callId: string | undefined;
  readonly options: readonly RunPermissionOption[];
}

/** A prompt and what has come of it. */
export interface AcpRun {
  readonly id: string;
  readonly turnId: string;
  /** Key of the prompt's JSON-RPC id. */
  readonly request: string;
  /** Position of its last event. */
  readonly seq: number;
  readonly echo: PromptEcho;
  readonly message: OpenText | null;
  readonly thought: OpenText | null;
  /** How many messages got an id of our own. */
  readonly named: number;
  /** The last message's text, unless a tool was started after it: what `run.completed` calls output. */
  readonly output: string;
  /** a chunk that says the whole message again: dropped if it is the last thing before the prompt's answer. */
  readonly held: string | null;
  /** True once the agent has said or done anything. */
  readonly active: boolean;
  /** Calls that are not over. */
  readonly tools: ReadonlyMap<string, AcpTool>;
  /** The last calls that are over, so that what comes late is joined to them. */
  readonly finished: ReadonlyMap<string, AcpTool>;
  readonly permissions: number;
  /** A cancel was sent. */
  readonly cancelled: boolean;
  readonly usage: UsageTold;
  /** Text of a compaction's summary, while it comes. */
  readonly summary: string;
  /** The kind of trouble the runtime has told of, such as `auth`. */
  readonly trouble: string | null;
  /** The answer to the prompt, once it is in. */
  readonly ending: Ending | null;
  readonly lastAt: number;
  /** Its prompt was not taken up and will be sent once more. */
  readonly again: boolean;
  /** It waited for another run's end and has shown nothing yet. */
  readonly promoted: boolean;
}

/** A request of the client that has no answer yet. */
export interface PendingRequest {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly value: string | undefined;
}

/** What is known of a session on a connection. A value: `step` returns the next one and leaves this one as it was. */
export interface AcpState {
  readonly publicId: string | null;
  readonly acpSessionId: string | null;
  /** True once a prompt, or the options, have said which session is meant. */
  readonly isSure: boolean;
  readonly known: ReadonlySet<string>;
  readonly runs: number;
  readonly sessionSeq: number;
  readonly runtime: string;
  /** Names of the ways to sign in that the agent has offered. */
  readonly signIns: readonly string[];
  /** The run that updates belong to. */
  readonly run: AcpRun | null;
  /** Prompts sent while another one had no answer. */
  readonly queued: readonly AcpRun[];
  readonly pending: ReadonlyMap<string, PendingRequest>;
  /** Keys of the requests (and `gateway`) whose replay goes on. */
  readonly replays: ReadonlySet<string>;
  readonly permissions: ReadonlyMap<string, AcpPermission>;
  readonly nextRun: {readonly runId: string; readonly turnId: string; readonly profile?: string} | null;
  readonly nextPermissions: ReadonlyMap<string, {readonly permissionId: string; readonly expiresAt?: number}>;
  readonly answerers: ReadonlyMap<string, PermissionAnswerer>;
  readonly sessionPermissions: number;
  readonly mode: string | null;
  readonly config: string | null;
  readonly malformed: number;
  readonly foreign: number;
}

/** Where a fold begins. */
export interface AcpOptions {
  /** The public id of the session; without one the agent's. */
  readonly sessionId?: string;
  readonly acpSessionId?: string | null;
  /** How many runs there were. */
  readonly runs?: number;
  /** Position of the last event of `s.<session>`. */
  readonly sessionSeq?: number;
  /** `hermes`, `reasonix`, `opencode`, …; without it what the agent calls itself. */
  readonly runtimeType?: string;
}

/** The state before the first message. */
export function createAcpState(options: AcpOptions = {}): AcpState {
  const {sessionId = null, acpSessionId = null, runs = 0, sessionSeq = 0, runtimeType = ''} = options;
  return {
    publicId: sessionId,
    acpSessionId,
    isSure: acpSessionId !== null,
    known: new Set(acpSessionId === null ? [] : [acpSessionId]),
    runs,
    sessionSeq,
    runtime: runtimeType.toLowerCase(),
    signIns: [],
    run: null,
    queued: [],
    pending: new Map(),
    replays: new Set(),
    permissions: new Map(),
    nextRun: null,
    nextPermissions: new Map(),
    answerers: new Map(),
    sessionPermissions: 0,
    mode: null,
    config: null,
    malformed: 0,
    foreign: 0,
  };
}

/** What a recorder asks of a state. */
export interface AcpFacts {
  /** The run that goes on, its grace window included; null between runs. */
  readonly activeRun: string | null;
  /** The prompt's answer is in and the terminal event is due. */
  readonly ended: boolean;
  /** True once a cancel was sent for the active run. */
  readonly cancelled: boolean;
  /** Permission requests without an answer, by public id. */
  readonly permissions: ReadonlyMap<string, AcpPermission>;
  /** Ids of the calls that are not over. */
  readonly openTools: readonly string[];
  readonly acpSessionId: string | null;
  /** Runs there were, the active one included. */
  readonly runs: number;
  readonly sessionSeq: number;
  /** Messages that could not be read, and those of other sessions. */
  readonly malformed: number;
  readonly foreign: number;
}

/** The facts of a state. */
export function acpFacts(state: AcpState): AcpFacts {
  const {run, permissions, acpSessionId, runs, sessionSeq, malformed, foreign} = state;
  return {
    activeRun: run?.id ?? null,
    ended: run?.ending != null,
    cancelled: run?.cancelled ?? false,
    permissions: new Map([...permissions.values()].map((open) => [open.permissionId, open])),
    openTools:
      run === null
        ? []
        : [...run.tools.values()].filter((tool) => tool.announced).map((tool) => tool.tool_call_id),
    acpSessionId,
    runs,
    sessionSeq,
    malformed,
    foreign,
  };
}

/** A JSON-RPC id as a key: 1 and "1" are two. */
export function requestKey(id: unknown): string {
  return JSON.stringify(id) ?? '';
}
