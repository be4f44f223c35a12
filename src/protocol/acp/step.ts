/**
 * The fold of ACP messages: one observation in, the next state and the run events it brings out. No clock, no randomness,
 * no platform.
 *
 * `agent stdio → ACP lines → **step → run events** → journal → frames`
 *
 * A run is one `session/prompt`. Updates belong to the oldest prompt without an answer; after the answer they still do,
 * until the terminal event is due (a gateway's grace window, the next prompt, the end of a recording). Whatever belongs
 * to no turn goes to the run `s.<session>`. A state is a value: it may be stepped from again.
 */
import type {RunEvent} from '../run-event.js';
import {isSessionRun} from '../run-id.js';
import {Draft, withEntry, withoutEntry, type DraftRun} from './draft.js';
import {cancelRun, closeRun, failRun, failure, type Ending} from './ending.js';
import {fieldOf, fieldsOf, objectIn, objectsIn, textIn, wordIn, type Fields} from './fields.js';
import type {AcpGatewayFact, AcpObservation, JsonRpcMessage} from './observation.js';
import {answerPermission, askPermission, dropSessionPermissions} from './permissions.js';
import {echoOf, promptBlocks, shownPrompt} from './prompt.js';
import {requestKey, type AcpRun, type AcpState, type PendingRequest} from './state.js';
import {closeTools} from './tools.js';
import {isState, tellAnswered, tellConfig, tellMode, tellUpdate} from './updates.js';
import {reasonixUsage} from './usage.js';

/** What a step gives: the next state, and complete run events in order. */
export type AcpStep = readonly [AcpState, readonly RunEvent[]];

/** The next state and the run events that one observation brings. */
export function step(state: AcpState, observation: AcpObservation): AcpStep {
  const draft = new Draft(state, observation.at);
  if (observation.from === 'gateway') takeFact(draft, observation.fact);
  else takeMessage(draft, observation.from, observation.message);
  return [draft.state, draft.events];
}

/** What a page, or a recording without a gateway, adds at the end of its lines: the terminal event that is due. */
export function finish(state: AcpState, at: number): AcpStep {
  return step(state, {from: 'gateway', fact: {type: 'grace-over'}, at});
}

function takeMessage(draft: Draft, from: 'client' | 'agent', message: JsonRpcMessage): void {
  const fields = fieldsOf(message);
  if (!fields) return void draft.state.malformed++;
  const method = textIn(fields, 'method');
  const params = objectIn(fields, 'params');
  if (from === 'client') {
    if (method !== undefined) clientMethods.get(method)?.(draft, message, params);
    else answerPermission(draft, message);
  } else if (method === undefined) takeAnswer(draft, fields);
  else agentMethods.get(method)?.(draft, message, params);
}

type MethodHandler = (draft: Draft, message: JsonRpcMessage, params: Fields | undefined) => void;

const clientMethods = new Map<string, MethodHandler>(
  Object.entries({
    initialize: connected,
    'session/new': asked,
    'session/load': askedForOld,
    'session/resume': askedForOld,
    'session/set_mode': asked,
    'session/set_config_option': asked,
    'session/prompt': prompted,
    'session/cancel': cancelled,
  } satisfies Record<string, MethodHandler>),
);

const agentMethods = new Map<string, MethodHandler>(
  Object.entries({
    'session/update': updated,
    'session/request_permission': (draft, message, params) =>
      params ? askPermission(draft, message, params) : void draft.state.malformed++,
    '_reasonix.io/session/status_update': reasonixStatus,
  } satisfies Record<string, MethodHandler>),
);

function asked(draft: Draft, {id, method}: JsonRpcMessage, params: Fields | undefined): void {
  const request: PendingRequest = {
    method: String(method),
    sessionId: wordIn(params, 'sessionId'),
    value: wordIn(params, 'modeId'),
  };
  draft.state.pending = withEntry(draft.state.pending, requestKey(id), request);
}

/** A process begins, and counts its requests anew: none of the one before it will be answered. */
function connected(draft: Draft, message: JsonRpcMessage, params: Fields | undefined): void {
  const {state} = draft;
  state.pending = new Map();
  state.replays = new Set(state.replays.has('gateway') ? ['gateway'] : []);
  dropSessionPermissions(draft);
  asked(draft, message, params);
}

/** A session that is loaded or resumed: until the answer, what comes was said before (families E28, E29). */
function askedForOld(draft: Draft, message: JsonRpcMessage, params: Fields | undefined): void {
  asked(draft, message, params);
  const {state} = draft;
  const sessionId = wordIn(params, 'sessionId');
  if (sessionId === undefined) return;
  if (state.acpSessionId === null || (state.publicId !== null && !draft.run)) state.acpSessionId = sessionId;
  if (state.acpSessionId === sessionId) state.replays = new Set(state.replays).add(requestKey(message.id));
}

function prompted(draft: Draft, {id}: JsonRpcMessage, params: Fields | undefined): void {
  const {state} = draft;
  if (draft.run?.again) return promptedAgain(draft, draft.run, requestKey(id), wordIn(params, 'sessionId'));
  if (!isPromptOfOurs(draft, wordIn(params, 'sessionId'))) return void state.foreign++;
  const blocks = promptBlocks(params);
  const number = ++state.runs;
  const {runId = runName(`${draft.sessionId}.${number}`), turnId = runId, profile} = state.nextRun ?? {};
  state.nextRun = null;
  const echo = echoOf(blocks ?? []);
  const run: DraftRun = {...newRun, id: runId, turnId, request: requestKey(id), echo, lastAt: draft.at};
  const {run: before} = draft;
  if (before?.ending) endRun(draft);
  if (!draft.run) state.run = run;
  else if (draft.run.promoted && !draft.run.active) {
    // It was swallowed by the run before it; this one is heard instead.
    state.queued = [...state.queued, draft.run];
    state.run = run;
  }
  draft.tell(run, 'run.started', {
    turn_id: turnId,
    ...(blocks && {prompt: shownPrompt(blocks)}),
    ...(profile !== undefined && {profile}),
  });
  if (state.run !== run) state.queued = [...state.queued, run];
}

/** The prompt of the run that goes on, sent to another session or process. */
function promptedAgain(draft: Draft, run: DraftRun, request: string, sessionId: string | undefined): void {
  run.again = false;
  run.request = request;
  draft.state.acpSessionId = sessionId ?? draft.state.acpSessionId;
}

// A session called `s` must not have runs that look like those of session-level events.
function runName(name: string): string {
  return isSessionRun(name) ? `run.${name}` : name;
}

const newRun: AcpRun = {
  id: '',
  turnId: '',
  request: '',
  seq: 0,
  echo: {texts: [], whole: '', heard: ''},
  message: null,
  thought: null,
  named: 0,
  output: '',
  held: null,
  active: false,
  tools: new Map(),
  finished: new Map(),
  permissions: 0,
  cancelled: false,
  usage: {},
  summary: '',
  trouble: null,
  ending: null,
  lastAt: NaN,
  again: false,
  promoted: false,
};

/** The first prompt decides which of the sessions made on this connection is ours. */
function isPromptOfOurs({state}: Draft, sessionId: string | undefined): boolean {
  const {acpSessionId, isSure, known} = state;
  if (sessionId === undefined) return true;
  if (acpSessionId === null || (!isSure && known.has(sessionId))) state.acpSessionId = sessionId;
  if (state.acpSessionId !== sessionId) return false;
  state.isSure = true;
  return true;
}

/** A cancel closes the open calls at once; the agent may take its time (family E14). */
function cancelled(draft: Draft, _message: JsonRpcMessage, params: Fields | undefined): void {
  const {run} = draft;
  if (!run || run.ending || !isOurs(draft, params)) return;
  run.cancelled = true;
  closeTools(draft, run, 'cancelled', draft.at);
}

function isOurs({state}: Draft, params: Fields | undefined): boolean {
  const sessionId = wordIn(params, 'sessionId');
  // What is said before the session's own answer names a session we do not know yet (family E27).
  state.acpSessionId ??= sessionId ?? null;
  return sessionId === undefined || sessionId === state.acpSessionId;
}

function updated(draft: Draft, _message: JsonRpcMessage, params: Fields | undefined): void {
  const {state} = draft;
  const update = objectIn(params, 'update');
  if (!update) return void state.malformed++;
  if (!isOurs(draft, params)) return void state.foreign++;
  if (state.replays.size > 0 && !isState(update)) return;
  if (!tellUpdate(draft, update)) state.malformed++;
}

/** Reasonix tells of the cache, and of what went wrong, in a notification of its own. */
function reasonixStatus(draft: Draft, _message: JsonRpcMessage, params: Fields | undefined): void {
  const {run} = draft;
  if (!run || !isOurs(draft, params)) return;
  const status = objectIn(params, 'status');
  run.trouble = wordIn(objectIn(objectIn(status, 'turnOutcome'), 'diagnostic'), 'kind') ?? null;
  // The phase it begins with still tells of the turn before.
  if (textIn(params, 'event') === 'phase') return;
  const usage = reasonixUsage(status);
  if (JSON.stringify(usage) === JSON.stringify(run.usage)) return;
  run.usage = usage;
  const {usage: tokens, ...cache} = usage;
  draft.tell(run, 'usage.updated', {...tokens, ...cache});
}

function takeAnswer(draft: Draft, answer: Fields): void {
  const {state} = draft;
  const key = requestKey(fieldOf(answer, 'id'));
  const result = objectIn(answer, 'result');
  const error = objectIn(answer, 'error');
  if (draft.run?.request === key && !draft.run.ending) return answered(draft, draft.run, {result, error});
  const queued = state.queued.find(({request}) => request === key);
  if (queued) {
    state.queued = state.queued.filter((run) => run !== queued);
    return closeRun(draft, {...queued}, {result, error, wasQueued: true, at: draft.at});
  }
  const request = state.pending.get(key);
  if (!request) return;
  state.pending = withoutEntry(state.pending, key);
  answers.get(request.method)?.(draft, request, result);
  if (state.replays.has(key)) {
    const replays = new Set(state.replays);
    replays.delete(key);
    state.replays = replays;
  }
}

function answered(draft: Draft, run: DraftRun, answer: Pick<Ending, 'result' | 'error'>): void {
  // What said the whole message again was the last thing before the answer: a resend (family E2).
  run.held = null;
  run.ending = {...answer, wasQueued: false, at: draft.at};
  if (draft.state.queued.length > 0) endRun(draft);
}

type AnswerHandler = (draft: Draft, request: PendingRequest, result: Fields | undefined) => void;

const answers = new Map<string, AnswerHandler>(
  Object.entries({
    initialize: initialized,
    'session/new': sessionMade,
    'session/load': sessionLoaded,
    'session/resume': sessionLoaded,
    'session/set_mode': (draft, {value}, result) => {
      if (result && value !== draft.state.mode) tellMode(draft, value);
    },
    'session/set_config_option': (draft, _request, result) => tellAnswered(draft, result),
  } satisfies Record<string, AnswerHandler>),
);

function initialized({state}: Draft, _request: PendingRequest, result: Fields | undefined): void {
  state.runtime ||= (wordIn(objectIn(result, 'agentInfo'), 'name') ?? '').toLowerCase();
  const names = objectsIn(result, 'authMethods').map((way) => wordIn(way, 'name') ?? wordIn(way, 'id'));
  state.signIns = names.filter((name) => name !== undefined);
}

function sessionMade(draft: Draft, _request: PendingRequest, result: Fields | undefined): void {
  const {state} = draft;
  const sessionId = wordIn(result, 'sessionId');
  if (sessionId === undefined) return;
  state.known = new Set(state.known).add(sessionId);
  const isFree = draft.run === null || draft.run.again;
  if (state.acpSessionId === null || (state.publicId !== null && isFree)) state.acpSessionId = sessionId;
  if (state.acpSessionId === sessionId) tellAnswered(draft, result);
}

function sessionLoaded(draft: Draft, {sessionId}: PendingRequest, result: Fields | undefined): void {
  const {state} = draft;
  if (sessionId === undefined || sessionId !== state.acpSessionId) return;
  if (result) {
    state.known = new Set(state.known).add(sessionId);
    tellAnswered(draft, result);
  } else if (!state.isSure) state.acpSessionId = null;
}

function takeFact(draft: Draft, fact: AcpGatewayFact): void {
  const {state, run} = draft;
  switch (fact.type) {
    case 'run':
      state.nextRun = fact;
      return;
    case 'permission':
      state.nextPermissions = withEntry(state.nextPermissions, requestKey(fact.requestId), fact);
      return;
    case 'permission-by':
      state.answerers = withEntry(state.answerers, fact.permissionId, fact.by);
      return;
    case 'grace-over':
      if (run?.ending) endRun(draft);
      return;
    case 'failed':
      return failAll(draft, fact);
    case 'cancelled':
      return cancelActive(draft, fact.reason);
    case 'again':
      return void (run && awaitPrompt(draft, run));
    case 'options':
      return void tellConfig(draft, fact.options);
    case 'replay':
      state.replays = new Set(state.replays);
      if (fact.active) (state.replays as Set<string>).add('gateway');
      else (state.replays as Set<string>).delete('gateway');
      return;
    case 'notice':
      draft.tellEither('notice', {text: fact.text, ...(fact.topic !== undefined && {topic: fact.topic})});
  }
}

/** Closes the run that has its answer; the oldest prompt that waited is heard next. */
function endRun(draft: Draft): void {
  const {state} = draft;
  const run = draft.run!;
  closeRun(draft, run, run.ending!);
  const [next, ...rest] = state.queued;
  state.run = next ? {...next, promoted: true} : null;
  state.queued = rest;
}

function cancelActive(draft: Draft, reason: string | undefined): void {
  const {run, state} = draft;
  if (!run) return;
  // An answer that is in stays the answer.
  if (run.ending) return endRun(draft);
  cancelRun(draft, run, reason);
  state.run = null;
}

/** Ids of requests begin anew in another process, so none of the old ones may be waited for. */
function awaitPrompt({state}: Draft, run: DraftRun): void {
  run.again = true;
  run.request = '';
  run.ending = null;
  run.held = null;
  run.echo = {...run.echo, heard: ''};
  state.pending = new Map();
  state.replays = new Set();
}

function failAll(draft: Draft, fact: Extract<AcpGatewayFact, {type: 'failed'}>): void {
  const {state} = draft;
  // An answer that is in stays the answer.
  if (draft.run?.ending) endRun(draft);
  for (const run of [draft.run, ...state.queued]) if (run) failRun(draft, {...run}, failure(fact));
  state.run = null;
  state.queued = [];
}
