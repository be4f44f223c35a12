/**
 * Run events: the table of names, those of our gateway and those of Hermes Agent's own `/v1/runs`, which has no ids.
 *
 * `source events → **turn events**`. The name is in the JSON, an SSE event name only where the JSON has none.
 */
import {firstString, ownNumber, ownString, type JsonObject} from '../../anchor/json.js';
import type {TurnEvent} from '../../anchor/turn-event.js';
import {parseEventId} from '../../protocol/event-id.js';
import type {SourceEvent} from '../../protocol/source-event.js';
import {handlerTable, knownOnly, millis, readData, unreadable, type FrameHandler} from '../frame-head.js';
import {readPlan} from '../plan-entries.js';
import {readUsage} from '../usage-facts.js';
import {approvalAsked, approvalAnswered, permissionAsked, permissionResolved} from './permissions.js';
import {agentUpdated, compacted, noticed, subagent} from './notices.js';
import {runCancelled, runCompleted, runFailed} from './terminals.js';
import {messageDelta} from './message-delta.js';
import {toolEvent} from './tools.js';

function thought(keys: readonly string[], repeats = false): FrameHandler {
  return (data, head) => ({
    type: 'text',
    channel: 'thought',
    text: firstString(data, ...keys) ?? '',
    messageId: ownString(data, 'message_id'),
    ...(repeats ? ({claim: 'already-streamed'} as const) : null),
    ...head,
  });
}

const handlers = handlerTable({
  'run.started': (data, head) => ({
    type: 'start',
    turnId: firstString(data, 'turn_id'),
    prompt: ownString(data, 'prompt'),
    ...head,
  }),
  'message.delta': messageDelta,
  'thought.delta': thought(['delta']),
  'reasoning.delta': thought(['delta', 'text']),
  // Often says again what deltas have said; whether it does needs memory, so the fold decides.
  'reasoning.available': thought(['text'], true),
  'tool.started': toolEvent('start'),
  'tool.updated': toolEvent('update'),
  'tool.completed': toolEvent('end'),
  'permission.requested': permissionAsked,
  'permission.resolved': permissionResolved,
  'approval.request': approvalAsked,
  'approval.responded': approvalAnswered,
  'plan.updated': (data, head) => ({
    type: 'meta',
    plan: readPlan(data, 'entries') ?? readPlan(data, 'plan'),
    ...head,
  }),
  'usage.updated': (data, head) => ({type: 'meta', usage: readUsage(data), ...head}),
  'session.info': (data, head) => ({type: 'meta', title: firstString(data, 'title'), ...head}),
  'commands.updated': knownOnly,
  'mode.updated': knownOnly,
  'config.updated': knownOnly,
  notice: noticed,
  compaction: compacted,
  'agent.update': agentUpdated,
  'subagent.start': subagent('started'),
  'subagent.complete': subagent('completed'),
  'run.completed': runCompleted,
  'run.failed': runFailed,
  'run.cancelled': runCancelled,
});

/** Every event name this wire is known to use. */
export const runsNames: ReadonlySet<string> = new Set(handlers.keys());

/** The turn event of one frame. */
export function normalizeRunsFrame({id, name: sseName, data: raw}: SourceEvent): TurnEvent {
  const data = readData(raw);
  const place = id === null ? null : parseEventId(id);
  if (data === null) {
    return unreadable(place && place.run, place && positive(place.seq), `malformed:${sseName ?? 'message'}`);
  }
  const run = place === null ? ownString(data, 'run_id') || null : place.run;
  const seq = positive(place === null ? ownNumber(data, 'seq') : place.seq);
  const name = ownString(data, 'event') || sseName || 'message';
  const handler = handlers.get(name);
  if (handler === undefined) return unreadable(run, seq, name);
  return handler(data, {run, seq, name, sessionId: ownString(data, 'session_id'), at: timeOf(data)});
}

function positive(seq: number | null): number | null {
  return seq !== null && seq >= 1 && Number.isSafeInteger(seq) ? seq : null;
}

function timeOf(data: JsonObject): number | null {
  return millis(ownNumber(data, 'timestamp'));
}
