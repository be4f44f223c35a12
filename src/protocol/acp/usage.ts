/** Usage: what an answer cost and how much of it came from a cache, in the words of each runtime. */
import type {RunTokenUsage} from '../run-event.js';
import {defined, numberIn, objectIn, type Fields} from './fields.js';

/** What has been told of a run's usage; a part that is unknown is absent. */
export interface UsageTold {
  readonly usage?: RunTokenUsage;
  readonly cacheHitRate?: number;
  readonly cacheHitTokens?: number;
}

/** Runtimes whose `inputTokens` leave out what came from the cache. */
const WITHOUT_CACHED = /opencode|claude/;

/** The `usage` of a prompt's answer, or what stands for it in its `_meta`. */
export function resultUsage(result: Fields | undefined, runtime: string): UsageTold {
  const usage = objectIn(result, 'usage');
  if (usage) return acpUsage(usage, runtime);
  const quota = objectIn(objectIn(objectIn(result, '_meta'), 'quota'), 'token_count');
  return quota
    ? told({input: numberIn(quota, 'input_tokens'), output: numberIn(quota, 'output_tokens')})
    : {};
}

function acpUsage(usage: Fields, runtime: string): UsageTold {
  const input = numberIn(usage, 'inputTokens');
  const read = numberIn(usage, 'cachedReadTokens');
  const written = numberIn(usage, 'cachedWriteTokens') ?? 0;
  const whole = WITHOUT_CACHED.test(runtime) ? (input ?? 0) + (read ?? 0) + written : input;
  const output = numberIn(usage, 'outputTokens');
  const total = numberIn(usage, 'totalTokens');
  return told({input, output, total, hit: read, rate: share(read, whole)});
}

/** The `status` of Reasonix's own notification; empty while it has counted nothing. */
export function reasonixUsage(status: Fields | undefined): UsageTold {
  const turn = objectIn(objectIn(status, 'usage'), 'turn');
  if (!numberIn(turn, 'totalTokens')) return {};
  const hit = numberIn(turn, 'cacheHitTokens') ?? 0;
  const asked = hit + (numberIn(turn, 'cacheMissTokens') ?? 0);
  return told({
    input: numberIn(turn, 'promptTokens'),
    output: numberIn(turn, 'completionTokens'),
    total: numberIn(turn, 'totalTokens'),
    hit: asked > 0 ? hit : undefined,
    rate: numberIn(turn, 'cacheHitRatio') ?? share(hit, asked),
  });
}

/** A part larger than the whole is of an agent that counts in another way: its share is unknown. */
function share(part: number | undefined, whole: number | undefined): number | undefined {
  return part !== undefined && whole !== undefined && whole > 0 && part <= whole ? part / whole : undefined;
}

interface Counts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total?: number | undefined;
  readonly hit?: number | undefined;
  readonly rate?: number | undefined;
}

function told({input, output, total, hit, rate}: Counts): UsageTold {
  const usage = defined({input_tokens: input, output_tokens: output, total_tokens: total}) as RunTokenUsage;
  const counted = Object.keys(usage).length > 0 ? usage : undefined;
  return defined({usage: counted, cacheHitRate: rate, cacheHitTokens: hit});
}
