/** Plans and todo lists: always the whole list, the newest wins. */
import {firstString, ownObjects, ownValue, type JsonObject} from '../anchor/json.js';
import type {PlanEntry} from '../anchor/turn-event.js';

/** The entries under a key; null when there is no list, which is not the same as an empty one. */
export function readPlan(object: JsonObject | null, key: string): readonly PlanEntry[] | null {
  if (object === null || !Array.isArray(ownValue(object, key))) return null;
  return ownObjects(object, key).map((entry) => ({
    content: firstString(entry, 'content') ?? '',
    status: firstString(entry, 'status') ?? 'pending',
    priority: firstString(entry, 'priority'),
  }));
}
