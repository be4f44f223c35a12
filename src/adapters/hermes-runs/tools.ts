/** Tool events of a run. Our gateway's carry ids, arguments and content; Hermes Agent's own a name and little more. */
import {
  asObject,
  firstString,
  jsonText,
  ownNumber,
  ownObject,
  ownObjects,
  ownString,
  ownTrue,
  ownValue,
  type JsonObject,
} from '../../anchor/json.js';
import {stripPrototypeKeys} from '../../anchor/sanitize.js';
import type {
  ArtifactChange,
  ArtifactFacts,
  ToolEvent,
  ToolFacts,
  ToolStatus,
} from '../../anchor/turn-event.js';
import {millis, type FrameHandler} from '../frame-head.js';
import {filesOfDiff, leadingDiff, unifiedDiff} from '../unified-diff.js';

const statuses: ReadonlyMap<unknown, ToolStatus> = new Map<string, ToolStatus>([
  ['pending', 'pending'],
  ['in_progress', 'running'],
  ['running', 'running'],
  ['completed', 'completed'],
  ['failed', 'error'],
  ['error', 'error'],
  ['denied', 'denied'],
  ['cancelled', 'cancelled'],
  ['interrupted', 'interrupted'],
]);

export function toolEvent(phase: ToolEvent['phase']): FrameHandler {
  return (data, head) => {
    const status = readStatus(phase, data);
    return {
      type: 'tool',
      phase,
      callId: firstString(data, 'tool_call_id'),
      tool: firstString(data, 'tool', 'name') ?? 'tool',
      status,
      facts: readFacts(data, status === 'completed'),
      ...head,
    };
  };
}

function readStatus(phase: ToolEvent['phase'], data: JsonObject): ToolStatus | null {
  const said = statuses.get(ownValue(data, 'status')) ?? impliedStatus[phase];
  return said === 'completed' && ownTrue(data, 'error') ? 'error' : said;
}

// What the event's name says where it has no status, as in Hermes Agent's own stream.
const impliedStatus = {start: 'running', update: null, end: 'completed'} as const;

function readFacts(data: JsonObject, finished: boolean): ToolFacts {
  const input = ownValue(data, 'input');
  const blocks = ownObjects(data, 'content');
  const diff = diffOf(blocks) ?? (isNoteTool(data, input) ? leadingDiff(blocksText(blocks) ?? '') : null);
  const locations = ownObjects(data, 'locations')
    .map((place) => ({path: firstString(place, 'path') ?? '', line: ownNumber(place, 'line')}))
    .filter(({path}) => path !== '');
  const kind = firstString(data, 'kind');
  return {
    title: firstString(data, 'title', 'preview'),
    kind,
    args: readInput(input),
    // Raw output that is no text is for programs; what an agent wrote for people says it better.
    output: ownString(data, 'output') ?? blocksText(blocks) ?? jsonText(ownValue(data, 'output')),
    content: richContent(blocks),
    diff,
    locations,
    durationMs: millis(ownNumber(data, 'duration')),
    artifacts: finished ? readArtifacts(kind, diff, locations) : [],
  };
}

// The host's note tools come over MCP, which has no diffs but as text; each agent calls them in another way.
function isNoteTool(data: JsonObject, input: JsonObject[string] | undefined): boolean {
  const names = [
    firstString(data, 'tool'),
    firstString(data, 'title'),
    firstString(asObject(input) ?? {}, 'tool'),
  ];
  return names.some((name) => name !== null && /(?:^|[/_])mnote_(?:doc|block|page)_/.test(name));
}

/** The arguments of a call, or of what is to be allowed. */
export function readInput(input: JsonObject[string] | undefined): JsonObject | null {
  if (input === undefined || input === null) return null;
  return stripPrototypeKeys(asObject(input) ?? {_raw: input});
}

/** The changes among blocks of content, as one diff. */
export function diffOf(blocks: readonly JsonObject[]): string | null {
  const diffs = blocks.filter((block) => ownString(block, 'type') === 'diff').map(readDiff);
  return diffs.length > 0 ? diffs.join('') : null;
}

function readDiff(block: JsonObject): string {
  const path = firstString(block, 'path') ?? '';
  return unifiedDiff(path, ownString(block, 'oldText'), ownString(block, 'newText') ?? '');
}

/** The texts among blocks of content. */
export function blocksText(blocks: readonly JsonObject[]): string | null {
  const texts = blocks.map((block) => firstString(held(block), 'text')).filter((text) => text !== null);
  return texts.length > 0 ? texts.join('\n') : null;
}

/** The blocks as they came, texts between them, where some are more than text; changes have their own place. */
function richContent(blocks: readonly JsonObject[]): readonly JsonObject[] | null {
  const given = blocks.filter((block) => ownString(block, 'type') !== 'diff').map(held);
  return given.every((block) => ownString(block, 'text') !== null) ? null : given.map(stripPrototypeKeys);
}

// ACP wraps a block once more; in other wires it stands bare.
function held(block: JsonObject): JsonObject {
  return ownObject(block, 'content') ?? block;
}

const changesByKind: ReadonlyMap<string | null, ArtifactChange> = new Map<string, ArtifactChange>([
  ['edit', 'modified'],
  ['move', 'modified'],
  ['delete', 'deleted'],
]);

// A diff knows best; without one, an edit changed the places it names.
function readArtifacts(
  kind: string | null,
  diff: string | null,
  locations: readonly {readonly path: string}[],
): readonly ArtifactFacts[] {
  if (diff !== null) return filesOfDiff(diff);
  const change = changesByKind.get(kind);
  return change === undefined ? [] : locations.map(({path}) => ({path, change}));
}
