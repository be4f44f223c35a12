/** Tool calls: one a call id, joined from whatever names it; every event says all that is known so far. */
import type {RunToolFields} from '../run-event.js';
import {withEntry, withoutEntry, type Draft, type DraftRun} from './draft.js';
import {defined, fieldOf, listIn, objectIn, objectsIn, textIn, wordIn, type Fields} from './fields.js';
import {endMessage, releaseHeld} from './messages.js';
import type {AcpTool} from './state.js';

const finals: ReadonlySet<string | undefined> = new Set([
  'completed',
  'failed',
  'error',
  'cancelled',
  'canceled',
  'denied',
]);

const failures: ReadonlySet<string | undefined> = new Set(['failed', 'error']);

/** How many calls that are over are still known: late updates come soon, and a long run has thousands. */
const FINISHED = 64;

/** Takes in `tool_call` or `tool_call_update`: either may come first, or again. False when it names no call. */
export function tellTool(draft: Draft, run: DraftRun, update: Fields): boolean {
  const callId = wordIn(update, 'toolCallId');
  if (callId === undefined) return false;
  const before = run.tools.get(callId) ?? run.finished.get(callId);
  const tool = joined(before ?? newTool(callId, draft), update, draft.state.runtime);
  if (!before?.announced) startTool(draft, run, tool);
  else if (run.finished.has(callId)) updateFinished(draft, run, before, tool);
  else if (!finals.has(tool.status)) {
    keep(run, tool);
    draft.tell(run, 'tool.updated', toolFields(tool));
  } else endTool(draft, run, tool);
  return true;
}

function startTool(draft: Draft, run: DraftRun, said: AcpTool): void {
  releaseHeld(draft, run);
  endMessage(run);
  run.output = '';
  run.active = true;
  const tool = {...said, announced: true, startedAt: draft.at};
  const isOver = finals.has(tool.status);
  const fields = toolFields(isOver ? {...tool, status: 'in_progress'} : tool);
  const preview = previewOf(tool);
  draft.tell(run, 'tool.started', preview === undefined ? fields : {...fields, preview});
  if (isOver) endTool(draft, run, tool);
  else keep(run, tool);
}

function endTool(draft: Draft, run: DraftRun, said: AcpTool, at = draft.at): void {
  const status = said.denied && failures.has(said.status) ? 'denied' : said.status;
  const tool = {...said, status: status!};
  run.tools = withoutEntry(run.tools, tool.tool_call_id);
  remember(run, tool);
  const duration = (at - tool.startedAt) / 1000;
  draft.tell(
    run,
    'tool.completed',
    {
      ...toolFields(tool),
      ...(Number.isNaN(duration) ? null : {duration}),
      error: tool.status !== 'completed',
    },
    at,
  );
}

/** A call that is over stays so; only what came of it can become richer, and success turn out a failure. */
function updateFinished(draft: Draft, run: DraftRun, before: AcpTool, said: AcpTool): void {
  const status = before.status === 'completed' && failures.has(said.status) ? said.status! : before.status!;
  const tool = {...said, status};
  remember(run, tool);
  draft.tell(run, 'tool.updated', toolFields(tool));
}

/** Closes every call that is still open (family E14). */
export function closeTools(
  draft: Draft,
  run: DraftRun,
  status: 'cancelled' | 'interrupted',
  at: number,
): void {
  for (const tool of run.tools.values()) {
    if (tool.announced) endTool(draft, run, {...tool, status: tool.denied ? 'denied' : status}, at);
  }
}

/** A permission request tells of a call, too: what the call itself has not said yet. */
export function tellToolOf(draft: Draft, run: DraftRun, callId: string, asked: Fields): void {
  const tool = run.tools.get(callId);
  if (!tool) {
    // Gemini asks before it announces: kept for the update that follows.
    if (!run.finished.has(callId)) keep(run, joined(newTool(callId, draft), asked, draft.state.runtime));
    return;
  }
  const content = objectsIn(asked, 'content').filter((block) => textIn(block, 'type') === 'diff');
  if (content.length === 0 || (tool.content?.length ?? 0) > 0) return;
  const next = {...tool, content};
  keep(run, next);
  draft.tell(run, 'tool.updated', toolFields(next));
}

/** The reader refused a call. */
export function denyTool(run: DraftRun, callId: string): void {
  const tool = run.tools.get(callId);
  if (tool) keep(run, {...tool, denied: true});
}

function keep(run: DraftRun, tool: AcpTool): void {
  run.tools = withEntry(run.tools, tool.tool_call_id, tool);
}

function remember(run: DraftRun, tool: AcpTool): void {
  const finished = new Map(run.finished);
  finished.delete(tool.tool_call_id);
  finished.set(tool.tool_call_id, tool);
  if (finished.size > FINISHED) finished.delete(finished.keys().next().value!);
  run.finished = finished;
}

function newTool(callId: string, draft: Draft): AcpTool {
  return {
    tool: 'tool',
    tool_call_id: callId,
    status: 'pending',
    startedAt: draft.at,
    announced: false,
    denied: false,
  };
}

/** What was known and what is said now. Lists replace, null and nothing leave as it was (families E5, E6). */
function joined(before: AcpTool, update: Fields, runtime: string): AcpTool {
  const input = rawIn(update, 'rawInput', 'raw_input') ?? before.input;
  const {name, title} = namingOf({...before, ...defined(update)}, input, runtime);
  const said = {
    // A call keeps the name it was announced with.
    tool: before.announced ? before.tool : name,
    title,
    kind: wordIn(update, 'kind'),
    status: wordIn(update, 'status'),
    input,
    output: rawIn(update, 'rawOutput', 'raw_output'),
    content: listIn(update, 'content'),
    locations: locationsIn(update),
  };
  return {...before, ...defined(said)};
}

// Old builds of Hermes wrote their raw fields in snake case.
function rawIn(update: Fields, ...keys: readonly string[]): unknown {
  return keys.map((key) => fieldOf(update, key)).find((value) => value !== undefined);
}

function locationsIn(update: Fields): RunToolFields['locations'] {
  if (!listIn(update, 'locations')) return undefined;
  return objectsIn(update, 'locations').filter(
    (place): place is {path: string; line?: number} => wordIn(place, 'path') !== undefined,
  );
}

/** What a call says of itself for people and tables. */
interface Naming {
  readonly name: string;
  readonly title: string | undefined;
}

/**
 * How a call is called. A title without spaces is a name, one with spaces a sentence; Hermes writes `name: preview`;
 * tools of other servers go by their own name, also behind Reasonix's one proxy tool.
 */
function namingOf(update: Fields, input: unknown, runtime: string): Naming {
  const title = wordIn(update, 'title');
  const proxied = proxiedTool(input);
  if (proxied !== undefined) return {name: proxied, title: proxied};
  const colon = runtime.includes('hermes') ? (title?.indexOf(': ') ?? -1) : -1;
  const word = colon > 0 ? title!.slice(0, colon) : title;
  const isName = word !== undefined && !/\s/.test(word);
  const name = wordIn(update, 'name') ?? (isName ? word : (wordIn(update, 'kind') ?? 'tool'));
  return {
    name,
    title: title === undefined ? undefined : (/^mcp__(?:(?!__).)+__(\S+)$/.exec(title)?.[1] ?? title),
  };
}

function proxiedTool(input: unknown): string | undefined {
  const capability = textIn(objectIn({input}, 'input'), 'capability_id');
  return capability === undefined ? undefined : /^mcp-tool:[^/]*\/(.+)$/.exec(capability)?.[1];
}

/** Arguments that tell most about a call. */
const telling = ['command', 'cmd', 'file_path', 'filePath', 'path', 'query', 'pattern', 'url', 'description'];

function previewOf({input, title, tool}: AcpTool): string | undefined {
  const fields = objectIn({input}, 'input');
  for (const key of telling) {
    const value = fieldOf(fields, key);
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0) return String(value.at(-1));
  }
  return title === tool ? undefined : title;
}

/** A tool as an event says it. */
function toolFields(call: AcpTool): RunToolFields & {tool_call_id: string} {
  const {tool, tool_call_id, title, kind, status, input, output, content, locations} = call;
  return defined({
    tool,
    tool_call_id,
    title,
    kind,
    status,
    input,
    output,
    content,
    locations,
  });
}
