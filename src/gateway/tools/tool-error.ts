/** A refusal of a note tool: a closed code, a sentence that the agent can act on, and what stands there now. */

/** `conflict` carries the current text, so that the agent can try again. */
export type ToolErrorCode =
  | 'invalid'
  | 'not-found'
  | 'conflict'
  | 'exists'
  | 'forbidden'
  | 'too-large'
  | 'timeout'
  | 'cancelled'
  | 'unavailable'
  | 'failed';

/** The document as it is, where that is why an edit was refused. */
export interface CurrentDocument {
  readonly docId: string;
  readonly revision: string;
  readonly markdown: string;
}

export class ToolError extends Error {
  override readonly name = 'ToolError';

  constructor(
    readonly code: ToolErrorCode,
    message: string,
    readonly current: CurrentDocument | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
