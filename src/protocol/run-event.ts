/**
 * Run events: what the gateway says of a run, one JSON object a frame, and what `hermes-runs` reads.
 *
 * Names and fields keep the contract that existing front ends speak, and add to it; `timestamp` and `duration` are seconds
 * with fraction. A list of types, so it holds no code but the names.
 */

/** What every run event carries beside its own fields. Hermes Agent's own stream has no `seq` and no `session_id`. */
export interface RunEventHead {
  readonly run_id: string;
  /** From 1, without gaps. */
  readonly seq: number;
  readonly session_id: string;
  /** Seconds since 1970, with fraction. */
  readonly timestamp: number;
}

/** Any JSON value, as agents send it. */
export type Loose = unknown;

/** What a tool event says of its call: everything known so far, so that each stands by itself. */
export interface RunToolFields {
  readonly tool: string;
  readonly tool_call_id?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly input?: Loose;
  readonly output?: Loose;
  /** ACP tool content: `content`, `diff` and `terminal` blocks. */
  readonly content?: readonly Loose[];
  readonly locations?: readonly {readonly path: string; readonly line?: number | null}[];
}

export interface RunTokenUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly total_tokens?: number;
}

export type RunFailure = 'error' | 'interrupted' | 'connection_lost' | 'compression_exhausted';

export interface RunPermissionOption {
  readonly id: string;
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`, or something newer. */
  readonly kind: string;
}

/** Event names and their own fields. */
export interface RunEventFields {
  'run.started': {readonly turn_id?: string; readonly prompt?: string; readonly profile?: string};
  /** `content` holds a block that is not text; `delta` is then empty. */
  'message.delta': {readonly delta: string; readonly message_id?: string; readonly content?: Loose};
  'thought.delta': {readonly delta: string; readonly message_id?: string};
  'tool.started': RunToolFields & {readonly preview?: string};
  'tool.updated': RunToolFields;
  'tool.completed': RunToolFields & {readonly duration?: number; readonly error?: boolean};
  'plan.updated': {
    readonly entries: readonly {
      readonly content: string;
      readonly status: string;
      readonly priority?: string;
    }[];
  };
  'permission.requested': {
    readonly permission_id: string;
    readonly tool_call_id?: string;
    readonly title?: string;
    readonly kind?: string;
    readonly input?: Loose;
    readonly content?: readonly Loose[];
    readonly options: readonly RunPermissionOption[];
    /** Seconds since 1970. */
    readonly expires_at?: number;
  };
  'permission.resolved': {
    readonly permission_id: string;
    readonly outcome: 'selected' | 'cancelled';
    readonly option_id?: string;
    /** Kind of the chosen option, so that a reader without memory can tell a refusal. */
    readonly option_kind?: string;
    readonly by: 'reader' | 'policy' | 'timeout' | 'cancel';
  };
  /** The context window, and what an agent tells of tokens and cache before the run's end. */
  'usage.updated': RunTokenUsage & {
    readonly used?: number;
    readonly size?: number;
    readonly cost?: Loose;
    readonly cacheHitRate?: number;
    readonly cacheHitTokens?: number;
  };
  'session.info': {readonly title?: string | null; readonly updated_at?: string | null};
  'commands.updated': {readonly commands: readonly Loose[]};
  'mode.updated': {readonly mode: string};
  'config.updated': {readonly options: readonly Loose[]};
  /** `severity` as the agent says it: info, warning, error, or something newer. */
  notice: {readonly text: string; readonly topic?: string; readonly severity?: string};
  compaction: {
    readonly status: 'running' | 'completed' | 'error';
    readonly text?: string;
    readonly compaction_id?: string;
  };
  /** An update newer than us, verbatim. */
  'agent.update': {readonly update: Loose};
  'run.completed': {
    readonly output: string;
    readonly stop_reason?: string;
    readonly usage?: RunTokenUsage;
    readonly cacheHitRate?: number;
    readonly cacheHitTokens?: number;
  };
  'run.failed': {
    readonly error: string;
    readonly code?: string;
    readonly hint?: string;
    readonly terminal_state?: RunFailure;
  };
  'run.cancelled': {
    readonly reason?: string;
    readonly usage?: RunTokenUsage;
    readonly cacheHitRate?: number;
    readonly cacheHitTokens?: number;
  };
}

export type RunEventName = keyof RunEventFields;

/** One run event of a given name, or any of them. */
export type RunEvent<Name extends RunEventName = RunEventName> = {
  [Each in Name]: RunEventHead & {readonly event: Each} & RunEventFields[Each];
}[Name];

/** Every name, in no order that means anything. The compiler checks that none is missing or invented. */
export const runEventNames: readonly RunEventName[] = Object.keys({
  'run.started': 0,
  'message.delta': 0,
  'thought.delta': 0,
  'tool.started': 0,
  'tool.updated': 0,
  'tool.completed': 0,
  'plan.updated': 0,
  'permission.requested': 0,
  'permission.resolved': 0,
  'usage.updated': 0,
  'session.info': 0,
  'commands.updated': 0,
  'mode.updated': 0,
  'config.updated': 0,
  notice: 0,
  compaction: 0,
  'agent.update': 0,
  'run.completed': 0,
  'run.failed': 0,
  'run.cancelled': 0,
} satisfies Record<RunEventName, 0>) as RunEventName[];

/** The names with which a run ends. */
export type RunTerminalName = 'run.completed' | 'run.failed' | 'run.cancelled';

export const runTerminalNames: ReadonlySet<string> = new Set<RunTerminalName>([
  'run.completed',
  'run.failed',
  'run.cancelled',
]);
