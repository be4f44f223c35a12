/** Run ids: `<session>.<n>`, and `s.<session>` for what a session says beside its turns. */

/** The session a run's id names. */
export function sessionOfRun(run: string): string {
  return run.startsWith('s.') ? run.slice(2) : run.slice(0, Math.max(run.lastIndexOf('.'), 0));
}

export function sessionRun(session: string): string {
  return `s.${session}`;
}
