/** What a session's agent can do and how it is set: from the gateway's answer, then from what its stream says of changes. */
import {readData} from '../adapters/index.js';
import type {JsonObject, TurnEvent} from '../anchor/index.js';
import {asObject, ownList, ownObject, ownObjects, ownString, ownTrue} from '../anchor/json.js';
import type {AgentFacts, SourceEvent} from '../protocol/index.js';

/** The facts in an answer to `GET sessions/:id`; null when it has none. */
export function readAgent(payload: unknown): AgentFacts | null {
  const agent = ownObject(asObject(payload) ?? {}, 'agent');
  const profile = agent && ownString(agent, 'profile');
  if (!agent || profile === null) return null;
  return {
    profile,
    runtimeType: ownString(agent, 'runtimeType') ?? '',
    modes: readModes(ownObject(agent, 'modes')),
    options: ownObjects(agent, 'options'),
    commands: ownObjects(agent, 'commands'),
    canSteer: ownTrue(agent, 'canSteer'),
    accepts: ownList(agent, 'accepts').filter((kind) => typeof kind === 'string') as AgentFacts['accepts'],
  };
}

function readModes(modes: JsonObject | null): AgentFacts['modes'] {
  const current = modes && ownString(modes, 'current');
  if (!modes || current === null) return null;
  const available = ownObjects(modes, 'available').filter(({id}) => typeof id === 'string');
  return {
    current,
    available: available as readonly object[] as NonNullable<AgentFacts['modes']>['available'],
  };
}

type Change = (agent: AgentFacts, data: JsonObject) => AgentFacts;

const changes = new Map<unknown, Change>(
  Object.entries({
    'mode.updated': (agent, {mode}) =>
      agent.modes && typeof mode === 'string' ? {...agent, modes: {...agent.modes, current: mode}} : agent,
    'config.updated': (agent, data) =>
      Array.isArray(data['options']) ? {...agent, options: ownObjects(data, 'options')} : agent,
    'commands.updated': (agent, data) =>
      Array.isArray(data['commands']) ? {...agent, commands: ownObjects(data, 'commands')} : agent,
  } satisfies Record<string, Change>),
);

/** The facts after a batch. Frames are read again only where one of them is a change. */
export function agentAfter(
  agent: AgentFacts | null,
  turnEvents: readonly TurnEvent[],
  frames: readonly SourceEvent[],
): AgentFacts | null {
  if (!agent || !turnEvents.some(({name}) => changes.has(name))) return agent;
  let next = agent;
  for (const {data} of frames) {
    const read = readData(data);
    const change = read && changes.get(read['event']);
    if (change) next = change(next, read);
  }
  return next;
}
