/** The first request: what we can do, and what the agent says of itself. */
import {PROTOCOL_VERSION, type InitializeRequest} from '@agentclientprotocol/sdk';
import {AgentError, type AgentInfo} from './agent.js';
import {isObject, textOf} from './json-rpc.js';

/** We offer what we carry out: no files and no terminals of ours (acp.md A5), but all that can be shown. */
export const initializeRequest = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: {
    fs: {readTextFile: false, writeTextFile: false},
    terminal: false,
    session: {notices: {}, compaction: {}, configOptions: {boolean: {}}},
  },
  clientInfo: {name: 'hermes-elements', version: '0.1.0'},
} satisfies InitializeRequest;

/** Throws an `AgentError` for an agent we cannot speak with. */
export function readAgentInfo(answer: unknown): AgentInfo {
  const raw = isObject(answer) ? answer : {};
  const version = raw['protocolVersion'];
  if (version !== PROTOCOL_VERSION) {
    const spoken = typeof version === 'number' ? `version ${version}` : 'an unknown version';
    throw new AgentError(
      'protocol',
      `The agent speaks ${spoken} of the Agent Client Protocol; version ${PROTOCOL_VERSION} is needed. Install one that does.`,
    );
  }
  const {agentInfo, agentCapabilities, authMethods} = raw;
  return {
    protocolVersion: version,
    name: isObject(agentInfo) ? textOf(agentInfo['name']) : null,
    version: isObject(agentInfo) ? textOf(agentInfo['version']) : null,
    capabilities: isObject(agentCapabilities) ? agentCapabilities : {},
    authMethods: Array.isArray(authMethods) ? authMethods.filter(isObject) : [],
    raw,
  };
}
