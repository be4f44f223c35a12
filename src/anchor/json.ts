/**
 * JSON from outside, and how it is read: own properties only, so that `__proto__`, `constructor` and whatever a page
 * put on a prototype are just names that nobody gave (law 8).
 */

/** JSON as it comes from a wire: what `JSON.parse` can return, never undefined. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object from outside. Read it through `own…` helpers: keys such as `__proto__` are only names. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The value as an object; null for anything else, lists included. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** What the object itself holds under a key; undefined when it holds nothing there. */
export function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A text, empty ones included; null when there is none. */
export function ownString(object: JsonObject, key: string): string | null {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : null;
}

/** The first of some keys that holds a text which is not empty: producers spell the same thing in several ways. */
export function firstString(object: JsonObject, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = ownString(object, key);
    if (value) return value;
  }
  return null;
}

/** A finite number; null when there is none. */
export function ownNumber(object: JsonObject, key: string): number | null {
  const value = ownValue(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** True only for `true` itself. */
export function ownTrue(object: JsonObject, key: string): boolean {
  return ownValue(object, key) === true;
}

/** An object; null when there is none. */
export function ownObject(object: JsonObject, key: string): JsonObject | null {
  return asObject(ownValue(object, key));
}

/** A list; empty when there is none. */
export function ownList(object: JsonObject, key: string): readonly Json[] {
  const value = ownValue(object, key);
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The objects of a list; whatever else stands in it is passed over. */
export function ownObjects(object: JsonObject, key: string): readonly JsonObject[] {
  return ownList(object, key)
    .map(asObject)
    .filter((item) => item !== null);
}

/** The object a text spells; null when it is no JSON, or JSON of another kind. */
export function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A value as text for a reader: texts as they are, anything else as JSON; null for nothing. */
export function jsonText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null; // Nested deeper than the stack: parse can read it, stringify cannot.
  }
}
