/** What a session's agent can do and how it is set: from the gateway's answer, then from what its stream says of changes. */
import {readData} from '../adapters/index.js';
import type {TurnEvent} from '../anchor/index.js';
import type {AgentFacts, SourceEvent} from '../protocol/index.js';

/** The facts in an answer to `GET sessions/:id`; null when it has none. */
export function readAgent(payload: unknown): AgentFacts | null {
  const {agent} = (payload ?? {}) as {agent?: AgentFacts | null};
  return typeof agent?.profile === 'string' ? agent : null;
}

type Change = (agent: AgentFacts, data: Readonly<Record<string, unknown>>) => AgentFacts;

const changes = new Map<unknown, Change>(
  Object.entries({
    'mode.updated': (agent, {mode}) =>
      agent.modes && typeof mode === 'string' ? {...agent, modes: {...agent.modes, current: mode}} : agent,
    'config.updated': (agent, {options}) =>
      Array.isArray(options) ? {...agent, options: options as AgentFacts['options']} : agent,
    'commands.updated': (agent, {commands}) =>
      Array.isArray(commands) ? {...agent, commands: commands as AgentFacts['commands']} : agent,
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
