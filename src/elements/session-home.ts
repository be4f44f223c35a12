/** Where something was written: the session shown then, told from others also after it was shown anew or given a name. */
import type {Session} from '../session/index.js';

export interface SessionHome {
  readonly session: object;
  readonly base: string | undefined;
  /** Missing until a first prompt has made the session. */
  readonly id: string | undefined;
}

export function homeOf(session: Session | null): SessionHome | null {
  if (!session) return null;
  const {base, sessionId} = session.source;
  return {session, base, id: sessionId || undefined};
}

/** True when both are one conversation. One object may be opened for another, and one conversation shown by many. */
export function isSameHome(a: SessionHome | null, b: SessionHome | null): boolean {
  if (!a || !b) return a === b;
  if (a.id !== undefined && b.id !== undefined) return a.id === b.id && a.base === b.base;
  return a.session === b.session;
}
