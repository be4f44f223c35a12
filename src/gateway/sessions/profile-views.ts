/** Profile views: what readers see of the profiles, with what the sessions know of them. */
import type {AgentInfo} from '../agent/agent.js';
import type {Profile, ProfileView} from '../profiles/profile.js';
import type {ProfileRegistry} from '../profiles/profile-registry.js';
import type {RuntimeLimits} from './runtime-limits.js';

/** What the agents of the profiles said of themselves when they last started; one entry a profile. */
export type LastAgents = ReadonlyMap<string, AgentInfo>;

export function profileViews(
  registry: ProfileRegistry,
  active: string | null,
  limits: RuntimeLimits,
  agents: LastAgents,
): Promise<readonly ProfileView[]> {
  return Promise.all(registry.profiles.map((profile) => view(profile, registry, active, limits, agents)));
}

async function view(
  profile: Profile,
  registry: ProfileRegistry,
  active: string | null,
  limits: RuntimeLimits,
  agents: LastAgents,
): Promise<ProfileView> {
  const {name, runtimeType, models, defaultModel, policy, maxConcurrentSessions} = profile;
  const {available, reason} = await registry.locate(profile);
  const info = agents.get(name);
  return {
    name,
    runtimeType,
    active: name === active,
    available,
    reason,
    models,
    defaultModel,
    policy,
    sessions: limits.count(name),
    maxConcurrentSessions,
    agent: info ? {name: info.name, version: info.version} : null,
  };
}
