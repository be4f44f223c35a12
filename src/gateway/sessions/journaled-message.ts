/** Journaled messages: what of the wire may be kept. */
import type {TappedLine} from '../agent/agent.js';
import {objectAt, objectsAt, textAt, valueAt} from './loose.js';

/** The message without the tokens of tool servers, which are for the agent alone. */
export function journaledMessage({message}: TappedLine): TappedLine['message'] {
  const params = objectAt(message, 'params');
  if (valueAt(params, 'mcpServers') === undefined) return message;
  const mcpServers = objectsAt(params, 'mcpServers').map((server) => ({name: textAt(server, 'name')}));
  return {...message, params: {...params, mcpServers}};
}
