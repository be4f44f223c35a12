/** Errors of the page's own code, where ours calls it. */

/** Tells the page of an error as of one that nobody caught. What called the page goes on. */
export function report(cause: unknown): void {
  if (typeof reportError === 'function') return reportError(cause);
  // Outside pages it ends as any other that nobody caught.
  queueMicrotask(() => {
    throw cause;
  });
}
