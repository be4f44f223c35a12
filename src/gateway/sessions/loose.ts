/** Loose values: fields of what agents send, read without trust. */
import type {JsonRpcObject} from '../agent/agent.js';
import {isObject} from '../agent/json-rpc.js';

/** The value as an object; an empty one for anything else. */
export function objectOf(value: unknown): JsonRpcObject {
  return isObject(value) ? value : {};
}

/** The object under a key; an empty one when there is none. */
export function objectAt(object: JsonRpcObject, key: string): JsonRpcObject {
  return objectOf(valueAt(object, key));
}

/** The objects of the list under a key. */
export function objectsAt(object: JsonRpcObject, key: string): readonly JsonRpcObject[] {
  const value = valueAt(object, key);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text under a key; null when there is none. */
export function textAt(object: JsonRpcObject, key: string): string | null {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : null;
}

/** What the object itself holds under a key. */
export function valueAt(object: JsonRpcObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
