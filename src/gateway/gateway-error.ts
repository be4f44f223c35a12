/** A refusal of the gateway: a closed code, a sentence that says what to do, and what the code's readers need beside it. */

/** Why the gateway refuses. `http/refusals.ts` gives each its status. */
export type GatewayErrorCode =
  | 'invalid-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'busy'
  | 'already-answered'
  | 'run-over'
  | 'too-many-sessions'
  | 'too-many-connections'
  | 'too-large'
  | 'unsupported-media-type'
  | 'overloaded'
  | 'unsupported'
  | 'profile-missing'
  | 'auth-required'
  | 'agent-failed'
  | 'stopping';

/** What `details` may hold goes to the reader as it is: nothing secret, no path of this machine. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly code: GatewayErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
