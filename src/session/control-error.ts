/** Control errors: why a server did not do what the reader wanted, as a sentence to show. */

/**
 * `stale`: the question is gone; `busy`: another run goes on, and is shown; `other-open`: another question is open;
 * `idle`: nothing runs; `closed`: the view went before the wish was passed on; `unsupported`: not on this server; `not-delivered`: taken, and not passed on; else the refusal
 * of the request.
 */
export type ControlErrorCode =
  'stale' | 'busy' | 'other-open' | 'idle' | 'closed' | 'unsupported' | 'not-delivered' | (string & {});

export class ControlError extends Error {
  override readonly name = 'ControlError';

  constructor(
    readonly code: ControlErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
