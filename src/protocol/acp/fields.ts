/** Fields of messages from outside: own ones only, of the kind that is expected, or undefined. Bad input is data. */

/** A JSON object nobody has vouched for. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; undefined for anything else, lists included. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** What the object itself holds under a key; null counts as nothing. */
export function fieldOf(object: Fields | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

/** The object under a key. */
export function objectIn(object: Fields | undefined, key: string): Fields | undefined {
  return fieldsOf(fieldOf(object, key));
}

/** The list under a key. */
export function listIn(object: Fields | undefined, key: string): readonly unknown[] | undefined {
  const value = fieldOf(object, key);
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

/** The objects of the list under a key; empty when there is none. */
export function objectsIn(object: Fields | undefined, key: string): readonly Fields[] {
  return (listIn(object, key) ?? []).map(fieldsOf).filter((item) => item !== undefined);
}

/** The text under a key, empty ones included. */
export function textIn(object: Fields | undefined, key: string): string | undefined {
  const value = fieldOf(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The text under a key, if there is something in it. */
export function wordIn(object: Fields | undefined, key: string): string | undefined {
  return textIn(object, key) || undefined;
}

/** The finite number under a key. */
export function numberIn(object: Fields | undefined, key: string): number | undefined {
  const value = fieldOf(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

type Defined<T> = {[Key in keyof T]: Exclude<T[Key], undefined>};

/** The object without what is undefined, as it will be after JSON. */
export function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
