/** Token counts and cost, in the spellings of all wires. */
import {ownNumber, ownObject, type JsonObject} from '../anchor/json.js';
import type {UsageFacts} from '../anchor/turn-event.js';

function firstNumber(object: JsonObject, ...keys: readonly string[]): number | null {
  for (const key of keys) {
    const value = ownNumber(object, key);
    if (value !== null) return value;
  }
  return null;
}

/** Usage as far as the object tells; null when it tells nothing. */
export function readUsage(object: JsonObject | null): UsageFacts | null {
  if (object === null) return null;
  const percent = ownNumber(object, 'cache_hit_percent');
  const cost = ownObject(object, 'cost');
  const usage: UsageFacts = {
    inputTokens: firstNumber(object, 'input_tokens', 'inputTokens'),
    outputTokens: firstNumber(object, 'output_tokens', 'outputTokens'),
    cacheHitTokens: firstNumber(object, 'cache_read_tokens', 'cacheHitTokens', 'cachedReadTokens'),
    cacheHitRate: percent === null ? ownNumber(object, 'cacheHitRate') : percent / 100,
    cost: cost === null ? firstNumber(object, 'estimated_cost', 'cost') : ownNumber(cost, 'amount'),
    used: firstNumber(object, 'last_prompt_tokens', 'used'),
    size: firstNumber(object, 'context_length', 'size'),
  };
  const {inputTokens, outputTokens, cacheHitTokens, cacheHitRate, used, size} = usage;
  const told = inputTokens ?? outputTokens ?? cacheHitTokens ?? cacheHitRate ?? usage.cost ?? used ?? size;
  return told === null ? null : usage;
}
