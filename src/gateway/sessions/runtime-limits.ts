/**
 * Runtime limits: how many sessions of a profile are open at once. One process a session, and a place is given back only
 * when that process is gone, so this is the ceiling of processes too.
 */
import {GatewayError} from '../gateway-error.js';
import type {Profile} from '../profiles/profile.js';

export class RuntimeLimits {
  readonly #open = new Map<string, Set<string>>();

  /** Takes a place for a session, once; refuses with `too-many-sessions`. */
  take(profile: Profile, session: string): void {
    const open = this.#open.get(profile.name) ?? new Set();
    if (open.has(session)) return;
    if (open.size >= profile.maxConcurrentSessions) throw tooMany(profile);
    this.#open.set(profile.name, open.add(session));
  }

  release(profile: string, session: string): void {
    const open = this.#open.get(profile);
    if (open?.delete(session) && open.size === 0) this.#open.delete(profile);
  }

  /** How many sessions of a profile are open. */
  count(profile: string): number {
    return this.#open.get(profile)?.size ?? 0;
  }

  get total(): number {
    return [...this.#open.values()].reduce((sum, open) => sum + open.size, 0);
  }
}

function tooMany({name, maxConcurrentSessions}: Profile): GatewayError {
  return new GatewayError(
    'too-many-sessions',
    `${name} already has ${maxConcurrentSessions} open sessions, which is its limit. Close one, wait until an idle one rests, or raise maxConcurrentSessions of the profile.`,
    {profile: name, limit: maxConcurrentSessions},
  );
}
