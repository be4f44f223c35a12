/**
 * Sanitising: what may pass from a payload into the model. `sanitize` follows the rules of Hermes WebUI's own model, for
 * payloads shown as given; `stripPrototypeKeys` keeps everything else whole, for tool arguments and embedded sessions.
 */
import {asObject, type Json, type JsonObject} from './json.js';
import {UnreadableError} from './unreadable-error.js';

const MAX_DEPTH = 6;

/** Keys that would reach a prototype if somebody assigned them; they are never kept. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A safe copy of any value: JSON with sorted keys, at most six levels, without prototype keys. Undefined = dropped. */
export function sanitize(value: unknown): Json | undefined {
  return sanitizeAt(value, 0);
}

/**
 * A payload as an object: nothing or blank is `{}`, a text that spells an object is that object, another JSON value is
 * `{value}`, any other text is `{text}`, a list is `{}`.
 */
export function sanitizePayload(payload: unknown): JsonObject {
  const value = typeof payload === 'string' ? fromText(payload) : payload;
  return asObject(sanitize(Array.isArray(value) ? null : value)) ?? emptyObject();
}

function fromText(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : {value};
  } catch {
    return {text};
  }
}

function sanitizeAt(value: unknown, depth: number): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : sanitizeObject(value, depth);
    default:
      return undefined;
  }
}

function sanitizeObject(value: object, depth: number): Json {
  const list = Array.isArray(value);
  if (!list && Object.prototype.toString.call(value) !== '[object Object]') return '[Object]';
  if (depth >= MAX_DEPTH) return '[MaxDepth]';
  if (list) return value.map((item) => sanitizeAt(item, depth + 1)).filter((item) => item !== undefined);
  const copy = emptyObject();
  for (const key of Object.keys(value).sort()) {
    const item = sanitizeAt((value as Record<string, unknown>)[key], depth + 1);
    if (item !== undefined && !PROTOTYPE_KEYS.has(key)) copy[key] = item;
  }
  return copy;
}

function emptyObject(): Record<string, Json> {
  return Object.create(null) as Record<string, Json>;
}

/** The same value without prototype keys at any depth. The same reference when there were none. */
export function stripPrototypeKeys<T extends Json>(value: T): T {
  return isFlat(value) || !hasPrototypeKeys(value) ? value : copyWithout(value);
}

// Most arguments are a few texts: one look at each key and nothing is made.
function isFlat(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const key of Object.keys(value)) {
    if (typeof (value as Readonly<Record<string, Json>>)[key] === 'object' || PROTOTYPE_KEYS.has(key))
      return false;
  }
  return true;
}

/** Deeper than this nothing is kept: `JSON.stringify` would not come back from it, and no page shows it. */
const MAX_KEPT_DEPTH = 500;

// Both walk with a list of their own: JSON.parse reads text nested deeper than the stack.
/** Throws for a value that holds itself, which no JSON does: whoever walked it would not come back. */
function hasPrototypeKeys(value: Json): boolean {
  let found = false;
  const known = new Set<object>();
  /** What the value that is looked at stands in. */
  const around = new Set<object>();
  const waiting: [value: object, depth: number][] = [];
  const meet = (item: unknown, depth: number) => {
    if (typeof item !== 'object' || item === null) return;
    if (around.has(item))
      throw new UnreadableError('This value holds itself, so it is no JSON. Give one without the way back.');
    if (depth > MAX_KEPT_DEPTH) found = true;
    else if (!known.has(item)) waiting.push([item, depth]);
  };
  meet(value, 0);
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    const [held, depth] = next;
    // Met again, as the last of what was in it has been looked at.
    if (known.has(held)) {
      around.delete(held);
      waiting.pop();
      continue;
    }
    known.add(held);
    around.add(held);
    found ||= !Array.isArray(held) && Object.keys(held).some((key) => PROTOTYPE_KEYS.has(key));
    for (const item of Object.values(held)) meet(item, depth + 1);
  }
  return found;
}

function copyWithout<T extends Json>(value: T): T {
  const waiting: [from: object, into: Record<string, unknown>, depth: number][] = [];
  // What is held twice is copied once: copies of copies would have no end.
  const copies = new Map<object, object>();
  const copyOf = (from: unknown, depth: number): unknown => {
    if (typeof from !== 'object' || from === null) return from;
    if (depth > MAX_KEPT_DEPTH) return '[MaxDepth]';
    const before = copies.get(from);
    if (before) return before;
    const into = (Array.isArray(from) ? [] : {}) as Record<string, unknown>;
    copies.set(from, into);
    waiting.push([from, into, depth]);
    return into;
  };
  const copy = copyOf(value, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, into, depth] = next;
    for (const [key, item] of Object.entries(from)) {
      if (!PROTOTYPE_KEYS.has(key)) into[key] = copyOf(item, depth + 1);
    }
  }
  return copy as T;
}
