/** Stored activity: an `activity_scene_v1`, as Hermes WebUI keeps it with answers and in snapshots of live runs. */
import {
  asObject,
  firstString,
  ownNumber,
  ownObject,
  ownObjects,
  ownString,
  ownTrue,
  ownValue,
  jsonText,
  type JsonObject,
} from '../../anchor/json.js';
import type {SettledPart} from '../../anchor/settled.js';
import type {ToolStatus} from '../../anchor/turn-event.js';
import {millis} from '../frame-head.js';
import {readArgs, readCallId} from './tool-frames.js';

/** The parts of a stored scene, or of a record that holds one; null when there is none or nothing in it. */
export function readActivityScene(value: unknown): readonly SettledPart[] | null {
  const record = asObject(value);
  const scene = record && (ownObject(record, 'scene') ?? record);
  const parts: SettledPart[] = [];
  const calls = new Map<string, number>();
  for (const row of scene === null ? [] : ownObjects(scene, 'activity_rows')) addRow(row, parts, calls);
  return parts.length > 0 ? parts : null;
}

function addRow(row: JsonObject, parts: SettledPart[], calls: Map<string, number>): void {
  const kind = firstString(row, 'role', 'kind') ?? '';
  if (kind.startsWith('tool')) return addCall(readCall(row), parts, calls);
  const thought = kind === 'thinking' || kind === 'reasoning';
  if (!thought && kind !== 'prose' && kind !== 'process_prose') return;
  const text = rowText(row);
  if (text !== null) parts.push({type: thought ? 'thought' : 'text', text});
}

function rowText(row: JsonObject): string | null {
  const inner = ownObject(row, 'thinking');
  const payload = ownObject(row, 'payload');
  return (
    firstString(row, 'text') ??
    (inner && firstString(inner, 'text')) ??
    (payload && firstString(payload, 'text', 'content', 'message'))
  );
}

type Call = Extract<SettledPart, {type: 'call'}>;

function readCall(row: JsonObject): Call {
  const tool = ownObject(row, 'tool') ?? row;
  const status = readStatus(row, tool);
  const ended = ownString(row, 'kind') === 'tool_completed';
  const shown = firstString(tool, 'preview');
  return {
    type: 'call',
    callId: firstString(row, 'tool_call_id') ?? readCallId(tool),
    tool: firstString(tool, 'name', 'tool_name') ?? 'tool',
    status,
    open: status === null,
    sealed: false,
    facts: {
      title: ended ? null : shown,
      args: readArgs(tool),
      output: jsonText(ownValue(tool, 'snippet')) || (ended ? shown : null),
      durationMs: millis(ownNumber(tool, 'duration')),
    },
  };
}

function readStatus(row: JsonObject, tool: JsonObject): ToolStatus | null {
  if (ownTrue(tool, 'is_error') || ownString(row, 'status') === 'error') return 'error';
  return ownTrue(tool, 'done') || ownString(row, 'status') === 'completed' ? 'completed' : null;
}

/** A scene may hold a row for the start and one for the end: one call, in the place of its start. */
function addCall(call: Call, parts: SettledPart[], calls: Map<string, number>): void {
  const index = call.callId === null ? undefined : calls.get(call.callId);
  if (index === undefined) {
    if (call.callId !== null) calls.set(call.callId, parts.length);
    parts.push(call);
    return;
  }
  const {tool, facts} = parts[index] as Call;
  parts[index] = {
    ...call,
    tool,
    facts: {
      title: facts.title ?? call.facts.title ?? null,
      args: facts.args ?? call.facts.args ?? null,
      output: call.facts.output ?? facts.output ?? null,
      durationMs: call.facts.durationMs ?? facts.durationMs ?? null,
    },
  };
}
