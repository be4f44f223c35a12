/**
 * Run ids of our gateway: `<session>.<n>`, and `s.<session>` for what a session says beside its turns, which is never a
 * turn.
 */

/** The run of session-level events. */
export function sessionRunId(session: string): string {
  return `s.${session}`;
}

/** Whether a run is some session's own. */
export function isSessionRun(run: string): boolean {
  return run.startsWith('s.');
}

/** The session a run's id names. */
export function sessionOfRun(run: string): string {
  return isSessionRun(run) ? run.slice(2) : run.slice(0, Math.max(run.lastIndexOf('.'), 0));
}
