/** Recorded lines and bare messages, read into observations. */
import type {AcpObservation} from './observation.js';
import {fieldsOf, numberIn, objectIn, textIn, type Fields} from './fields.js';

/** What only a client asks; whatever else has a method comes from the agent. */
const clientMethods =
  /^(?:initialize|authenticate|logout|auth\/|providers\/|session\/(?!update$|request_permission$))/;

/**
 * The observation that a value stands for: a recorded line `{t, dir, msg}` (`in` comes from the agent), or a bare
 * JSON-RPC message, whose sender its method or its answer tells. Null for anything else.
 */
export function readAcpLine(value: unknown): AcpObservation | null {
  const line = fieldsOf(value);
  const dir = textIn(line, 'dir');
  const message = objectIn(line, 'msg');
  if (message && (dir === 'in' || dir === 'out')) {
    return {from: dir === 'in' ? 'agent' : 'client', message, at: numberIn(line, 't') ?? NaN};
  }
  return line && textIn(line, 'jsonrpc') !== undefined
    ? {from: senderOf(line), message: line, at: NaN}
    : null;
}

function senderOf(message: Fields): 'client' | 'agent' {
  const method = textIn(message, 'method');
  if (method !== undefined) return clientMethods.test(method) ? 'client' : 'agent';
  return objectIn(objectIn(message, 'result'), 'outcome') ? 'client' : 'agent';
}
