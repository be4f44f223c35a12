/** Command errors: what the command says to whoever typed it, and how it ends. */

/** `usage`: it was typed wrong. `failure`: what it was given cannot be shown. */
export type CommandErrorCode = 'usage' | 'failure';

/** A sentence for the terminal. Everything else that is thrown is a fault of ours and shows its stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly code: CommandErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** 2 for what was typed wrong, 1 for the rest. */
  get exitCode(): 1 | 2 {
    return this.code === 'usage' ? 2 : 1;
  }
}
