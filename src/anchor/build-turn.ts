/**
 * The join: one turn's runs and messages → one anchor. Settlement updates the anchor, it never makes a second one
 * (law 10). Called for a turn only when its evidence changed; for a running turn it costs the same at any length.
 */
import type {TurnPlan} from './bind.js';
import type {MessageTurn} from './message-base.js';
import {mergeUsage, type RunFold} from './run-fold.js';
import type {RunState} from './run-state.js';
import type {SettledSession} from './settled.js';
import {
  closeOpenItems,
  enrichItems,
  settledAnswer,
  settledCalls,
  settledFold,
  settledTerminal,
  type SettledAnswer,
} from './settled-turn.js';
import {strongerTerminal, type TerminalFacts} from './terminal-facts.js';
import {GrowingText} from './text.js';
import type {
  ActivityItem,
  Artifact,
  PromptPart,
  SideEffect,
  Stats,
  TurnAnchor,
  TurnStatus,
  Usage,
} from './turn-anchor.js';
import type {TurnErrorFacts} from './turn-event.js';
import {Vector} from './vector.js';

export interface TurnInputs {
  readonly plan: TurnPlan;
  readonly runs: readonly RunState[];
  readonly superseded: readonly RunState[];
  readonly meta: SettledSession | null;
  /** A turn from a snapshot, where nothing better is known. */
  readonly archived: TurnAnchor | null;
}

export function buildTurn(inputs: TurnInputs, previous: TurnAnchor | null): TurnAnchor {
  const {plan, runs, superseded, meta} = inputs;
  const turn = plan.turn;
  const answer = turn && settledAnswer(turn);
  const terminal = terminalOf(inputs);
  const stream = joinRuns(runs);
  const body = bodyOf(inputs, stream, terminal, answer);
  const listed = [...superseded, ...runs];
  const first = listed[0] ?? null;
  const index = turn?.index ?? null;
  const awaited = plan.pending && first === null ? (meta?.activeRun ?? null) : null;
  const id = first?.id ?? awaited ?? `m${index ?? meta?.messageCount ?? 0}`;
  const hole = runs.some((run) => run.hole) && (runs[0]?.paint ?? null) === null;
  const settledByPayload = turn !== null && !plan.pending;
  const finished = terminal !== null && !weak(terminal);
  const status: TurnStatus =
    settledByPayload || (finished && !hole)
      ? 'settled'
      : hole || (terminal !== null && weak(terminal))
        ? 'restoring'
        : runs.some((run) => run.seen) || plan.pending
          ? 'running'
          : 'created';
  const state = noResponse(terminal, body.answer, hole) ? 'no_response' : (terminal?.state ?? null);
  const ended = state !== null;
  return {
    id,
    aliases: aliasesOf(id, listed, index),
    runIds: awaited === null ? listed.map((run) => run.id) : [awaited],
    streamIds: [...new Set(listed.map((run) => run.start?.streamId).filter((stream) => stream != null))],
    messageRefs: (turn?.messages ?? [])
      .filter(({message}) => message.role !== 'prompt')
      .map(({index: at}) => `m${at}`),
    prompt: promptOf(inputs),
    promptParts: promptParts(turn),
    status,
    terminal: state,
    evidence: terminal?.evidence ?? null,
    degraded: plan.unplaced || body.degraded,
    error: errorOf(inputs, state),
    startedAt: startedAt(inputs),
    completedAt: ended ? completedAt(inputs, terminal, answer) : null,
    items: body.items,
    answer: body.answer,
    answerComplete:
      (state === 'completed' || state === 'tool_limit_reached') &&
      !(answer?.partial ?? false) &&
      !runs.some((run) => run.terminal?.truncated === true),
    answerMessage: body.answerMessage,
    answerId: body.answerMessage === null ? null : `prose:${body.answerMessage}:0`,
    finalMessageRef: answer ? `m${answer.index}` : null,
    artifacts: body.artifacts,
    sideEffects: sideEffectsOf(runs),
    plan: stream.plan,
    usage: stream.usage,
    cursor: cursorOf(runs),
    stats: statsOf(listed),
    renamed: previous && previous.items !== body.items ? renamedIds(previous.items, body.items) : null,
  };
}

interface Stream {
  readonly items: Vector<ActivityItem>;
  readonly answerMessage: number | null;
  readonly answer: GrowingText;
  readonly artifacts: readonly Artifact[];
  readonly usage: Usage | null;
  readonly plan: TurnAnchor['plan'];
  readonly open: readonly number[];
}

const noStream: Stream = {
  items: Vector.empty(),
  answerMessage: null,
  answer: GrowingText.empty,
  artifacts: [],
  usage: null,
  plan: null,
  open: [],
};

/** One fold as it is. */
function streamOf(fold: RunFold): Stream {
  const {items, answerMessage, answer, artifacts, usage, plan, openCalls, openControls, openPhases} = fold;
  const few = openCalls.length + openControls.length + openPhases.length;
  const open = few === 0 ? [] : [...openCalls, ...openPhases].map(({index}) => index).concat(openControls);
  return {items, answerMessage, answer, artifacts, usage, plan, open};
}

/** One run's fold as it is; several runs of a turn stand one after the other with their ordinals moved up. */
function joinRuns(runs: readonly RunState[]): Stream {
  if (runs.length === 1) return streamOf(runs[0]!.view);
  let stream = noStream;
  let messages = 0;
  for (const [n, {view}] of runs.entries()) {
    const base = stream.items.length;
    let {items} = stream;
    const renamed = new Map<string, string>();
    for (const item of view.items) {
      const moved = n === 0 ? item : moveItem(item, messages, n);
      renamed.set(item.id, moved.id);
      items = items.push(moved);
    }
    const answered = view.answerMessage === null ? null : view.answerMessage + messages;
    const worked = view.items.length > 0;
    stream = {
      items,
      answerMessage: answered ?? (worked ? null : stream.answerMessage),
      answer: worked ? view.answer : stream.answer,
      artifacts: [
        ...stream.artifacts,
        ...view.artifacts.map((artifact) => ({
          ...artifact,
          itemId: renamed.get(artifact.itemId ?? '') ?? artifact.itemId,
        })),
      ],
      usage: view.usage ? mergeUsage(stream.usage, view.usage) : stream.usage,
      plan: view.plan ?? stream.plan,
      open: [...stream.open, ...streamOf(view).open.map((index) => base + index)],
    };
    messages += view.message + 1;
  }
  return stream;
}

function moveItem(item: ActivityItem, messages: number, run: number): ActivityItem {
  if (item.kind === 'tool' || item.kind === 'control') return {...item, id: `${item.id}@${run}`};
  const [kind, ordinal, part] = item.id.split(':');
  const id = `${kind}:${Number(ordinal) + messages}:${part}`;
  const unique = item.message === null ? `${id}@${run}` : id;
  return {...item, id: unique, message: item.message === null ? null : item.message + messages};
}

interface Body {
  readonly items: Vector<ActivityItem>;
  readonly answer: GrowingText;
  readonly answerMessage: number | null;
  readonly artifacts: readonly Artifact[];
  readonly degraded: boolean;
}

function bodyOf(
  inputs: TurnInputs,
  stream: Stream,
  terminal: TerminalFacts | null,
  answer: SettledAnswer | null,
): Body {
  const {plan, runs, meta} = inputs;
  const closed = (items: Vector<ActivityItem>, open: Iterable<number>) =>
    terminal === null ? items : closeOpenItems(items, open, terminal.state === 'cancelled');
  const painted = runs.some((run) => run.paint !== null && run.hole);
  if (plan.turn === null) {
    const items = closed(stream.items, stream.open);
    return {...stream, items, answer: repaired(runs, stream.answer), degraded: painted};
  }
  const calls = settledCalls(plan.turn, meta?.tools ?? []);
  const whole = runs.every((run) => !run.hole && (run.terminal !== null || run.ended || plan.pending));
  const settled = (whole && runs.length > 0) || plan.pending ? null : streamOf(settledFold(plan.turn));
  const loses = settled !== null && runs.length > 0 && losesTools(stream.items, settled.items);
  const source = settled === null || loses ? stream : settled;
  const degraded = loses || (settled === null && painted);
  // A settled result closes a call before the terminal would.
  const known = calls.size === 0 ? source.items : enrichItems(source.items, calls);
  const told = source === settled && runs.length > 0 ? enrichFromRun(known, stream.items) : known;
  const items = closed(told, source.open);
  const artifacts = calls.size === 0 ? source.artifacts : settledArtifacts(items, source.artifacts, calls);
  return {...settle(source.answer, answer), items, answerMessage: source.answerMessage, artifacts, degraded};
}

/** The settled answer over the streamed one; the streamed pieces stay if they say the same, so no view redraws. */
function settle(streamed: GrowingText, answer: SettledAnswer | null): Pick<Body, 'answer'> {
  if (answer === null) return {answer: streamed};
  const same = streamed.length === answer.text.length && streamed.toString() === answer.text;
  return {answer: same ? streamed : GrowingText.of(answer.text)};
}

/** `output` repeats the whole answer; it repairs a run with a hole and nothing else. */
function repaired(runs: readonly RunState[], streamed: GrowingText): GrowingText {
  const run = runs.at(-1);
  const output = run?.terminal?.output;
  if (!run || output == null || output === '') return streamed;
  return run.hole || streamed.length === 0 ? GrowingText.of(output) : streamed;
}

/** True if the messages lack a call that the run has: by id, or, for calls without one, by how many of a name there are. */
function losesTools(live: Vector<ActivityItem>, settled: Vector<ActivityItem>): boolean {
  const ids = new Set<string>();
  const left = new Map<string, number>();
  for (const {id, tool} of settled) {
    if (!tool) continue;
    ids.add(id);
    left.set(tool.name, (left.get(tool.name) ?? 0) + 1);
  }
  for (const {id, tool} of live) {
    if (!tool) continue;
    const more = left.get(tool.name) ?? 0;
    if (tool.callId !== null ? !ids.has(id) : more === 0) return true;
    if (tool.callId === null) left.set(tool.name, more - 1);
  }
  return false;
}

/** Message items with what only the run knew: longer bodies, titles, times, and its prompts and notices. */
function enrichFromRun(items: Vector<ActivityItem>, live: Vector<ActivityItem>): Vector<ActivityItem> {
  const tools = new Map<string, ActivityItem>();
  for (const item of live) if (item.tool?.callId != null) tools.set(item.id, item);
  return Vector.from(
    [...items].map((item) => {
      const known = tools.get(item.id);
      if (!known) return item;
      const settled = item.tool!;
      const seen = known.tool!;
      const tool = {
        ...settled,
        title: settled.title ?? seen.title,
        kind: settled.kind ?? seen.kind,
        args: Object.keys(settled.args).length > 0 ? settled.args : seen.args,
        output: seen.output.length > settled.output.length ? seen.output : settled.output,
        diff: settled.diff ?? seen.diff,
        locations: settled.locations.length > 0 ? settled.locations : seen.locations,
        durationMs: settled.durationMs ?? seen.durationMs,
      };
      return {...item, at: known.at ?? item.at, from: known.from, to: known.to, tool};
    }),
  );
}

/** A call that settled as an error owns no artifact; one that only settled history names gains it. */
function settledArtifacts(
  items: Vector<ActivityItem>,
  artifacts: readonly Artifact[],
  calls: ReturnType<typeof settledCalls>,
): readonly Artifact[] {
  const owned = new Set(artifacts.map(({itemId}) => itemId));
  const result: Artifact[] = [];
  for (const item of items) {
    const callId = item.tool?.callId;
    if (item.tool?.status !== 'completed') continue;
    if (owned.has(item.id)) {
      for (const artifact of artifacts) {
        if (artifact.itemId === item.id) result.push({...artifact, diff: item.tool.diff ?? artifact.diff});
      }
    } else if (callId != null) {
      for (const {path, uri, change} of calls.get(callId)?.facts.artifacts ?? []) {
        result.push({path, uri: uri ?? null, change, itemId: item.id, diff: item.tool.diff});
      }
    }
  }
  return [...result, ...artifacts.filter(({itemId}) => itemId === null)];
}

function weak(terminal: TerminalFacts): boolean {
  return terminal.evidence === 'synthetic' || terminal.evidence === 'inferred';
}

/** The last run's end that is not superseded, joined with what the messages prove. */
function terminalOf({plan, runs, meta}: TurnInputs): TerminalFacts | null {
  const last = runs.at(-1) ?? null;
  let terminal = strongerTerminal(
    last?.terminal ?? null,
    plan.turn && !plan.pending ? settledTerminal(plan.turn) : null,
  );
  const journal = meta?.journal;
  const current = last?.id ?? (plan.pending ? meta?.activeRun : null);
  if (journal?.terminal != null && journal.run === current) {
    const evidence = journal.inferred ? 'inferred' : 'observed';
    const {terminal: state} = journal;
    terminal = strongerTerminal(terminal, {
      state,
      evidence,
      error: null,
      at: null,
      truncated: false,
      seq: Number.MAX_SAFE_INTEGER,
      output: null,
    });
  }
  return terminal;
}

/** Completed without an answer, and nothing is missing: the model gave no response. */
function noResponse(terminal: TerminalFacts | null, answer: GrowingText, hole: boolean): boolean {
  return terminal?.state === 'completed' && !hole && answer.toString().trim() === '';
}

function errorOf({plan, runs, archived}: TurnInputs, state: TurnAnchor['terminal']): TurnErrorFacts | null {
  if (state === null || state === 'completed' || state === 'cancelled') return null;
  const observed = runs.at(-1)?.terminal?.error ?? null;
  const notice = plan.turn === null ? null : settledTerminal(plan.turn)?.error;
  return observed ?? notice ?? archived?.error ?? null;
}

function promptOf({plan, runs, meta, archived}: TurnInputs): string | null {
  const message = plan.turn?.prompt;
  if (message) {
    return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }
  const begun = runs.map((run) => run.start?.prompt ?? run.prompt).find((prompt) => prompt != null);
  const pending = plan.pending ? meta?.pending?.prompt : null;
  return begun ?? pending ?? archived?.prompt ?? null;
}

function promptParts(turn: MessageTurn | null): readonly PromptPart[] {
  const parts = turn?.prompt?.parts ?? [];
  if (parts.every((part) => part.type === 'text')) return noParts;
  return parts.flatMap((part): PromptPart[] => {
    if (part.type === 'text') return [{type: 'text', text: part.text, uri: null}];
    if (part.type === 'image' || part.type === 'attachment') {
      return [{type: part.type, text: part.label, uri: part.uri}];
    }
    return [];
  });
}

const noParts: readonly PromptPart[] = [];

function startedAt({plan, runs, meta, archived}: TurnInputs): number | null {
  for (const run of runs) {
    const {start} = run;
    const known =
      start?.startedAt ?? (start?.startedAtSeconds != null ? start.startedAtSeconds * 1000 : run.startedAt);
    if (known != null) return known;
  }
  const stamp = plan.turn?.prompt?.timestamp ?? (plan.pending ? meta?.pending?.startedAt : null);
  return stamp != null ? stamp * 1000 : (archived?.startedAt ?? null);
}

function completedAt(
  {plan, runs, archived}: TurnInputs,
  terminal: TerminalFacts | null,
  answer: SettledAnswer | null,
): number | null {
  const observed = runs.at(-1)?.terminal?.at ?? terminal?.at;
  if (observed != null) return observed;
  const last = plan.turn?.messages.findLast(({message}) => message.role !== 'prompt')?.message.timestamp;
  return answer?.at ?? (last != null ? last * 1000 : (archived?.completedAt ?? null));
}

function aliasesOf(id: string, runs: readonly RunState[], index: number | null): readonly string[] {
  const all = new Set<string>();
  for (const run of runs) {
    all.add(run.id);
    const turnId = run.start?.turnId ?? run.turnId;
    if (turnId != null) all.add(turnId);
    if (run.start?.streamId != null) all.add(run.start.streamId);
  }
  if (index !== null) all.add(`m${index}`);
  all.delete(id);
  return [...all];
}

function sideEffectsOf(runs: readonly RunState[]): readonly SideEffect[] {
  if (runs.every((run) => run.sideEffects.length === 0)) return noEffects;
  return runs.flatMap((run) => run.sideEffects.map(({kind, action, name}) => ({kind, action, name})));
}

const noEffects: readonly SideEffect[] = [];

function cursorOf(runs: readonly RunState[]): string | null {
  const last = runs.at(-1);
  return last && last.watermark > 0 ? `${last.id}:${last.watermark}` : null;
}

function statsOf(runs: readonly RunState[]): Stats {
  if (runs.length === 1) return runs[0]!.counters;
  const sum = {applied: 0, duplicate: 0, mismatched: 0, borrowed: 0};
  const excluded: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const {counters} of runs) {
    sum.applied += counters.applied;
    sum.duplicate += counters.duplicate;
    sum.mismatched += counters.mismatched;
    sum.borrowed += counters.borrowed;
    for (const [name, n] of Object.entries(counters.excluded)) excluded[name] = (excluded[name] ?? 0) + n;
  }
  return {...sum, excluded};
}

/** Old id → new for items that kept their first position but not their id; null when none did. */
function renamedIds(
  before: Vector<ActivityItem>,
  after: Vector<ActivityItem>,
): ReadonlyMap<string, string> | null {
  const from = before.firstDifference(after);
  if (from >= before.length || (from === before.length - 1 && before.get(from)!.id === after.get(from)?.id))
    return null;
  const byPosition = new Map<number, string>();
  for (const item of after.slice(from)) if (item.from !== null) byPosition.set(item.from, item.id);
  const renamed = new Map<string, string>();
  for (const item of before.slice(from)) {
    const now = item.from === null ? undefined : byPosition.get(item.from);
    if (now !== undefined && now !== item.id) renamed.set(item.id, now);
  }
  return renamed.size > 0 ? renamed : null;
}
