/**
 * Runtime limits: how many sessions of a profile are open at once. One process a session, and a place is given back only
 * when that process is gone, so this is the ceiling of processes too.
 */
import {GatewayError} from '../gateway-error.js';
import type {Profile} from '../profiles/profile.js';

export class RuntimeLimits {
  readonly #open = new Map<string, Set<string>>();

  /** Takes a place for a session, once. False when none is left. */
  take({name, maxConcurrentSessions}: Profile, session: string): boolean {
    const open = this.#open.get(name) ?? new Set();
    if (open.has(session)) return true;
    if (open.size >= maxConcurrentSessions) return false;
    this.#open.set(name, open.add(session));
    return true;
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

/** The refusal of a session for which no place can be made. */
export function tooManySessions({name, maxConcurrentSessions}: Profile): GatewayError {
  return new GatewayError(
    'too-many-sessions',
    `${name} already has ${maxConcurrentSessions} sessions at work, which is its limit. Wait until one is done, stop one, or raise maxConcurrentSessions of the profile.`,
    {profile: name, limit: maxConcurrentSessions},
  );
}
