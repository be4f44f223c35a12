/** Request bodies: what a page sends to the gateway, and what it answers. */

/** A block of an ACP prompt, verbatim; only its `type` is known here. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** `POST sessions`. */
export interface CreateSessionRequest {
  /** Without one, the profile the caller chose last. */
  readonly profile?: string;
  /** Goes before the first prompt, if that brings none of its own. */
  readonly pageContext?: string;
  /** The folder to work in, below a root of the profile; relative ones start at its first root. */
  readonly cwd?: string;
}

/** The answer to `POST sessions`. */
export interface CreateSessionResponse {
  readonly sessionId: string;
}

/** `POST runs`. */
export interface StartRunRequest {
  readonly sessionId: string;
  readonly prompt: string | readonly ContentBlock[];
  /** Text of the page the reader is on; goes before the prompt and is not shown. */
  readonly pageContext?: string;
}

/** The answer to `POST runs`. */
export interface StartRunResponse {
  readonly runId: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** The URL of the run's stream. */
  readonly events: string;
}

/** `POST runs/:runId/permissions/:id`. The first answer wins; later ones get 409 with the outcome. */
export interface AnswerPermissionRequest {
  readonly optionId: string;
}

/** `PUT profiles/active`. */
export interface SelectProfileRequest {
  readonly profile: string;
}

/** A mode of an agent's session, as ACP names it. */
export interface AgentMode {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}

/** What a session's agent can do and how it is set, at the time of the answer; `mode.updated` and the like follow. */
export interface AgentFacts {
  readonly profile: string;
  readonly runtimeType: string;
  readonly modes: {readonly current: string; readonly available: readonly AgentMode[]} | null;
  /** ACP `configOptions`, verbatim: `{id, name, category, type, currentValue, options}`; an older list of models is one, `model`. */
  readonly options: readonly Readonly<Record<string, unknown>>[];
  /** ACP `availableCommands`, verbatim: `{name, description, input?}`. */
  readonly commands: readonly Readonly<Record<string, unknown>>[];
  /** True where a running agent takes a further instruction. */
  readonly canSteer: boolean;
  /** Kinds of content blocks a prompt may hold beside text and links to resources. */
  readonly accepts: readonly ('image' | 'audio' | 'resource')[];
}

/** `POST sessions/:id/mode`. */
export interface SetModeRequest {
  readonly mode: string;
}

/** `POST sessions/:id/config`. */
export interface SetOptionRequest {
  readonly id: string;
  readonly value: string | boolean;
}

/** `POST runs/:runId/steer`. */
export interface SteerRunRequest {
  readonly text: string;
}

/** The answer to `GET sessions/:id`: the settled history and where the live part goes on. */
export interface SessionResponse {
  /** A `hermes.transcript.v1`; null when nothing was said yet. */
  readonly transcript: object | null;
  /** How many turns there are before those of the transcript: `turn_from`, `turn_before` and `turn_limit` ask for some. */
  readonly earlier?: number;
  /** The id of the last frame the transcript holds. */
  readonly cursor: string | null;
  readonly activeRunId: string | null;
  /** Ids of the permissions the agent waits for: only these have buttons. */
  readonly pendingPermissions: readonly string[];
  readonly title?: string | null;
  /** Null before anything is known of it; a session keeps its profile, whichever is active now. */
  readonly agent?: AgentFacts | null;
}

/** The 409 to `POST runs` while another run goes on. */
export interface StartRunConflict {
  readonly error: string;
  readonly activeRunId: string;
}

/** The 409 to a permission that was answered before. */
export interface AnswerPermissionConflict {
  readonly error: string;
  readonly outcome: string;
  readonly optionId?: string | null;
}

/** What Hermes WebUI answers to a cancel. */
export interface WebuiCancelAnswer {
  readonly ok?: boolean;
  readonly cancelled?: boolean;
}

/** What Hermes WebUI answers to a steering text; accepted means delivered, never applied. */
export interface WebuiSteerAnswer {
  readonly accepted?: boolean;
  readonly fallback?: string | null;
}

/** What Hermes WebUI answers to the answer of an approval or a question. */
export interface WebuiApprovalAnswer {
  /** False when a different one is open. */
  readonly ok?: boolean;
  readonly stale_cleared?: boolean;
}
