/** Why something a reader wanted did not happen, in words to show. */
export function sentenceOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
