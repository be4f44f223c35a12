/** Updates: what each kind of `session/update` says. A table, as the list is open: unknown kinds are passed on as they came. */
import {type Draft, type DraftRun} from './draft.js';
import {fieldOf, listIn, numberIn, objectIn, objectsIn, textIn, wordIn, type Fields} from './fields.js';
import {endMessage, endUnnumbered, releaseHeld, sayMessage, sayThought} from './messages.js';
import {echoed, isHostContext} from './prompt.js';
import {tellTool} from './tools.js';
import type {Told} from './draft.js';

/** Reads one kind of update. False when it cannot be read. */
type UpdateHandler = (draft: Draft, update: Fields) => boolean | void;

/** Takes in one update of the session. False when it cannot be read. */
export function tellUpdate(draft: Draft, update: Fields): boolean {
  const kind = wordIn(update, 'sessionUpdate');
  if (kind === undefined) return false;
  const handler = handlers.get(kind) ?? passOn;
  return handler(draft, update) !== false;
}

/** True for an update that tells what is, not what was said: it holds also between old messages (families E28, E29). */
export function isState(update: Fields): boolean {
  return states.has(wordIn(update, 'sessionUpdate'));
}

const states: ReadonlySet<string | undefined> = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
]);

const passOn: UpdateHandler = (draft, update) => {
  draft.tellEither('agent.update', {update});
};

const handlers = new Map<string, UpdateHandler>(
  Object.entries({
    user_message_chunk: heardUser,
    agent_message_chunk: saidMessage,
    agent_thought_chunk: saidThought,
    tool_call: calledTool,
    tool_call_update: calledTool,
    plan: (draft, update) => tellPlan(draft, objectsIn(update, 'entries')),
    plan_update: plannedById,
    plan_removed: (draft) => tellPlan(draft, []),
    available_commands_update: (draft, update) =>
      draft.tellSession('commands.updated', {commands: listIn(update, 'availableCommands') ?? []}),
    current_mode_update: (draft, update) => tellMode(draft, wordIn(update, 'currentModeId')),
    config_option_update: (draft, update) => tellConfig(draft, listIn(update, 'configOptions')),
    session_info_update: toldInfo,
    usage_update: (draft, update) => draft.tellEither('usage.updated', windowOf(update)),
    notice: (draft, update) => draft.tellEither('notice', noticeOf(update)),
    compaction_update: compacted,
    compaction_summary_chunk: summarised,
  } satisfies Record<string, UpdateHandler>),
);

function saidMessage(draft: Draft, update: Fields): boolean {
  const block = objectIn(update, 'content');
  if (!block) return false;
  if (draft.run) sayMessage(draft, draft.run, update, block);
  else sayBetween(draft, update, block);
  return true;
}

/** A message between turns is nobody's answer: the session says it (family E37). */
function sayBetween(draft: Draft, update: Fields, block: Fields): void {
  const text = textIn(block, 'text');
  if (text === undefined) passOn(draft, update);
  else if (text !== '') draft.tellSession('notice', {text, topic: 'message'});
}

function saidThought(draft: Draft, update: Fields): boolean | void {
  const block = objectIn(update, 'content');
  if (!block) return false;
  const text = textIn(block, 'text');
  if (!draft.run || text === undefined) return passOn(draft, update);
  sayThought(draft, draft.run, update, text);
}

function heardUser(draft: Draft, update: Fields): boolean | void {
  const block = objectIn(update, 'content');
  if (!block) return false;
  if (isHostContext(block)) return;
  const {run} = draft;
  // The prompt in flight comes back (family E3); anything else is somebody else's prompt.
  const echo = run && echoed(run.echo, block);
  if (run && echo) return void (run.echo = echo);
  if (run) {
    releaseHeld(draft, run);
    endMessage(run);
  }
  passOn(draft, update);
}

function calledTool(draft: Draft, update: Fields): boolean | void {
  // A call of a run that is over belongs to no turn any more (family E1).
  return draft.run ? tellTool(draft, draft.run, update) : passOn(draft, update);
}

function tellPlan(draft: Draft, list: readonly Fields[]): void {
  const {run} = draft;
  if (run) {
    releaseHeld(draft, run);
    endUnnumbered(run);
    run.active = true;
  }
  const entries = list.map((entry) => {
    const priority = wordIn(entry, 'priority');
    return {
      content: textIn(entry, 'content') ?? '',
      status: wordIn(entry, 'status') ?? 'pending',
      ...(priority !== undefined && {priority}),
    };
  });
  draft.tellEither('plan.updated', {entries});
}

/** A plan with an id: its list is shown, other forms (a file, markdown) are passed on. */
function plannedById(draft: Draft, update: Fields): void {
  const plan = objectIn(update, 'plan') ?? update;
  const list = listIn(plan, 'entries') ? 'entries' : 'items';
  if (listIn(plan, list)) tellPlan(draft, objectsIn(plan, list));
  else passOn(draft, update);
}

/** The mode the session is in. */
export function tellMode(draft: Draft, mode: string | undefined): boolean {
  if (mode === undefined) return false;
  draft.state.mode = mode;
  draft.tellSession('mode.updated', {mode});
  return true;
}

/** The options of the session, always all of them. */
export function tellConfig(draft: Draft, options: readonly unknown[] | undefined): boolean {
  if (options === undefined) return false;
  draft.state.config = JSON.stringify(options);
  draft.tellSession('config.updated', {options});
  return true;
}

/** Mode and options as an answer holds them: told if they are news. */
export function tellAnswered(draft: Draft, result: Fields | undefined): void {
  const mode = wordIn(objectIn(result, 'modes'), 'currentModeId');
  const options = listIn(result, 'configOptions');
  if (mode !== draft.state.mode) tellMode(draft, mode);
  if (options && JSON.stringify(options) !== draft.state.config) tellConfig(draft, options);
}

// A title of null clears it; an absent one leaves it.
function toldInfo(draft: Draft, update: Fields): void {
  const title = Object.hasOwn(update, 'title') ? (textIn(update, 'title') ?? null) : undefined;
  const updatedAt = textIn(update, 'updatedAt');
  draft.tellSession('session.info', {
    ...(title !== undefined && {title}),
    ...(updatedAt !== undefined && {updated_at: updatedAt}),
  });
}

function windowOf(update: Fields): Told<'usage.updated'> {
  const used = numberIn(update, 'used');
  const size = numberIn(update, 'size');
  const cost = fieldOf(update, 'cost');
  return {
    ...(used !== undefined && {used}),
    ...(size !== undefined && {size}),
    ...(cost !== undefined && {cost}),
  };
}

function noticeOf(update: Fields): Told<'notice'> {
  const severity = wordIn(update, 'severity');
  const text = [wordIn(update, 'title'), wordIn(update, 'description')].filter(Boolean).join(': ');
  return {text, ...(severity !== undefined && {topic: severity, severity})};
}

const compactions: ReadonlyMap<string | undefined, Told<'compaction'>['status']> = new Map([
  ['completed', 'completed'],
  ['failed', 'error'],
  ['cancelled', 'error'],
] as const);

function compacted(draft: Draft, update: Fields): void {
  const status = compactions.get(wordIn(update, 'status')) ?? 'running';
  const id = wordIn(update, 'compactionId');
  const {run} = draft;
  const error = objectIn(update, 'error');
  const said = textIn(update, 'summary') ?? textIn(objectIn(update, 'summary'), 'text');
  const why = textIn(update, 'error') ?? textIn(error, 'message');
  const text = said ?? why ?? (status === 'running' ? '' : (run?.summary ?? ''));
  if (run && status !== 'running') run.summary = '';
  draft.tellEither('compaction', {
    status,
    ...(text !== '' && {text}),
    ...(id !== undefined && {compaction_id: id}),
  });
}

/** A summary comes in pieces and is said as one, with the compaction's end. */
function summarised(draft: Draft, update: Fields): void {
  const run: DraftRun | null = draft.run;
  if (run) run.summary += textIn(objectIn(update, 'content'), 'text') ?? '';
}
