/**
 * The fold: observations in, a transcript out. Live frames, replays, start answers, settled payloads and snapshots all
 * come through here, in any order and any number of times, and the same evidence gives the same transcript (law 3).
 *
 * Each function returns the next transcript, or the same reference when nothing changed. Nothing here knows a clock,
 * a network or a DOM.
 */
import {planTurns, type TurnPlan} from './bind.js';
import {buildTurn, type TurnInputs} from './build-turn.js';
import {
  emptyBase,
  joinPayload,
  messageTurns,
  type MessageBase,
  type MessageTurn,
  type PayloadSource,
} from './message-base.js';
import {isActivity, mergeUsage} from './run-fold.js';
import {placeSideEffect, type PlacedSideEffect} from './run-facts.js';
import {newCounters, RunState, type Counters} from './run-state.js';
import {sessionFamily} from './sessions.js';
import type {SettledSession} from './settled.js';
import type {RunStart} from './start.js';
import {paintRun} from './paint.js';
import {emptySession, type SessionFacts, type Transcript} from './transcript.js';
import type {TurnAnchor} from './turn-anchor.js';
import type {TurnEvent} from './turn-event.js';

/** What a transcript was folded from. Views never read it. */
export interface Evidence {
  readonly askedId: string | null;
  readonly runs: ReadonlyMap<string, RunState>;
  /** Runs of session-level events, `s.<session>`. */
  readonly sessionRuns: ReadonlyMap<string, RunState>;
  readonly base: MessageBase;
  readonly payloadLinks: readonly (readonly string[])[];
  /** Id of the first settled payload. */
  readonly payloadId: string | null;
  /** Payloads of sessions not (yet) known to be this one; a link seen later lets them in. */
  readonly strangers: readonly {readonly payload: SettledSession; readonly source: PayloadSource}[];
  /** Turns of a snapshot, by their own ids. */
  readonly archive: readonly TurnAnchor[];
  /** True when the archive is the session's settled history and not a cache. */
  readonly archiveSettled: boolean;
  readonly archivedSession: SessionFacts | null;
  readonly sideEffects: readonly PlacedSideEffect[];
  readonly notices: SessionFacts['notices'];
  readonly counters: Counters;
  /** Message turns and inputs of the last build, so that an unchanged turn keeps its reference. */
  readonly turns: readonly MessageTurn[];
  readonly inputs: readonly TurnInputs[];
}

/** A transcript with what it was folded from. */
export interface FoldedTranscript extends Transcript {
  /** @internal */
  readonly evidence: Evidence;
}

export interface TranscriptOptions {
  /** The session asked for; observations of an unrelated one are refused and counted. */
  readonly sessionId?: string | null;
}

/** An empty transcript. */
export function createTranscript({sessionId = null}: TranscriptOptions = {}): FoldedTranscript {
  const counters = newCounters();
  const evidence: Evidence = {
    askedId: sessionId,
    runs: new Map(),
    sessionRuns: new Map(),
    base: emptyBase,
    payloadLinks: [],
    payloadId: null,
    strangers: [],
    archive: [],
    archiveSettled: false,
    archivedSession: null,
    sideEffects: [],
    notices: [],
    counters,
    turns: [],
    inputs: [],
  };
  const session = {...emptySession, id: sessionId, stats: counters};
  return {session, turns: [], evidence};
}

/**
 * Folds one batch of turn events. `context.run` is the run of frames that name none: the stream they came on.
 * Events of no run at all belong to the session.
 */
export function applyTurnEvents(
  transcript: FoldedTranscript,
  events: readonly TurnEvent[],
  context: {readonly run?: string | null} = {},
): FoldedTranscript {
  if (events.length > 0 && typeof events[0]!.type !== 'string') {
    throw new TypeError(
      'applyTurnEvents takes turn events. Read frames first: adapterFor(wire).normalize(frame).',
    );
  }
  const {evidence} = transcript;
  let next = evidence;
  const embedded: SettledSession[] = [];
  const changed = new Map<string, RunState>();
  let structural = false;
  for (const [id, batch] of byRun(events, context.run ?? null)) {
    for (const event of batch) if (event.type !== 'text' && event.session) embedded.push(event.session);
    if (id === null || isSessionRun(id)) {
      next = id === null ? applySessionEvents(next, batch) : applySessionRun(next, id, batch);
      continue;
    }
    const before = evidence.runs.get(id) ?? new RunState(id);
    const run = before.apply(batch);
    if (run === before) continue;
    if (isForeign(run, transcript.session)) evidence.counters.mismatched += batch.length;
    changed.set(id, run);
    structural ||= movesTurns(before, run);
  }
  if (changed.size > 0) {
    const runs = new Map(evidence.runs);
    for (const [id, run] of changed) runs.set(id, run);
    next = {...next, runs};
  }
  for (const session of embedded) next = admit(next, session, 'embedded');
  if (next === evidence) return transcript;
  structural ||= next.base !== evidence.base || next.payloadLinks !== evidence.payloadLinks;
  return structural ? rebuild(transcript, next) : refresh(transcript, next, changed);
}

/** Joins a settled payload from a request of its own (history). */
export function applySettled(transcript: FoldedTranscript, session: SettledSession): FoldedTranscript {
  const next = admit(transcript.evidence, session, 'history');
  return next === transcript.evidence ? transcript : rebuild(transcript, next);
}

/** Creates the anchor of a run when its start request was answered, before the first frame. */
export function beginTurn(transcript: FoldedTranscript, start: RunStart): FoldedTranscript {
  if (typeof start.runId !== 'string' || start.runId === '') {
    throw new TypeError('beginTurn needs the runId of the start answer (Hermes WebUI calls it stream_id).');
  }
  const {runs} = transcript.evidence;
  const before = runs.get(start.runId) ?? new RunState(start.runId);
  const run = before.withStart(start);
  if (runs.has(start.runId) && JSON.stringify(run.facts.start) === JSON.stringify(before.facts.start))
    return transcript;
  return rebuild(transcript, {...transcript.evidence, runs: new Map(runs).set(start.runId, run)});
}

/** Ids of sessions that were refused because nothing relates them to this one. */
export function unrelatedSessions(transcript: FoldedTranscript): readonly string[] {
  const {evidence} = transcript;
  const {family} = familyOf(evidence);
  const named = [
    ...evidence.strangers.map(({payload}) => payload.sessionId),
    ...[...evidence.runs.values()].map((run) => run.facts.home?.id ?? null),
  ];
  return [...new Set(named.filter((id): id is string => id !== null && !family.has(id)))];
}

/** A batch by run, in order. Nearly always one run: then nothing is grouped or copied. */
function byRun(
  events: readonly TurnEvent[],
  streamRun: string | null,
): Iterable<readonly [string | null, readonly TurnEvent[]]> {
  const first = events.length > 0 ? runOf(events[0]!, streamRun) : null;
  let same = 0;
  while (same < events.length && runOf(events[same]!, streamRun) === first) same++;
  if (same === events.length) return events.length > 0 ? [[first, events]] : [];
  const groups = new Map<string | null, TurnEvent[]>();
  for (const event of events) {
    const run = runOf(event, streamRun);
    const group = groups.get(run);
    if (group) group.push(event);
    else groups.set(run, [event]);
  }
  return groups;
}

/** Activity that names no run, on a stream that has none, is of one run nobody named: shown, never dropped (law 1). */
function runOf(event: TurnEvent, streamRun: string | null): string | null {
  return event.run ?? streamRun ?? (isActivity(event) || event.type === 'terminal' ? 'unnamed' : null);
}

const SESSION_RUN = 's.';

/** The gateway's run for session-level events, `s.<session>`, is never a turn. */
function isSessionRun(id: string): boolean {
  return id.startsWith(SESSION_RUN);
}

function applySessionEvents(evidence: Evidence, events: readonly TurnEvent[]): Evidence {
  let next = evidence;
  for (const event of events) {
    if (event.type === 'excluded') {
      evidence.counters.excluded[event.name] = (evidence.counters.excluded[event.name] ?? 0) + 1;
      continue;
    }
    if (event.sessionId != null && !related(next, [event.sessionId])) {
      evidence.counters.mismatched++;
      continue;
    }
    evidence.counters.applied++;
    if (event.type === 'side-effect') {
      const {kind, action, label: name, ownId = null} = event;
      const placed = {seq: event.seq ?? Number.MAX_SAFE_INTEGER, kind, action, name, ownId};
      const sideEffects = placeSideEffect(next.sideEffects, placed);
      if (sideEffects !== next.sideEffects) next = {...next, sideEffects};
    } else if (event.type === 'notice') {
      next = {...next, notices: [...next.notices, {text: event.text, topic: event.topic}]};
    } else if (event.type === 'meta' && event.title != null) {
      next = {...next, archivedSession: {...(next.archivedSession ?? emptySession), title: event.title}};
    }
  }
  return next;
}

/** The gateway's session-level run: in its order and once, like any run, but never a turn. */
function applySessionRun(evidence: Evidence, id: string, batch: readonly TurnEvent[]): Evidence {
  if (!related(evidence, [id.slice(SESSION_RUN.length)])) {
    evidence.counters.mismatched += batch.length;
    return evidence;
  }
  const before = evidence.sessionRuns.get(id) ?? new RunState(id, evidence.counters);
  const run = before.apply(batch);
  return run === before ? evidence : {...evidence, sessionRuns: new Map(evidence.sessionRuns).set(id, run)};
}

/** True if the change can move turns, bind runs or name sessions; a token never does. */
function movesTurns(before: RunState, run: RunState): boolean {
  return !before.seen || before.facts !== run.facts;
}

function familyOf(evidence: Evidence): ReturnType<typeof sessionFamily> {
  const runs = [...evidence.runs.values()];
  const begun = runs.find(({facts}) => facts.start?.sessionId != null);
  const first = begun?.facts.start?.sessionId ?? runs.find(({facts}) => facts.home)?.facts.home?.id;
  const root = evidence.askedId ?? evidence.payloadId ?? evidence.archivedSession?.id ?? first ?? null;
  const links = [...evidence.payloadLinks, ...runs.flatMap((run) => run.facts.links)];
  return sessionFamily({links, root});
}

function related(evidence: Evidence, ids: readonly (string | null)[]): boolean {
  const {family} = familyOf(evidence);
  const named = ids.filter((id) => id !== null);
  return family.size === 0 || named.length === 0 || named.some((id) => family.has(id));
}

/** Lets a payload in if it is of this session; keeps it aside if not. */
function admit(evidence: Evidence, payload: SettledSession, source: PayloadSource): Evidence {
  const linked =
    payload.linkedIds.length > 1 ? [...evidence.payloadLinks, payload.linkedIds] : evidence.payloadLinks;
  const ids = payload.sessionId === null ? payload.linkedIds : [payload.sessionId, ...payload.linkedIds];
  if (!related(evidence, ids)) {
    evidence.counters.mismatched++;
    const known = evidence.strangers.some((stranger) => stranger.payload.sessionId === payload.sessionId);
    return known ? evidence : {...evidence, strangers: [...evidence.strangers, {payload, source}].slice(-4)};
  }
  const base = joinPayload(evidence.base, payload, source);
  const payloadId = evidence.payloadId ?? payload.sessionId;
  const known =
    linked === evidence.payloadLinks ||
    evidence.payloadLinks.some((chain) => chain.join() === payload.linkedIds.join());
  if (base === evidence.base && payloadId === evidence.payloadId && known) return evidence;
  const payloadLinks = known ? evidence.payloadLinks : linked;
  return paintLive({...evidence, base, payloadId, payloadLinks}, payload);
}

/** A lossy picture of the active run is shown until its own frames are here. */
function paintLive(evidence: Evidence, {live}: SettledSession): Evidence {
  if (live === null) return evidence;
  const before = evidence.runs.get(live.run) ?? new RunState(live.run);
  const run = before.painted(paintRun(live.parts), live.lastSeq);
  return run === before ? evidence : {...evidence, runs: new Map(evidence.runs).set(live.run, run)};
}

/** Payloads kept aside that a link now relates. */
function readmit(evidence: Evidence): Evidence {
  let next = evidence;
  for (const stranger of evidence.strangers) {
    const {payload, source} = stranger;
    if (!related(next, [payload.sessionId, ...payload.linkedIds])) continue;
    next = admit({...next, strangers: next.strangers.filter((other) => other !== stranger)}, payload, source);
  }
  return next;
}

/** Rebuilds the turns of the changed runs only. */
function refresh(
  transcript: FoldedTranscript,
  evidence: Evidence,
  changed: ReadonlyMap<string, RunState>,
): FoldedTranscript {
  let turns = transcript.turns;
  let {inputs} = evidence;
  if (changed.size > 0) {
    const nextTurns = [...turns];
    const nextInputs = [...inputs];
    inputs.forEach((input, n) => {
      if (!input.plan.runs.some((id) => changed.has(id))) return;
      const next = {...input, runs: input.runs.map((run) => changed.get(run.id) ?? run)};
      nextInputs[n] = next;
      nextTurns[n] = makeTurn(next, turns[n] ?? null);
    });
    turns = nextTurns;
    inputs = nextInputs;
  }
  const next = {...evidence, inputs};
  const {id, aliases} = transcript.session;
  return {session: sessionFacts(transcript.session, next, {id, aliases}), turns, evidence: next};
}

/** Plans all turns again and builds those whose evidence changed. */
export function rebuild(transcript: FoldedTranscript, evidence: Evidence): FoldedTranscript {
  const known = readmit(evidence);
  const {id: named, family} = familyOf(known);
  const runs = [...known.runs.values()].filter((run) => isOurs(run, family));
  const messages =
    known.base === transcript.evidence.base ? known.turns : keepTurns(known.turns, messageTurns(known.base));
  const plans = planTurns(known.base, messages, runs);
  const byId = new Map(runs.map((run) => [run.id, run]));
  const inputs = withArchive(known, plans).map(({plan, archived}) => ({
    plan,
    runs: plan.runs.map((id) => byId.get(id)!),
    superseded: plan.superseded.map((id) => byId.get(id)!),
    meta: plan.turn !== null || plan.pending || known.base.meta?.journal != null ? known.base.meta : null,
    archived,
  }));
  const before = new Map(
    transcript.evidence.inputs.map((input, n) => [turnKey(input), {input, turn: transcript.turns[n]!}]),
  );
  const turns = inputs.map((input) => {
    const old = before.get(turnKey(input));
    return old && sameInputs(old.input, input) ? old.turn : makeTurn(input, old?.turn ?? null);
  });
  const next = {...known, turns: messages, inputs};
  const same =
    turns.length === transcript.turns.length && turns.every((turn, n) => turn === transcript.turns[n]);
  const names = {id: named, aliases: [...family].filter((id) => id !== named)};
  return {
    session: sessionFacts(transcript.session, next, names),
    turns: same ? transcript.turns : turns,
    evidence: next,
  };
}

/** True for a run of another session, as far as the transcript knew; for the count. */
function isForeign({facts: {home}}: RunState, {id, aliases}: SessionFacts): boolean {
  return home !== null && id !== null && home.id !== id && !aliases.includes(home.id);
}

function isOurs(run: RunState, family: ReadonlySet<string>): boolean {
  return (
    family.size === 0 ||
    run.facts.home === null ||
    family.has(run.facts.home.id) ||
    run.facts.links.some((chain) => chain.some((id) => family.has(id)))
  );
}

/** Message turns that say the same keep their reference. */
function keepTurns(before: readonly MessageTurn[], after: readonly MessageTurn[]): readonly MessageTurn[] {
  const known = new Map(before.map((turn) => [turn.index, turn]));
  return after.map((turn) => {
    const old = known.get(turn.index);
    const same =
      old?.messages.length === turn.messages.length &&
      turn.messages.every(
        ({index, message}, n) => old.messages[n]!.index === index && old.messages[n]!.message === message,
      );
    return same ? old : turn;
  });
}

/** Joins planned turns with those of a snapshot: its order is the spine where no messages are known. */
function withArchive(
  {archive, base, archiveSettled}: Evidence,
  plans: readonly TurnPlan[],
): readonly {readonly plan: TurnPlan; readonly archived: TurnAnchor | null}[] {
  const matches = (plan: TurnPlan, turn: TurnAnchor) =>
    [...plan.runs, ...plan.superseded].some((id) => turn.runIds.includes(id)) ||
    (plan.turn !== null &&
      (turn.id === `m${plan.turn.index}` || turn.aliases.includes(`m${plan.turn.index}`)));
  const used = new Set<TurnPlan>();
  const spine = archive.flatMap((archived) => {
    const plan = plans.find((candidate) => !used.has(candidate) && matches(candidate, archived));
    if (plan) used.add(plan);
    if (!plan && base.top !== null && !archiveSettled) return []; // a cache yields to everything
    const empty: TurnPlan = {turn: null, pending: false, runs: [], superseded: [], unplaced: false};
    return [{plan: plan ?? empty, archived}];
  });
  if (base.top === null) {
    return [...spine, ...plans.filter((plan) => !used.has(plan)).map((plan) => ({plan, archived: null}))];
  }
  return plans.map((plan) => spine.find((entry) => entry.plan === plan) ?? {plan, archived: null});
}

/** A snapshot's turn stands until the evidence knows at least as much. */
function makeTurn(input: TurnInputs, previous: TurnAnchor | null): TurnAnchor {
  const {archived, plan, runs} = input;
  if (archived !== null && plan.turn === null) {
    const unknown = !runs.some((run) => run.seen);
    const behind = archived.status === 'settled' && runs.every((run) => run.facts.terminal === null);
    if (unknown || behind) return archived;
  }
  return buildTurn(input, previous);
}

function turnKey({plan, archived}: TurnInputs): string {
  if (plan.turn !== null) return `m${plan.turn.index}`;
  return plan.runs[0] ?? archived?.id ?? 'pending';
}

function sameInputs(a: TurnInputs, b: TurnInputs): boolean {
  return (
    a.plan.turn === b.plan.turn &&
    a.plan.pending === b.plan.pending &&
    a.plan.unplaced === b.plan.unplaced &&
    sameList(a.runs, b.runs) &&
    sameList(a.superseded, b.superseded) &&
    a.archived === b.archived &&
    (a.meta === b.meta || sameMeta(a.meta, b.meta))
  );
}

/** Of the payload itself a turn reads only these. */
function sameMeta(a: SettledSession | null, b: SettledSession | null): boolean {
  if (a === null || b === null) return false;
  return a.pending === b.pending && a.journal === b.journal && a.tools === b.tools;
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((value, n) => value === b[n]);
}

/** What belongs to the session. The same reference when nothing in it changed. */
function sessionFacts(
  before: SessionFacts,
  evidence: Evidence,
  {id, aliases}: Pick<SessionFacts, 'id' | 'aliases'>,
): SessionFacts {
  const runs = [...evidence.runs.values()];
  const {meta, metaVersion} = evidence.base;
  const archived = evidence.archivedSession;
  const named = runs.findLast((run) => run.view.title !== null);
  const own = [...evidence.sessionRuns.values()];
  const told = own.findLast((run) => run.view.title !== null);
  // A later request has the title that was still being made inside `done`.
  const settledTitle = metaVersion?.source === 1 ? meta!.title : null;
  const title =
    settledTitle ?? told?.view.title ?? named?.view.title ?? meta?.title ?? archived?.title ?? null;
  const context =
    runs.findLast((run) => run.view.context !== null)?.view.context ??
    meta?.context ??
    archived?.context ??
    null;
  const usage = meta?.usage ? mergeUsage(null, meta.usage) : (archived?.usage ?? null);
  const placed = [...evidence.sideEffects, ...own.flatMap((run) => run.facts.sideEffects)];
  const sideEffects = placed.map(({kind, action, name}) => ({kind, action, name}));
  const notices = own.every((run) => run.view.items.length === 0)
    ? evidence.notices
    : [...evidence.notices, ...own.flatMap(noticesOf)];
  const next: SessionFacts = {
    id,
    aliases,
    title,
    usage,
    context,
    sideEffects,
    notices,
    stats: evidence.counters,
  };
  return sameSession(before, next) ? before : next;
}

function noticesOf(run: RunState): SessionFacts['notices'] {
  return [...run.view.items]
    .filter(({kind}) => kind === 'notice')
    .map(({text, status}) => ({text: text.toString(), topic: status}));
}

function sameNotices(a: SessionFacts['notices'], b: SessionFacts['notices']): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function sameSession(a: SessionFacts, b: SessionFacts): boolean {
  return (
    a.id === b.id &&
    a.title === b.title &&
    a.context === b.context &&
    sameNotices(a.notices, b.notices) &&
    sameList(a.aliases, b.aliases) &&
    JSON.stringify([a.usage, a.sideEffects]) === JSON.stringify([b.usage, b.sideEffects])
  );
}
