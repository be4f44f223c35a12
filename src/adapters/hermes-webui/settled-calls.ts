/** Tool calls as Hermes WebUI settles them: of a message, of an unfinished message, and the session's own list. */
import {
  firstString,
  ownNumber,
  ownObject,
  ownObjects,
  ownTrue,
  ownValue,
  parseObject,
  type Json,
  type JsonObject,
} from '../../anchor/json.js';
import {stripPrototypeKeys} from '../../anchor/sanitize.js';
import type {SettledPart, SettledToolSummary} from '../../anchor/settled.js';
import {millis} from '../frame-head.js';
import {callPart} from './message-parts.js';
import {readArgs, readCallId, readToolName} from './tool-frames.js';
import {readToolResult} from './tool-result.js';

/** The calls a message declares, without those its content already holds as parts. */
export function declaredCalls(message: JsonObject, parts: readonly SettledPart[]): readonly SettledPart[] {
  const known = new Set(parts.map((part) => (part.type === 'call' ? part.callId : null)));
  return ownObjects(message, 'tool_calls')
    .map((call) => {
      const declared = ownObject(call, 'function') ?? call;
      const args = readArguments(ownValue(declared, 'arguments') ?? ownValue(declared, 'args'));
      return callPart(readCallId(call), readToolName(declared), args);
    })
    .filter((part) => part.type === 'call' && (part.callId === null || !known.has(part.callId)));
}

// What the model wrote is shown even where it is no object: under a key no tool has.
function readArguments(value: Json | undefined): JsonObject | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') return readArgs({value}, 'value');
  const args = parseObject(value);
  return args === null ? {_raw: value} : stripPrototypeKeys(args);
}

/** The calls of an unfinished turn: finished ones, and those that were open when it ended or were sealed by its end. */
export interface PartialCalls {
  readonly finished: readonly SettledPart[];
  readonly unfinished: readonly SettledPart[];
}

/** Reads the calls of an unfinished turn from the list under a key. */
export function partialCalls(holder: JsonObject, key: string): PartialCalls {
  const finished: SettledPart[] = [];
  const unfinished: SettledPart[] = [];
  for (const call of ownObjects(holder, key)) {
    const sealed = ownTrue(call, '_sealed_by_terminal_error');
    const done = ownTrue(call, 'done') && !sealed;
    (done ? finished : unfinished).push({
      type: 'call',
      callId: readCallId(call),
      tool: readToolName(call),
      status: done ? (ownTrue(call, 'is_error') ? 'error' : 'completed') : null,
      open: !done && !sealed,
      sealed,
      facts: {...shownFacts(call), durationMs: millis(ownNumber(call, 'duration'))},
    });
  }
  return {finished, unfinished};
}

/** The session's own tool list: call id to what is shown of it. Calls without an id belong to no one. */
export function toolSummaries(session: JsonObject): readonly SettledToolSummary[] {
  return ownObjects(session, 'tool_calls').flatMap((call) => {
    const callId = readCallId(call);
    return callId === null ? [] : [{callId, tool: readToolName(call), facts: shownFacts(call)}];
  });
}

function shownFacts(call: JsonObject) {
  const {output, diff, artifacts} = readToolResult(firstString(call, 'snippet'));
  return {args: readArgs(call), output, diff, artifacts};
}
