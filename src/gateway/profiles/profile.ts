/** A profile: which agent runs, how it is started and what it may do. */

/** `hermes_http` is Hermes Agent's own `/v1/runs`, which is read and journaled by us. */
export type RuntimeType = 'demo' | 'hermes' | 'reasonix' | 'generic' | 'hermes_http';

/** `ask` the reader; `allow-reads` answers read and search requests itself; `allow-all` and `deny` answer all. */
export type PermissionPolicy = 'ask' | 'allow-reads' | 'allow-all' | 'deny';

export interface Profile {
  readonly name: string;
  readonly runtimeType: RuntimeType;
  /** The program, a name on the path or an absolute path; null for a runtime that is reached by address. */
  readonly bin: string | null;
  readonly args: readonly string[];
  /** Address of an agent that listens already. */
  readonly connect: {readonly host: string; readonly port: number} | {readonly path: string} | null;
  /** Where sessions may work; absolute. The first is the default. */
  readonly cwdRoots: readonly string[];
  /** Added to the allowed part of our own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The name of the environment variable that holds the runtime's key; its value is passed on and never shown. */
  readonly apiKeyEnv: string | null;
  readonly models: readonly string[];
  readonly defaultModel: string | null;
  readonly policy: PermissionPolicy;
  readonly maxConcurrentSessions: number;
  /** Milliseconds; `permission` null waits for ever. */
  readonly timeouts: {
    readonly start: number;
    /** No line from the agent during a run, no permission open. */
    readonly idle: number;
    readonly permission: number | null;
    /** After the prompt's answer, for late updates. */
    readonly grace: number;
    /** From `session/cancel` to the kill ladder. */
    readonly cancel: number;
    /** A session without a run keeps its process this long. */
    readonly keep: number;
  };
  /** Where `hermes_http` is. */
  readonly upstreamUrl: string | null;
}

/** What a reader sees of a profile: no environment, no path. */
export interface ProfileView {
  readonly name: string;
  readonly runtimeType: RuntimeType;
  readonly active: boolean;
  readonly available: boolean;
  /** Why not, as a sentence that says what to do; null when it is available. */
  readonly reason: string | null;
  readonly models: readonly string[];
  readonly defaultModel: string | null;
  readonly policy: PermissionPolicy;
  readonly sessions: number;
  readonly maxConcurrentSessions: number;
  /** What the agent said of itself when it last started. */
  readonly agent: {readonly name: string | null; readonly version: string | null} | null;
}
