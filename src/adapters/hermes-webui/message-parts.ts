/** Content of settled messages: a text, nothing, or a list of parts in any producer's shape, read into parts in order. */
import {
  asObject,
  firstString,
  ownObject,
  ownString,
  ownValue,
  type Json,
  type JsonObject,
} from '../../anchor/json.js';
import type {SettledPart} from '../../anchor/settled.js';
import {readArgs, readCallId, readToolName} from './tool-frames.js';
import {readToolResult} from './tool-result.js';

/** Parts of a message's content. */
export function readContent(content: Json | undefined): readonly SettledPart[] {
  const list = Array.isArray(content) ? (content as readonly Json[]) : [content];
  return list.map(readPart).filter((part) => part !== null);
}

function readPart(value: Json | undefined): SettledPart | null {
  if (typeof value === 'string') return textPart(value);
  const part = asObject(value);
  if (part === null) return null;
  return partReaders.get(ownString(part, 'type') ?? '')?.(part) ?? textPart(ownString(part, 'text'));
}

type PartReader = (part: JsonObject) => SettledPart | null;

const partReaders: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  ['thinking', (part) => thoughtPart(firstString(part, 'thinking', 'text'))],
  ['reasoning', (part) => thoughtPart(firstString(part, 'reasoning', 'text', 'content'))],
  ['tool_use', (part) => callPart(readCallId(part), readToolName(part), readArgs(part, 'input'))],
  ['tool_result', resultPart],
  ['image_url', imagePart],
  ['input_image', imagePart],
]);

function textPart(text: string | null): SettledPart | null {
  return text ? {type: 'text', text} : null;
}

/** A thought, unless there is none. */
export function thoughtPart(text: string | null): SettledPart | null {
  return text ? {type: 'thought', text} : null;
}

/** A call whose result, if any, stands elsewhere. */
export function callPart(callId: string | null, tool: string, args: JsonObject | null): SettledPart {
  return {type: 'call', callId, tool, status: null, open: false, sealed: false, facts: {args}};
}

/** A result, as a part or as a message of the tool role. */
export function resultPart(holder: JsonObject): SettledPart {
  const {output, error, diff, artifacts} = readToolResult(ownValue(holder, 'content'));
  return {
    type: 'result',
    callId: firstString(holder, 'tool_call_id', 'tool_use_id'),
    tool: firstString(holder, 'name'),
    error: error || ownValue(holder, 'is_error') === true,
    output,
    diff,
    artifacts,
  };
}

function imagePart(part: JsonObject): SettledPart | null {
  const holder = ownObject(part, 'image_url');
  const uri = holder === null ? firstString(part, 'image_url', 'url') : firstString(holder, 'url');
  return uri === null ? null : {type: 'image', uri, label: firstString(part, 'alt', 'name')};
}

/** A file the reader attached: its name, or an object that has one. A path on the server is no address to follow. */
export function attachmentPart(value: Json): SettledPart | null {
  const file = asObject(value);
  const label = typeof value === 'string' ? value : file && firstString(file, 'name', 'filename', 'path');
  return label ? {type: 'attachment', uri: file && firstString(file, 'url', 'uri'), label} : null;
}
