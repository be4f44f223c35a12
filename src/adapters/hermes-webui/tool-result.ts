/**
 * Tool results of Hermes WebUI: mostly JSON in a string, with the text a reader wants under one key. The same reading for
 * what a `tool_complete` shows and for settled tool messages, so that both tell the same.
 */
import {
  asObject,
  firstString,
  jsonText,
  ownString,
  ownValue,
  parseObject,
  type Json,
  type JsonObject,
} from '../../anchor/json.js';
import type {ArtifactFacts} from '../../anchor/turn-event.js';
import {filesOfDiff} from '../unified-diff.js';

/** What a result says. */
export interface ToolResult {
  readonly output: string | null;
  /** It has an `error` that is not empty. */
  readonly error: boolean;
  readonly diff: string | null;
  readonly artifacts: readonly ArtifactFacts[];
}

/** Reads a result: a text, parts, or the object itself. */
export function readToolResult(content: Json | undefined): ToolResult {
  const text = Array.isArray(content) ? partsText(content as readonly Json[]) : jsonText(content);
  const result = asObject(content) ?? (text?.startsWith('{') ? parseObject(text) : null);
  if (result === null) return {output: text, error: false, diff: null, artifacts: []};
  const diff = firstString(result, 'diff');
  return {
    output: shownText(result) ?? (diff === null ? text : null),
    error: isError(ownValue(result, 'error')),
    diff,
    artifacts: diff === null ? [] : filesOfDiff(diff),
  };
}

// The order in which the server itself chooses what to show.
function shownText(result: JsonObject): string | null {
  return (
    firstString(result, 'output', 'result', 'error') ??
    ownString(result, 'output') ??
    jsonText(ownValue(result, 'output') ?? ownValue(result, 'result'))
  );
}

function isError(error: Json | undefined): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

function partsText(parts: readonly Json[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : textOf(asObject(part)))).join('');
}

function textOf(part: JsonObject | null): string {
  return part === null ? '' : (ownString(part, 'text') ?? ownString(part, 'content') ?? '');
}
