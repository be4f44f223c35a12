/** What a line of an agent is: a JSON-RPC message of one of three kinds, or noise. */
import type {JsonRpcObject} from './agent.js';

export type MessageKind = 'request' | 'notification' | 'response';

/** The object a line holds; null when it is no JSON or no object. */
export function parseObject(text: string): JsonRpcObject | null {
  // Cheaper than an exception, which is what most noise would cost.
  if (!/^\s*\{/.test(text)) return null;
  try {
    return JSON.parse(text) as JsonRpcObject;
  } catch {
    return null;
  }
}

/**
 * The kind of a message; null for an object that is none, such as a line of a JSON logger. Ids are opaque: 0, '' and null
 * are ids. A missing `jsonrpc` is forgiven.
 */
export function messageKind(message: JsonRpcObject): MessageKind | null {
  const {jsonrpc = '2.0', method} = message;
  if (jsonrpc !== '2.0') return null;
  const hasId = Object.hasOwn(message, 'id');
  if (typeof method === 'string') return hasId ? 'request' : 'notification';
  // One that says `jsonrpc` and brings nothing is still an answer, if a bad one: its request must not wait for ever.
  const answers = ['result', 'error', 'jsonrpc'].some((name) => Object.hasOwn(message, name));
  return hasId && answers && method === undefined ? 'response' : null;
}

export const isObject = (value: unknown): value is JsonRpcObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a field, if it is text. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
