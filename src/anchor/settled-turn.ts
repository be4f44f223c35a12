/**
 * What settled messages say of one turn: its items, its answer and its end (laws 7 and 10). Pure reading; the join
 * with a run's own evidence is in `build-turn.ts`.
 */
import type {MessageTurn} from './message-base.js';
import type {SettledMessage, SettledPart, SettledToolSummary} from './settled.js';
import type {TerminalFacts} from './terminal-facts.js';
import {strongerTerminal} from './terminal-facts.js';
import {foldParts} from './paint.js';
import {RunFold} from './run-fold.js';
import {closesOpen, enrichTool} from './tool.js';
import type {ActivityItem} from './turn-anchor.js';
import type {ToolFacts, ToolStatus} from './turn-event.js';
import type {Vector} from './vector.js';

type Result = Extract<SettledPart, {type: 'result'}>;

export interface SettledAnswer {
  readonly text: string;
  readonly index: number;
  readonly partial: boolean;
  readonly recovered: boolean;
  readonly at: number | null;
}

/** The last assistant message that is no notice, has visible text, and has no call in or after it. */
export function settledAnswer(turn: MessageTurn): SettledAnswer | null {
  for (const {index, message} of turn.messages.toReversed()) {
    if (message.role !== 'assistant' || message.notice !== null) continue;
    const tail = textAfterLastCall(message);
    if (tail === null) return null; // a call in or after it: what stands before is worklog prose
    if (tail.trim() === '') continue;
    const at = message.timestamp === null ? null : message.timestamp * 1000;
    return {text: tail, index, partial: message.partial, recovered: message.recovered, at};
  }
  return null;
}

/** Text after the last call that counts; null when a call has none after it. A partial message's finished calls came first. */
function textAfterLastCall(message: SettledMessage): string | null {
  let text = '';
  let called = false;
  for (const part of message.parts) {
    if (part.type === 'text') text += part.text;
    if (part.type !== 'call' || (message.partial && !part.open && !part.sealed)) continue;
    text = '';
    called = true;
  }
  return called && text.trim() === '' ? null : text;
}

// Binding asks every turn again at each change; a turn of messages is a value.
const terminals = new WeakMap<MessageTurn, TerminalFacts | null>();

/** The turn's end as its messages tell it. */
export function settledTerminal(turn: MessageTurn): TerminalFacts | null {
  let known = terminals.get(turn);
  if (known === undefined) terminals.set(turn, (known = readTerminal(turn)));
  return known;
}

/** An explicit mark or a final answer, else a notice without a mark. */
function readTerminal(turn: MessageTurn): TerminalFacts | null {
  let best: TerminalFacts | null = null;
  for (const {message} of turn.messages) {
    const error = message.notice?.error ?? null;
    if (message.terminal !== null)
      best = strongerTerminal(best, claim(message, 'settled', message.terminal, error));
    if (message.notice === null) continue;
    const {terminal} = message.notice;
    const facts =
      terminal === null
        ? claim(message, 'inferred', 'error', error)
        : claim(message, 'settled', terminal, error);
    best = strongerTerminal(best, facts);
  }
  if (best !== null) return best;
  const answer = settledAnswer(turn);
  if (answer === null || answer.partial || answer.recovered) return null;
  const last = turn.messages.find(({index}) => index === answer.index)!.message;
  return claim(last, 'settled', 'completed', null);
}

function claim(
  message: SettledMessage,
  evidence: 'settled' | 'inferred',
  state: TerminalFacts['state'],
  error: TerminalFacts['error'],
): TerminalFacts {
  const at = message.timestamp === null ? null : message.timestamp * 1000;
  return {state, evidence, error, at, truncated: false, seq: Number.MAX_SAFE_INTEGER, output: null};
}

/** Everything known of a call in a turn's messages and the session's tool list, by call id. */
export function settledCalls(
  turn: MessageTurn,
  summaries: readonly SettledToolSummary[],
): ReadonlyMap<string, {facts: ToolFacts; status: ToolStatus | null}> {
  const known = new Map<string, {facts: ToolFacts; status: ToolStatus | null}>();
  const add = (callId: string | null, facts: ToolFacts, status: ToolStatus | null) => {
    if (callId === null) return;
    const before = known.get(callId);
    known.set(callId, before ? joinCall(before, facts, status) : {facts, status});
  };
  for (const part of partsOf(turn)) {
    if (part.type === 'call') add(part.callId, part.facts, part.status);
    else if (part.type === 'result') add(part.callId, resultFacts(part), part.error ? 'error' : 'completed');
  }
  if (known.size > 0 && summaries.length > 0) {
    const summary = summaryIndex(summaries);
    // Cut for show: completes a body, never arguments that were parsed.
    for (const callId of known.keys()) add(callId, {output: summary.get(callId)?.facts.output ?? null}, null);
  }
  return known;
}

const indexes = new WeakMap<readonly SettledToolSummary[], ReadonlyMap<string, SettledToolSummary>>();

/** The session's tool list by call id, made once a list and not once a turn. */
function summaryIndex(summaries: readonly SettledToolSummary[]): ReadonlyMap<string, SettledToolSummary> {
  let index = indexes.get(summaries);
  if (!index)
    indexes.set(summaries, (index = new Map(summaries.map((summary) => [summary.callId, summary]))));
  return index;
}

function joinCall(
  before: {facts: ToolFacts; status: ToolStatus | null},
  facts: ToolFacts,
  status: ToolStatus | null,
): {facts: ToolFacts; status: ToolStatus | null} {
  const args = before.facts.args ?? facts.args ?? null;
  const output = longest(before.facts.output, facts.output);
  const artifacts = before.facts.artifacts ?? facts.artifacts ?? null;
  const joined = {...before.facts, ...definedFacts(facts), args, output, artifacts};
  return {facts: joined, status: before.status === 'error' ? 'error' : (status ?? before.status)};
}

function definedFacts(facts: ToolFacts): ToolFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value != null));
}

function longest(a: string | null | undefined, b: string | null | undefined): string | null {
  if (a == null || b == null) return a ?? b ?? null;
  return b.length > a.length ? b : a;
}

function resultFacts(result: Result): ToolFacts {
  return {
    output: result.output,
    diff: result.diff,
    artifacts: result.artifacts.length > 0 ? result.artifacts : null,
  };
}

function* partsOf(turn: MessageTurn): Generator<SettledPart> {
  for (const {message} of turn.messages) yield* message.parts;
}

/** A turn's messages as a run would have told them: the same fold gives them the ordinals a live run would have. */
export function settledFold(turn: MessageTurn): RunFold {
  const fold = new RunFold();
  let activity = turn.messages.some(({message}) =>
    message.parts.some((part) => part.type === 'call' || part.type === 'thought'),
  );
  for (const {index, message} of turn.messages) {
    if (message.notice !== null || (message.role !== 'assistant' && message.role !== 'tool')) continue;
    const told = activity ? null : message.activity;
    activity ||= told !== null;
    const at = message.timestamp === null ? null : message.timestamp * 1000;
    foldParts(fold, told ?? [], at, `a${index}`);
    foldParts(fold, message.parts, at, `m${index}`);
  }
  return fold.seal();
}

/** A run's own items, enriched by call id: parsed arguments, longer bodies, errors found in results. */
export function enrichItems(
  items: Vector<ActivityItem>,
  calls: ReturnType<typeof settledCalls>,
): Vector<ActivityItem> {
  let next = items;
  let index = 0;
  const seen = new Set<string>();
  for (const item of items) {
    const callId = item.tool?.callId;
    const known = callId == null || seen.has(callId) ? undefined : calls.get(callId);
    if (known) {
      seen.add(callId!);
      const tool = enrichTool(item.tool!, known);
      if (JSON.stringify(tool) !== JSON.stringify(item.tool)) next = next.set(index, {...item, tool});
    }
    index++;
  }
  return next;
}

/** Closes what is open at a terminal: a call without a result is cancelled or interrupted, never done. */
export function closeOpenItems(
  items: Vector<ActivityItem>,
  indexes: Iterable<number>,
  cancelled: boolean,
): Vector<ActivityItem> {
  let next = items;
  for (const index of indexes) {
    const item = next.get(index)!;
    if (item.tool && !closesOpen(item.tool.status)) {
      next = next.set(index, {
        ...item,
        tool: {...item.tool, status: cancelled ? 'cancelled' : 'interrupted'},
      });
    } else if (item.control?.status === 'pending') {
      next = next.set(index, {...item, control: {...item.control, status: 'stale'}});
    } else if (item.kind === 'lifecycle' && item.status === 'running') {
      next = next.set(index, {...item, status: cancelled ? 'interrupted' : 'completed'});
    }
  }
  return next;
}
