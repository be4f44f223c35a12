/** Tells the page what a function of its own failed with, as an error nobody caught; the same once: in one text it may fail many times. */
const told = new WeakMap<object, Set<string>>();

export function tellPage(of: object, cause: unknown): void {
  const known = told.get(of) ?? new Set<string>();
  told.set(of, known);
  if (!known.has(String(cause))) reportError(cause);
  known.add(String(cause));
}
