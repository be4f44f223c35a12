/**
 * What settled messages say of one turn: its items, its answer and its end (laws 7 and 10). Pure reading; the join
 * with a run's own evidence is in `build-turn.ts`.
 */
import type {MessageTurn} from './message-base.js';
import type {SettledMessage, SettledPart, SettledToolSummary} from './settled.js';
import type {TerminalFacts} from './terminal-facts.js';
import {strongerTerminal} from './terminal-facts.js';
import {GrowingText} from './text.js';
import {closesOpen, enrichTool, mergeFacts, newTool} from './tool.js';
import type {ActivityItem, Artifact, ToolDetails} from './turn-anchor.js';
import type {ToolFacts, ToolStatus} from './turn-event.js';
import {Vector} from './vector.js';

type Call = Extract<SettledPart, {type: 'call'}>;
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

/** The turn's end as its messages tell it: an explicit mark or a final answer, else a notice without a mark. */
export function settledTerminal(turn: MessageTurn): TerminalFacts | null {
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
  for (const {callId, facts} of summaries) {
    // Cut for show: completes a body, never arguments that were parsed.
    if (known.has(callId)) add(callId, {output: facts.output ?? null}, null);
  }
  return known;
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

export interface SettledItems {
  readonly items: Vector<ActivityItem>;
  /** Ordinal of the message whose prose is the answer. */
  readonly answerMessage: number | null;
  readonly artifacts: readonly Artifact[];
}

/** Items from messages, with the ordinals a live run would have given. */
export function settledItems(turn: MessageTurn, calls: ReturnType<typeof settledCalls>): SettledItems {
  const writer = new ItemWriter(calls);
  const answer = settledAnswer(turn);
  let activity = turn.messages.some(({message}) =>
    message.parts.some((part) => part.type === 'call' || part.type === 'thought'),
  );
  for (const {index, message} of turn.messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    if (message.notice !== null) continue;
    writer.beginMessage();
    if (!activity && message.activity !== null) {
      for (const part of message.activity) writer.add(part, message, false);
      activity = true;
      writer.beginMessage();
    }
    for (const part of message.parts) writer.add(part, message, index === answer?.index);
  }
  return writer.done();
}

class ItemWriter {
  #items: ActivityItem[] = [];
  #artifacts: Artifact[] = [];
  #message = -1;
  #open = false;
  #parts = {prose: 0, reasoning: 0};
  #anonymous = 0;
  #used = new Map<string, number>();
  #answerMessage: number | null = null;
  readonly #calls: ReturnType<typeof settledCalls>;

  constructor(calls: ReturnType<typeof settledCalls>) {
    this.#calls = calls;
  }

  beginMessage(): void {
    this.#open = false;
  }

  add(part: SettledPart, message: SettledMessage, answer: boolean): void {
    const at = message.timestamp === null ? null : message.timestamp * 1000;
    if (part.type === 'text') this.#text('prose', part.text, at, answer);
    else if (part.type === 'thought') this.#text('reasoning', part.text, at, false);
    else if (part.type === 'call') this.#call(part, at);
    else if (part.type === 'result') this.#result(part, at);
  }

  #text(kind: 'prose' | 'reasoning', text: string, at: number | null, answer: boolean): void {
    if (text === '') return;
    if (!this.#open) {
      this.#open = true;
      this.#message++;
      this.#parts = {prose: 0, reasoning: 0};
    }
    if (answer) this.#answerMessage = this.#message;
    const id = `${kind}:${this.#message}:${this.#parts[kind]++}`;
    this.#push({...blank, id, kind, text: GrowingText.of(text), at, message: this.#message});
  }

  #call(part: Call, at: number | null): void {
    this.#open = false;
    this.#answerMessage = null;
    const known = part.callId === null ? undefined : this.#calls.get(part.callId);
    const facts = known?.facts ?? part.facts;
    const tool = newTool({
      type: 'tool',
      run: null,
      seq: null,
      name: '',
      phase: 'start',
      callId: part.callId,
      tool: part.tool,
      status: known?.status ?? part.status,
      facts,
    });
    this.#tool(tool, facts, at);
  }

  /** A result whose call is not here stands at its own place. */
  #result(part: Result, at: number | null): void {
    if (part.callId !== null && this.#items.some((item) => item.tool?.callId === part.callId)) return;
    const facts = resultFacts(part);
    const base: ToolDetails = {
      callId: part.callId,
      name: part.tool ?? 'tool',
      title: null,
      kind: null,
      status: part.error ? 'error' : 'completed',
      args: {},
      output: '',
      diff: null,
      locations: [],
      durationMs: null,
    };
    this.#answerMessage = null;
    this.#tool(mergeFacts(base, facts), facts, at);
  }

  #tool(tool: ToolDetails, facts: ToolFacts, at: number | null): void {
    const id = this.#toolId(tool.callId);
    this.#push({...blank, id, kind: 'tool', at, tool});
    if (tool.status !== 'completed') return;
    for (const {path, uri, change} of facts.artifacts ?? []) {
      this.#artifacts.push({path, uri: uri ?? null, change, itemId: id, diff: tool.diff});
    }
  }

  #toolId(callId: string | null): string {
    if (callId === null) return `tool:#${this.#anonymous++}`;
    const uses = (this.#used.get(callId) ?? 0) + 1;
    this.#used.set(callId, uses);
    return uses === 1 ? `tool:${callId}` : `tool:${callId}~${uses}`;
  }

  #push(item: ActivityItem): void {
    this.#items.push(item);
  }

  done(): SettledItems {
    return {items: Vector.from(this.#items), answerMessage: this.#answerMessage, artifacts: this.#artifacts};
  }
}

const blank = {
  status: null,
  text: GrowingText.empty,
  from: null,
  to: null,
  message: null,
  tool: null,
  control: null,
} as const;

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
