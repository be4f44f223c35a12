/** What a tool call knows, and how later facts join earlier ones: richer stays, nothing shorter replaces it (law 6). */
import type {JsonObject} from './json.js';
import type {ToolDetails} from './turn-anchor.js';
import type {ToolEvent, ToolFacts, ToolStatus} from './turn-event.js';

const noArgs: JsonObject = Object.freeze({});

/** True for statuses a call does not leave again by itself. */
export function closesOpen(status: ToolStatus): boolean {
  return status !== 'pending' && status !== 'running';
}

export function newTool(event: ToolEvent): ToolDetails {
  const empty: ToolDetails = {
    callId: event.callId,
    name: event.tool,
    title: null,
    kind: null,
    status: event.phase === 'end' ? 'completed' : 'running',
    args: noArgs,
    output: '',
    diff: null,
    locations: [],
    durationMs: null,
  };
  const tool = mergeFacts(empty, event.facts);
  return event.status === null ? tool : {...tool, status: event.status};
}

/** Joins facts of the same source: arguments are kept and completed, the longer body wins. */
export function mergeFacts(tool: ToolDetails, facts: ToolFacts): ToolDetails {
  return {
    ...tool,
    title: facts.title ?? tool.title,
    kind: facts.kind ?? tool.kind,
    args: facts.args ? mergeArgs(tool.args, facts.args) : tool.args,
    output: longer(tool.output, facts.output),
    // Each list replaces the one before it, as on the wire.
    ...(facts.content && {content: facts.content}),
    diff: facts.diff != null && facts.diff.length > (tool.diff?.length ?? 0) ? facts.diff : tool.diff,
    locations: facts.locations && facts.locations.length > 0 ? facts.locations : tool.locations,
    durationMs: facts.durationMs ?? tool.durationMs,
  };
}

function mergeArgs(before: JsonObject, after: JsonObject): JsonObject {
  if (Object.keys(before).length === 0) return after;
  const missing = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  if (missing.length === 0) return before;
  const next: Record<string, JsonObject[string]> = {...before};
  for (const key of missing) next[key] = after[key]!;
  return next;
}

/** A status that is over stays, except that completed may turn out an error, and a denial explains an error. */
export function withStatus(tool: ToolDetails, event: ToolEvent): ToolDetails {
  const said = event.status ?? (event.phase === 'end' ? 'completed' : null);
  if (said === null || tool.status === said) return tool;
  if (!closesOpen(tool.status)) return {...tool, status: said};
  return tool.status === 'completed' && said === 'error' ? {...tool, status: 'error'} : tool;
}

/** Settled history over what was streamed: parsed arguments replace shown ones, an error stands (law 6). */
export function enrichTool(
  tool: ToolDetails,
  settled: {facts: ToolFacts; status: ToolStatus | null},
): ToolDetails {
  const {facts, status} = settled;
  const args = facts.args && Object.keys(facts.args).length > 0 ? facts.args : tool.args;
  const next = {...mergeFacts(tool, {...facts, args: null}), args};
  if (status === null || status === tool.status) return next;
  if (!closesOpen(tool.status)) return {...next, status};
  return tool.status === 'completed' && status === 'error' ? {...next, status} : next;
}

function longer(before: string, after: string | null | undefined): string {
  return after != null && after.length > before.length ? after : before;
}
