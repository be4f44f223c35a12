/** Capabilities: what an agent said at `initialize` that it can do, by the names the protocol and the vendors use. */
import type {JsonRpcObject} from '../agent/agent.js';
import {objectAt, textAt, valueAt} from './loose.js';

export interface Capabilities {
  /** Kinds of prompt blocks beyond text and links to resources, which every agent takes. */
  readonly prompt: {readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean};
  readonly httpTools: boolean;
  readonly load: boolean;
  readonly resume: boolean;
  readonly close: boolean;
  /** The vendor's method to steer a running turn; null where there is none. */
  readonly steerMethod: string | null;
}

export function readCapabilities(raw: JsonRpcObject): Capabilities {
  const prompt = objectAt(raw, 'promptCapabilities');
  const session = objectAt(raw, 'sessionCapabilities');
  return {
    prompt: {
      image: valueAt(prompt, 'image') === true,
      audio: valueAt(prompt, 'audio') === true,
      embeddedContext: valueAt(prompt, 'embeddedContext') === true,
    },
    httpTools: valueAt(objectAt(raw, 'mcpCapabilities'), 'http') === true,
    load: valueAt(raw, 'loadSession') === true,
    resume: offered(session, 'resume'),
    close: offered(session, 'close'),
    steerMethod: textAt(objectAt(objectAt(objectAt(raw, '_meta'), 'reasonix.io'), 'sessionSteer'), 'method'),
  };
}

// A capability of a session is offered by an object, which may be empty.
function offered(capabilities: JsonRpcObject, key: string): boolean {
  const value = valueAt(capabilities, key);
  return value !== undefined && value !== null && value !== false;
}
