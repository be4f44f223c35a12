/** The ends of a run. */
import {firstString, ownObject, ownString, ownValue, type JsonObject} from '../../anchor/json.js';
import {normalizeTerminalState} from '../../anchor/terminal-state.js';
import type {UsageFacts} from '../../anchor/turn-event.js';
import type {FrameHandler} from '../frame-head.js';
import {readUsage} from '../usage-facts.js';

export const runCompleted: FrameHandler = (data, head) => {
  const reason = ownString(data, 'stop_reason');
  return {
    type: 'terminal',
    state: normalizeTerminalState(reason, 'runs') ?? 'completed',
    strength: 'observed',
    truncated: reason === 'max_tokens',
    output: ownString(data, 'output'),
    usage: runUsage(data),
    ...head,
  };
};

// The cache numbers stand beside `usage`, not in it.
function runUsage(data: JsonObject): UsageFacts | null {
  return readUsage({...ownObject(data, 'usage'), ...cacheNumbers(data)});
}

function cacheNumbers(data: JsonObject): JsonObject {
  const rate = ownValue(data, 'cacheHitRate');
  const tokens = ownValue(data, 'cacheHitTokens');
  return {
    ...(rate === undefined ? null : {cacheHitRate: rate}),
    ...(tokens === undefined ? null : {cacheHitTokens: tokens}),
  };
}

export const runFailed: FrameHandler = (data, head) => {
  const error = ownObject(data, 'error') ?? data;
  return {
    type: 'terminal',
    state: normalizeTerminalState(ownValue(data, 'terminal_state'), 'runs') ?? 'error',
    strength: 'observed',
    error: {
      type: firstString(data, 'code') ?? firstString(error, 'code', 'type'),
      message: firstString(error, 'error', 'message') ?? '',
      hint: firstString(data, 'hint'),
    },
    ...head,
  };
};

export const runCancelled: FrameHandler = (data, head) => ({
  type: 'terminal',
  state: 'cancelled',
  strength: 'observed',
  usage: runUsage(data),
  ...head,
});
