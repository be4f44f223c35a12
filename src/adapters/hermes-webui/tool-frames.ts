/** Tool frames of Hermes WebUI. Arguments are for show: at most four, each a string; history has the real ones. */
import {
  firstString,
  jsonText,
  ownNumber,
  ownObject,
  ownTrue,
  ownValue,
  type JsonObject,
} from '../../anchor/json.js';
import {stripPrototypeKeys} from '../../anchor/sanitize.js';
import type {FrameHandler} from '../frame-head.js';
import {millis} from '../frame-head.js';
import {readToolResult} from './tool-result.js';

/** The call's id under any of its spellings. */
export function readCallId(data: JsonObject): string | null {
  return firstString(data, 'tid', 'tool_call_id', 'tool_use_id', 'call_id', 'id');
}

/** The tool's name; `tool` when it has none. */
export function readToolName(data: JsonObject): string {
  return firstString(data, 'name', 'tool_name') ?? 'tool';
}

/** The arguments, whole; null when there are none, as a completion's `{}` says nothing of those at the start. */
export function readArgs(data: JsonObject, key = 'args'): JsonObject | null {
  const args = ownObject(data, key);
  if (args === null) return null;
  for (const _key in args) return stripPrototypeKeys(args);
  return null;
}

export const toolStarted: FrameHandler = (data, head) => ({
  type: 'tool',
  phase: 'start',
  callId: readCallId(data),
  tool: readToolName(data),
  status: 'running',
  facts: {title: firstString(data, 'preview'), args: readArgs(data)},
  ...head,
});

export const toolUpdated: FrameHandler = (data, head) => ({
  type: 'tool',
  phase: 'update',
  callId: readCallId(data),
  tool: readToolName(data),
  status: null,
  facts: {
    title: firstString(data, 'preview'),
    args: readArgs(data),
    output: jsonText(ownValue(data, 'output') ?? ownValue(data, 'result')),
  },
  ...head,
});

// What is a title at the start is the result at the end.
export const toolCompleted: FrameHandler = (data, head) => {
  const {output, diff, artifacts} = readToolResult(ownValue(data, 'preview'));
  return {
    type: 'tool',
    phase: 'end',
    callId: readCallId(data),
    tool: readToolName(data),
    status: ownTrue(data, 'is_error') ? 'error' : 'completed',
    facts: {args: readArgs(data), output, diff, durationMs: millis(ownNumber(data, 'duration')), artifacts},
    ...head,
  };
};
