/** Launches: how the agent of a profile is reached for one session. */
import {join} from 'node:path';
import type {AgentLaunch} from './agent/agent.js';
import {childEnvironment} from './agent/child-environment.js';
import {GatewayError} from './gateway-error.js';
import {journaledConversation} from './http-upstream/conversation.js';
import type {Journal} from './journal/journal.js';
import type {Machine} from './profiles/machine.js';
import type {Profile} from './profiles/profile.js';
import type {ProfileRegistry} from './profiles/profile-registry.js';

export interface LaunchParts {
  readonly profiles: ProfileRegistry;
  readonly machine: Machine;
  readonly journal: Journal;
  readonly dataDir: string;
}

/** What an agent is wanted for. */
export interface LaunchPurpose {
  readonly profile: Profile;
  readonly cwd: string;
  readonly session: string;
}

/** How the agent is reached now. Refuses with `profile-missing` and the reason. */
export async function launch(
  {profiles, machine, journal, dataDir}: LaunchParts,
  {profile, cwd, session}: LaunchPurpose,
): Promise<AgentLaunch> {
  const found = await profiles.locate(profile);
  if (found.place === null) throw new GatewayError('profile-missing', found.reason, {profile: profile.name});
  const {place} = found;
  if ('connect' in place) return {connect: place.connect};
  if ('command' in place) {
    const {command, args} = place;
    const env = childEnvironment(machine.env, profile, machine.platform);
    // Our own agent has no place of its own: without one its sessions would end with each process.
    const kept = profile.runtimeType === 'demo' ? {HERMES_DEMO_DIR: join(dataDir, 'demo-agent')} : {};
    return {command, args, cwd, env: {...kept, ...env}};
  }
  const {apiKeyEnv: keyName, defaultModel: model} = profile;
  const key = keyName === null ? null : (profile.env[keyName] ?? machine.env[keyName] ?? null);
  const recall = () => journaledConversation(journal, session);
  return {upstream: {url: place.upstreamUrl, key, keyName, model, session, recall}};
}
