/** Request bodies: what a page sends to the gateway, and what it answers (routes in design.md section 5). */

/** A block of an ACP prompt, verbatim; only its `type` is known here. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** `POST sessions`. */
export interface CreateSessionRequest {
  readonly profile?: string;
  readonly pageContext?: string;
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
