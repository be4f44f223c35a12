/** The profile registry's contract: which profiles there are, which one a reader chose, and whether its agent can be had. */
import type {Profile} from './profile.js';

/** How an agent is reached: a program with its whole path, a socket where one listens, or Hermes Agent's HTTP API. */
export type AgentPlace =
  | {readonly command: string; readonly args: readonly string[]}
  | {readonly connect: NonNullable<Profile['connect']>}
  | {readonly upstreamUrl: string};

/**
 * Where the agent of a profile is, or why there is none, as a sentence that says what to do. One that is there and lacks
 * something can be tried all the same: what a session's own folder holds is known only there.
 */
export type Availability =
  | {readonly available: true; readonly place: AgentPlace; readonly reason: null}
  | {readonly available: false; readonly place: AgentPlace; readonly reason: string}
  | {readonly available: false; readonly place: null; readonly reason: string};

export interface ProfileRegistry {
  /** In the order in which readers see them. */
  readonly profiles: readonly Profile[];
  /** Refuses an unknown name with `profile-missing`. */
  get(name: string): Profile;
  /** The default for a subject's new sessions. */
  active(subject: string): Profile;
  /** Makes a profile the subject's default. Running sessions are untouched. */
  select(subject: string, name: string): Promise<Profile>;
  /** Looks, without starting anything; asked often, it looks every few seconds. */
  locate(profile: Profile): Promise<Availability>;
}
