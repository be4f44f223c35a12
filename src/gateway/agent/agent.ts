/**
 * An agent: one process (or connection) that speaks ACP, as the rest of the gateway sees it.
 *
 * `**agent stdio → ACP lines** → recorder → journal → SSE frames`
 */
import type {Clock} from '../clock.js';

/** How an agent is reached: a command of ours, a socket where one listens already, or Hermes Agent's HTTP API. */
export type AgentLaunch =
  | {
      readonly command: string;
      readonly args: readonly string[];
      /** The whole environment of the child; see child-environment.ts. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | {readonly connect: {readonly host: string; readonly port: number} | {readonly path: string}}
  | UpstreamLaunch;

/** Hermes Agent's `/v1/runs`, which is spoken to from this process. */
export interface UpstreamLaunch {
  readonly upstream: {
    readonly url: string;
    /** The key, and the name of the variable it came from, for sentences. */
    readonly key: string | null;
    readonly keyName: string | null;
    readonly model: string | null;
    /** Our id of the session, which Hermes gets too. */
    readonly session: string;
    /** What was said in it before, oldest first. */
    recall(): Promise<readonly {readonly role: 'user' | 'assistant'; readonly content: string}[]>;
    /** In place of the usual waiting times, in ms. */
    readonly times?: Partial<Record<'silenceMs' | 'pollMs' | 'patienceMs', number>>;
  };
}

/** A JSON-RPC message as it stood on the wire, before any library read it. */
export interface TappedLine {
  readonly from: 'client' | 'agent';
  /** The line without its end. */
  readonly text: string;
  readonly message: JsonRpcObject;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type JsonRpcObject = Readonly<Record<string, unknown>>;

/** What an agent said of itself at `initialize`; verbatim beside the few fields read here. */
export interface AgentInfo {
  readonly protocolVersion: number;
  readonly name: string | null;
  readonly version: string | null;
  readonly capabilities: JsonRpcObject;
  readonly authMethods: readonly JsonRpcObject[];
  readonly raw: JsonRpcObject;
}

/** Why an agent is gone. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** `stopped` by us, `exited` by itself, `failed` to start or to speak. */
  readonly reason: 'stopped' | 'exited' | 'failed';
  /** A sentence for the reader. No path, no secret. */
  readonly message: string;
}

/** A permission request of the agent, with its own opaque id. The answer is the ACP `outcome` object. */
export interface AgentPermissionRequest {
  readonly requestId: unknown;
  /** The ACP session it names: maybe a child session nobody knows. */
  readonly sessionId: string | null;
  readonly params: JsonRpcObject;
  /** Aborts when the agent takes the request back, or is gone: it was answered `cancelled` then, whatever comes later. */
  readonly signal: AbortSignal;
}

export type PermissionOutcome =
  {readonly outcome: 'selected'; readonly optionId: string} | {readonly outcome: 'cancelled'};

/** What the owner of an agent hears. */
export interface AgentListener {
  /**
   * Every message of both directions, in the order of the wire, noise left out. A promise holds back the reading of what
   * follows until it settles, so whoever cannot keep up keeps the agent waiting; a rejection, like a throw, ends the agent.
   */
  onLine(line: TappedLine): void | Promise<unknown>;
  /** Called after `onLine` for the same request. Settles by the reader, the policy, a timeout, a cancel or the exit. */
  onPermission(request: AgentPermissionRequest): Promise<PermissionOutcome>;
  /** Once, for an agent that was opened. All its lines were told and every pending request has been rejected by then. */
  onExit(exit: AgentExit): void;
}

export interface AgentLimits {
  /** Until `initialize` is answered, in ms. */
  readonly startMs: number;
  /** After stdin is closed, and again after SIGTERM to the group, in ms. */
  readonly graceMs: number;
  /** The longest line either way, in bytes. */
  readonly maxLineBytes: number;
}

export interface Agent {
  readonly info: AgentInfo;
  readonly exit: AgentExit | null;
  /** The last lines of stderr and of noise on stdout, secrets removed; bounded. */
  readonly diagnostics: {
    readonly stderr: readonly string[];
    readonly noise: readonly string[];
    readonly noiseCount: number;
  };
  /** Milliseconds since 1970 of the last line from the agent. */
  readonly lastHeardAt: number;
  /**
   * The result of a request; null counts as `{}` where the protocol promises an object. Rejects with an `AgentError`;
   * `signal` stops the waiting and tells the agent. There is no time limit but the caller's.
   */
  request(method: string, params: object, options?: {readonly signal?: AbortSignal}): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Whether the process answers at all: an unknown request is refused within `ms`. */
  isAlive(ms: number): Promise<boolean>;
  /** Ends it: stdin, then SIGTERM to the group, then SIGKILL. The same promise for every caller. */
  stop(): Promise<AgentExit>;
}

/** `rejected`: the agent answered with a JSON-RPC error. `gone`: it ended first. `timeout`: it did not answer. */
export type AgentErrorCode = 'rejected' | 'gone' | 'timeout' | 'not-found' | 'aborted' | 'protocol';

export class AgentError extends Error {
  override readonly name = 'AgentError';

  constructor(
    readonly code: AgentErrorCode,
    message: string,
    /** The JSON-RPC error of a rejection. */
    readonly rpc: {readonly code: number; readonly message: string; readonly data?: unknown} | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface OpenAgentOptions {
  readonly limits: AgentLimits;
  readonly clock: Clock;
  /** Where word of each running agent is left for `reapLeftovers`; made if need be. */
  readonly pidFolder?: string;
  /** Gives up the start. */
  readonly signal?: AbortSignal;
}

/** Starts an agent and initializes it. Rejects with an `AgentError` when it cannot be had; nothing is left of it then. */
export type OpenAgent = (
  launch: AgentLaunch,
  listener: AgentListener,
  options: OpenAgentOptions,
) => Promise<Agent>;
