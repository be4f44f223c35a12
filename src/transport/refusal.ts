/** Refusals: what an HTTP status means to us, one table for streams and requests. */

/** Why a server did not do what was asked, told from its status. */
export type RefusalCode =
  'unauthorized' | 'forbidden' | 'not-found' | 'conflict' | 'refused' | 'server-error';

/** The refusal a status stands for; null when it stands for none. */
export function refusalOf(status: number): RefusalCode | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 500 || transient.has(status)) return 'server-error';
  return byStatus.get(status) ?? 'refused';
}

// Timeout, too early, too many: the same request may succeed later.
const transient: ReadonlySet<number> = new Set([408, 425, 429]);

const byStatus: ReadonlyMap<number, RefusalCode> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [409, 'conflict'],
  [410, 'not-found'],
]);

/** A sentence for each refusal that says what to do. */
export const refusalSentences: Readonly<Record<RefusalCode, string>> = {
  unauthorized: 'The server wants a sign-in. Sign in again, then retry.',
  forbidden: 'The server does not allow this. Check the account and its rights.',
  'not-found': 'The server does not know this any more. Load the history instead.',
  conflict: 'The server is busy with something else. Wait for it, then retry.',
  refused: 'The server refused the request. Check the address and what was sent.',
  'server-error': 'The server failed or is overloaded. Retry in a moment.',
};
