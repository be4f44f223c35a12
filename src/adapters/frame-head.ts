/** What both adapters read first: the payload of a frame as an object, and the part all its turn events share. */
import {asObject, type JsonObject} from '../anchor/json.js';
import type {ExcludedEvent, MetaEvent, TurnEvent} from '../anchor/turn-event.js';

/**
 * Who an event is, before it is known what it says. Handlers spread it last: V8 adds each property after a spread by the
 * slow way, 4 µs an event against 0.1.
 */
export interface FrameHead {
  readonly run: string | null;
  readonly seq: number | null;
  readonly name: string;
  readonly sessionId: string | null;
  readonly at: number | null;
}

/** Reads one kind of frame. */
export type FrameHandler = (data: JsonObject, head: FrameHead) => TurnEvent;

/** The handlers of a wire by name. A Map, so that `constructor` and `__proto__` are names like others. */
export function handlerTable(handlers: Record<string, FrameHandler>): ReadonlyMap<string, FrameHandler> {
  return new Map(Object.entries(handlers));
}

const nothing: JsonObject = Object.freeze({});

/** The payload as an object, `{}` when the frame has none; null when it is no JSON object. */
export function readData(data: string | object): JsonObject | null {
  if (typeof data !== 'string') return asObject(data);
  try {
    return asObject(JSON.parse(data));
  } catch {
    return data.trim() === '' ? nothing : null;
  }
}

/** A frame that holds its position and says nothing we can read; its name is counted. */
export function unreadable(run: string | null, seq: number | null, name: string): ExcludedEvent {
  return {type: 'excluded', run, seq, name};
}

/** A known frame that changes nothing in the transcript. */
export function knownOnly(_data: JsonObject, head: FrameHead): MetaEvent {
  return {...head, type: 'meta'};
}

/** Seconds as wires give them, in ms; null stays null. */
export function millis(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1000);
}
