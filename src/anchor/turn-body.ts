/**
 * Items, answer and artifacts of a turn: what its runs streamed joined with what its messages settled (law 10). A run
 * without a hole keeps its own items; else the messages give them, enriched by call id.
 */
import type {TurnInputs} from './build-turn.js';
import {joinFolds, streamOf, type Stream} from './join-runs.js';
import type {MessageTurn} from './message-base.js';
import type {RunState} from './run-state.js';
import {closeOpenItems, enrichItems, settledCalls, settledFold, type SettledAnswer} from './settled-turn.js';
import type {TerminalFacts} from './terminal-facts.js';
import {GrowingText} from './text.js';
import type {ActivityItem, Artifact} from './turn-anchor.js';
import {Vector} from './vector.js';

export interface Body {
  readonly items: Vector<ActivityItem>;
  readonly answer: GrowingText;
  readonly answerMessage: number | null;
  readonly artifacts: readonly Artifact[];
  readonly degraded: boolean;
  /** Where the items come from: as long as that is the same, ids do not shift. */
  readonly origin: string;
}

export function bodyOf(
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
    return {
      ...stream,
      items,
      answer: repaired(runs, stream.answer),
      degraded: painted,
      origin: originOf(runs, false),
    };
  }
  const calls = settledCalls(plan.turn, meta?.tools ?? []);
  const {source, fromMessages, degraded} = chooseSource(inputs, plan.turn, stream);
  // A settled result closes a call before the terminal would.
  const known = calls.size === 0 ? source.items : enrichItems(source.items, calls);
  const told = fromMessages && runs.length > 0 ? enrichFromRun(known, stream.items) : known;
  const items = closed(told, source.open);
  const artifacts = calls.size === 0 ? source.artifacts : settledArtifacts(items, source.artifacts, calls);
  const {answerMessage} = source;
  return {
    ...settle(source.answer, plan.pending ? null : answer),
    items,
    answerMessage,
    artifacts,
    degraded: degraded || (!fromMessages && painted),
    origin: originOf(runs, fromMessages),
  };
}

function originOf(runs: readonly RunState[], fromMessages: boolean): string {
  return `${fromMessages} ${runs.map(({id, refolds}) => `${id}:${refolds}`).join(' ')}`;
}

/** Where the items come from: a run heard whole, else the messages; never from less than was seen. */
function chooseSource(
  {plan, runs}: TurnInputs,
  turn: MessageTurn,
  stream: Stream,
): {readonly source: Stream; readonly fromMessages: boolean; readonly degraded: boolean} {
  const heard = runs.some((run) => run.seen || run.paint !== null);
  // An end that a server made up says that the rest was not heard.
  const whole = runs.every(
    ({hole, facts}) => !hole && (facts.terminal?.evidence === 'observed' || facts.ended || plan.pending),
  );
  const told = turn.messages.some(({message}) => message.role !== 'prompt');
  if (heard && (whole || !told)) return {source: stream, fromMessages: false, degraded: !whole};
  const fold = settledFold(turn);
  if (heard && plan.pending) {
    // What was saved of a run that goes on, then what is heard of it since.
    const source = joinFolds([fold, ...runs.map((run) => run.view)]);
    return {source, fromMessages: true, degraded: true};
  }
  const settled = streamOf(fold);
  if (heard && losesTools(stream.items, settled.items)) {
    return {source: stream, fromMessages: false, degraded: true};
  }
  return {source: settled, fromMessages: true, degraded: false};
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
  const output = run?.facts.terminal?.output;
  if (!run || output == null || output === '') return streamed;
  return run.hole || streamed.length === 0 ? GrowingText.of(output) : streamed;
}

/** True if the messages lack a call that the run has: by id, or, for calls without one, by how many of a name there are. */
function losesTools(live: Vector<ActivityItem>, settled: Vector<ActivityItem>): boolean {
  const ids = new Set<string | null>();
  const left = new Map<string, number>();
  for (const {tool} of settled) {
    if (!tool) continue;
    ids.add(tool.callId);
    left.set(tool.name, (left.get(tool.name) ?? 0) + 1);
  }
  for (const {tool} of live) {
    if (!tool) continue;
    const more = left.get(tool.name) ?? 0;
    if (tool.callId !== null ? !ids.has(tool.callId) : more === 0) return true;
    if (tool.callId === null) left.set(tool.name, more - 1);
  }
  return false;
}

/** Message items with what only the run knew: longer bodies, titles, times, and its prompts and notices. */
function enrichFromRun(items: Vector<ActivityItem>, live: Vector<ActivityItem>): Vector<ActivityItem> {
  const tools = new Map<string, ActivityItem>();
  for (const item of live) if (item.tool?.callId != null) tools.set(item.tool.callId, item);
  return Vector.from(
    [...items].map((item) => {
      const known = item.tool?.callId == null ? undefined : tools.get(item.tool.callId);
      if (!known) return item;
      const settled = item.tool!;
      const seen = known.tool!;
      const tool = {
        ...(seen.content && {content: seen.content}),
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
