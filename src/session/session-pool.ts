/** The pool: one session, and so one connection, for one source, however many elements show it. */
import {Session} from './session.js';
import {sourceNames, type SessionSource} from './source.js';

/** A session taken from the pool, until it is given back. */
export interface PooledSession {
  readonly session: Session;
  /** Gives it back. After the last one, and a microtask in which it may be taken again, it disconnects. */
  release(): void;
}

interface Entry {
  readonly source: SessionSource;
  readonly session: Session;
  holders: number;
}

const ADDRESSES: ReadonlySet<string> = new Set(['src', 'history', 'base']);

const entries = new Set<Entry>();

/**
 * The session of a source: one that is open already if an equal source is held, else the one `kept` from holding this
 * source before, else a new one, opened.
 */
export function acquireSession(source: SessionSource, kept: Session | null = null): PooledSession {
  // A session that is yet to be made is nobody else's.
  const isNew = source.base !== undefined && !source.sessionId;
  const known = isNew ? undefined : [...entries].find((entry) => isEqual(entry.source, source));
  const entry = known ?? {source, session: kept ?? new Session(), holders: 0};
  entry.holders++;
  entries.add(entry);
  if (known || kept) entry.session.connect();
  else entry.session.open(source);
  let held = true;
  return {
    session: entry.session,
    release() {
      if (!held) return;
      held = false;
      entry.holders--;
      // An element that is only moved is back before the microtask.
      queueMicrotask(() => {
        if (entry.holders > 0 || !entries.delete(entry)) return;
        entry.session.disconnect();
      });
    },
  };
}

function isEqual(a: SessionSource, b: SessionSource): boolean {
  // Headers, fetch and credentials count by identity: two objects may be two readers.
  return sourceNames.every(
    (name) => a[name] === b[name] || (ADDRESSES.has(name) && absolute(a[name]) === absolute(b[name])),
  );
}

function absolute(url: unknown): unknown {
  return typeof url === 'string' && typeof document === 'object' && URL.canParse?.(url, document.baseURI)
    ? new URL(url, document.baseURI).href
    : url;
}
