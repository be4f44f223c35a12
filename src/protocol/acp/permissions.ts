/** Permissions: requests of the agent under ids of our own, each with its call, and their ends. */
import type {RunPermissionOption} from '../run-event.js';
import {withEntry, withoutEntry, type Draft, type DraftRun, type Told} from './draft.js';
import {defined, fieldOf, listIn, objectIn, objectsIn, textIn, wordIn, type Fields} from './fields.js';
import type {JsonRpcMessage, PermissionAnswerer} from './observation.js';
import {releaseHeld} from './messages.js';
import {requestKey, type AcpPermission, type AcpTool} from './state.js';
import {denyTool, tellToolOf} from './tools.js';

/** Takes in `session/request_permission`, also one of a child session nobody has announced (family E36). */
export function askPermission(draft: Draft, {id}: JsonRpcMessage, params: Fields): void {
  const {state, run} = draft;
  const key = requestKey(id);
  const asked = objectIn(params, 'toolCall') ?? {};
  if (run) {
    releaseHeld(draft, run);
    run.active = true;
  }
  const tool = run && toolOf(run, asked);
  const callId = tool?.tool_call_id ?? wordIn(asked, 'toolCallId');
  if (run && callId !== undefined) tellToolOf(draft, run, callId, asked);
  const named = state.nextPermissions.get(key);
  state.nextPermissions = withoutEntry(state.nextPermissions, key);
  const permission: AcpPermission = {
    permissionId: named?.permissionId ?? nextPermissionId(draft),
    requestId: id,
    acpSessionId: wordIn(params, 'sessionId') ?? null,
    runId: run?.id ?? draft.sessionRun,
    callId,
    options: objectsIn(params, 'options').map(readOption),
  };
  state.permissions = withEntry(state.permissions, key, permission);
  draft.tellEither('permission.requested', requested(permission, asked, tool, named?.expiresAt));
}

/** Takes in the client's answer to a request of the agent. False when it answers no permission. */
export function answerPermission(draft: Draft, {id, result}: JsonRpcMessage): boolean {
  const open = draft.state.permissions.get(requestKey(id));
  if (!open) return false;
  const outcome = objectIn(objectIn({result}, 'result'), 'outcome');
  const optionId = textIn(outcome, 'outcome') === 'selected' ? wordIn(outcome, 'optionId') : undefined;
  const by = draft.state.answerers.get(open.permissionId) ?? (optionId === undefined ? 'cancel' : 'reader');
  resolve(draft, requestKey(id), open, optionId, by, draft.at);
  return true;
}

/** Ends the permissions of a run that will get no answer. */
export function dropPermissions(draft: Draft, run: DraftRun, at: number): void {
  for (const [key, open] of draft.state.permissions) {
    if (open.runId === run.id) resolve(draft, key, open, undefined, 'cancel', at, run);
  }
}

/** Ends the permissions that a process asked between runs and can hear no answer of. */
export function dropSessionPermissions(draft: Draft): void {
  for (const [key, open] of draft.state.permissions) {
    if (open.runId === draft.sessionRun) resolve(draft, key, open, undefined, 'cancel', draft.at, null);
  }
}

function resolve(
  draft: Draft,
  key: string,
  open: AcpPermission,
  optionId: string | undefined,
  by: PermissionAnswerer,
  at: number,
  run: DraftRun | null = draft.run?.id === open.runId ? draft.run : null,
): void {
  const {state} = draft;
  state.permissions = withoutEntry(state.permissions, key);
  state.answerers = withoutEntry(state.answerers, open.permissionId);
  const kind = open.options.find((option) => option.id === optionId)?.kind;
  if (run && open.callId !== undefined && kind?.startsWith('reject')) denyTool(run, open.callId);
  const fields: Told<'permission.resolved'> = {
    permission_id: open.permissionId,
    outcome: optionId === undefined ? 'cancelled' : 'selected',
    ...(optionId !== undefined && {option_id: optionId}),
    ...(kind !== undefined && {option_kind: kind}),
    by,
  };
  if (run) draft.tell(run, 'permission.resolved', fields, at);
  else draft.tellSession('permission.resolved', fields);
}

function nextPermissionId({run, state, sessionRun}: Draft): string {
  return run ? `${run.id}.p${++run.permissions}` : `${sessionRun}.p${++state.sessionPermissions}`;
}

/** The call a request is about: named by its id, else the newest open one with the same input or title, else the only one of its kind. */
function toolOf(run: DraftRun, asked: Fields): AcpTool | undefined {
  const id = wordIn(asked, 'toolCallId') ?? '';
  const known = run.tools.get(id) ?? run.finished.get(id);
  if (known) return known;
  const open = [...run.tools.values()].filter((tool) => tool.announced).reverse();
  const input = JSON.stringify(fieldOf(asked, 'rawInput'));
  const title = wordIn(asked, 'title');
  const alike = open.filter((tool) => tool.kind === wordIn(asked, 'kind'));
  return (
    (input === undefined ? undefined : open.find((tool) => JSON.stringify(tool.input) === input)) ??
    (title === undefined ? undefined : open.find((tool) => tool.title === title)) ??
    (alike.length === 1 && open.length === 1 ? alike[0] : undefined)
  );
}

/** What is asked, filled from the call where the request leaves it out (family E10). */
function requested(
  {permissionId, callId, options}: AcpPermission,
  asked: Fields,
  tool: AcpTool | undefined | null,
  expiresAt: number | undefined,
): Told<'permission.requested'> {
  const content = listIn(asked, 'content');
  return defined({
    permission_id: permissionId,
    tool_call_id: callId,
    title: wordIn(asked, 'title') ?? tool?.title ?? tool?.tool,
    kind: wordIn(asked, 'kind') ?? tool?.kind,
    input: fieldOf(asked, 'rawInput') ?? tool?.input,
    content: content && content.length > 0 ? content : tool?.content,
    options,
    expires_at: expiresAt === undefined ? undefined : expiresAt / 1000,
  });
}

function readOption(option: Fields): RunPermissionOption {
  const id = wordIn(option, 'optionId') ?? '';
  return {id, name: wordIn(option, 'name') ?? id, kind: wordIn(option, 'kind') ?? 'other'};
}
