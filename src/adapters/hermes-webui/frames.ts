/**
 * Frames of Hermes WebUI: the table of event names, and who an event is.
 *
 * `source events → **turn events**`. The id alone says run and position; a payload's own `run_id` never does where there
 * is an id, as an approval carries that of another run (law 1).
 */
import {ownNumber, ownObject, ownString, ownValue, firstString, type JsonObject} from '../../anchor/json.js';
import type {TurnEvent} from '../../anchor/turn-event.js';
import {parseEventId} from '../../protocol/event-id.js';
import type {SourceEvent} from '../../protocol/source-event.js';
import {handlerTable, knownOnly, millis, readData, unreadable, type FrameHandler} from '../frame-head.js';
import {clarifyAsked, goalContinues, permissionAsked, steerLeftOver} from './control-frames.js';
import {artifactReferenced, backgroundDone, compression, stateSaved, warned} from './fact-frames.js';
import {contextKnown, planChanged, sessionSeen, titled, usageCounted, metered} from './meta-frames.js';
import {cancelled, completed, failed, failedInTransport} from './terminal-frames.js';
import {toolCompleted, toolStarted, toolUpdated} from './tool-frames.js';
import {turnStarted} from './start.js';

const interim: FrameHandler = (data, head) => ({
  type: 'interim',
  text: textOf(data),
  claim: ownValue(data, 'already_streamed') === true ? 'already-streamed' : 'new',
  echo: ownValue(data, 'reasoning_echo') === true,
  ...head,
});

const handlers = handlerTable({
  interim_assistant: interim,
  tool: toolStarted,
  tool_update: toolUpdated,
  tool_complete: toolCompleted,
  approval: permissionAsked,
  clarify: clarifyAsked,
  pending_steer_leftover: steerLeftOver,
  goal_continue: goalContinues,
  compressing: compression('running'),
  compressed: compression('completed'),
  warning: warned,
  state_saved: stateSaved,
  bg_task_complete: backgroundDone,
  process_complete: backgroundDone,
  artifact_reference: artifactReferenced,
  done: completed,
  cancel: cancelled,
  apperror: failed,
  error: failedInTransport,
  usage: usageCounted,
  metering: metered,
  settled_message: usageCounted,
  title: titled,
  todo_state: planChanged,
  context_status: contextKnown,
  session_snapshot: sessionSeen,
  initial: knownOnly,
  server_turn_started: turnStarted,
  'run.started': turnStarted,
  goal: knownOnly,
  title_status: knownOnly,
  'session-updated': knownOnly,
  sessions_changed: knownOnly,
  runtime_journal_snapshot: knownOnly,
  inflight_snapshot: knownOnly,
  heartbeat: knownOnly,
  keepalive: knownOnly,
  ping: knownOnly,
  stream_end: (_data, head) => ({type: 'transport', ...head}),
});

/** Every event name this wire is known to use. */
export const webuiNames: ReadonlySet<string> = new Set(['token', 'reasoning', ...handlers.keys()]);

/** The turn event of one frame, or of one journal row given whole as the data of a nameless event. */
export function normalizeWebuiFrame({id, name, data: raw}: SourceEvent): TurnEvent {
  const data = readData(raw);
  if (data !== null && name === null && isJournalRow(data)) return normalizeRow(data);
  return normalize(id, name ?? 'message', data, null);
}

/** True for a row as the journal file holds it, its payload inside. */
export function isJournalRow(data: JsonObject): boolean {
  return Object.hasOwn(data, 'payload') && ownString(data, 'event_id') !== null;
}

function normalizeRow(row: JsonObject): TurnEvent {
  const name = firstString(row, 'event', 'type') ?? 'message';
  return normalize(
    ownString(row, 'event_id'),
    name,
    ownObject(row, 'payload'),
    millis(ownNumber(row, 'created_at')),
  );
}

function normalize(id: string | null, name: string, data: JsonObject | null, at: number | null): TurnEvent {
  const place = id === null ? null : parseEventId(id);
  const run = place === null ? null : place.run;
  const seq = place === null || place.seq < 1 ? null : place.seq;
  if (data === null) return unreadable(run, seq, `malformed:${name}`);
  // The two names that long answers are made of: nothing is copied or looked up for them.
  if (name === 'token') return {type: 'text', run, seq, name: 'token', channel: 'prose', text: textOf(data)};
  if (name === 'reasoning')
    return {type: 'text', run, seq, name: 'reasoning', channel: 'thought', text: textOf(data)};
  const handler = handlers.get(name);
  if (handler === undefined) return unreadable(run, seq, name);
  return handler(data, {run, seq, name, sessionId: ownString(data, 'session_id'), at});
}

function textOf(data: JsonObject): string {
  return ownString(data, 'text') ?? '';
}
