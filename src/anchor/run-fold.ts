/**
 * The ordered fold of one run: turn events in their order → activity items.
 *
 * It owns the rules that need the past: which message text belongs to (law 5), which call a completion closes (law 6),
 * which prompt is still open (law 13). A fold is edited only within one batch: `fork()` first, `seal()` last; between
 * batches it is a value. Indexes of grown state are hints shared by all versions and are checked at every use.
 */
import {closesOpen, mergeFacts, newTool, withStatus} from './tool.js';
import {GrowingText} from './text.js';
import type {Artifact, ActivityItem, ControlDetails, ItemKind, Usage} from './turn-anchor.js';
import type {JsonObject} from './json.js';
import type {
  ControlEvent,
  ControlResolvedEvent,
  InterimEvent,
  LifecycleEvent,
  PlanEntry,
  TextEvent,
  ToolEvent,
  TurnEvent,
  UsageFacts,
} from './turn-event.js';
import {Vector} from './vector.js';

type Channel = 'prose' | 'reasoning';
type Counted = 'prose' | 'reasoning' | 'lifecycle' | 'notice';

const noParts: Readonly<Record<Counted, number>> = {prose: 0, reasoning: 0, lifecycle: 0, notice: 0};

/** A tool call or prompt that is still open, by index; few at any time. */
interface OpenCall {
  readonly index: number;
  readonly name: string;
  readonly callId: string | null;
}

export class RunFold {
  items = Vector.empty<ActivityItem>();
  /** Ordinal of the newest message that has text or a thought; -1 before the first. */
  message = -1;
  messageOpen = false;
  messageHasText = false;
  /** A position was missing since the open message began. */
  messageHole = false;
  messageId: string | null = null;
  /** The open message has thought deltas that no repeat has closed. */
  thoughtStreamed = false;
  /** The message whose prose is the answer so far: the last one with text that no tool start followed. */
  answerMessage: number | null = null;
  /** The answer so far: its one item's own pieces, or all its parts joined. */
  answer = GrowingText.empty;
  parts = noParts;
  openCalls: readonly OpenCall[] = [];
  openControls: readonly number[] = [];
  /** Lifecycle items whose completion has not been said, by topic. */
  openPhases: readonly {readonly topic: string; readonly index: number}[] = [];
  anonymousTools = 0;
  anonymousControls = 0;
  usage: Usage | null = null;
  title: string | null = null;
  plan: readonly PlanEntry[] | null = null;
  context: JsonObject | null = null;
  artifacts: readonly Artifact[] = [];
  /** An observed end has been folded: what follows is metadata, or a worker that did not hear of it. */
  finished = false;
  /** Session ids the run has named as its own. */
  sessions: readonly string[] = [];
  /** Any activity at all: text, tool, control, lifecycle or notice. */
  touched = false;

  // Deltas go to this item; its grown text is written back once a batch.
  #openItem = -1;
  #channel: Channel = 'prose';
  #added = '';
  #to: number | null = null;
  // Call id → index of its newest item: a hint shared by all versions, checked before use.
  #callIndex = new Map<string, number>();

  fork(): RunFold {
    const next = new RunFold();
    const callIndex = this.#callIndex;
    Object.assign(next, this);
    next.#openItem = this.#openItem;
    next.#channel = this.#channel;
    next.#added = this.#added;
    next.#to = this.#to;
    next.#callIndex = callIndex;
    return next;
  }

  /** What is needed to go on from here, beside the items and the turn's own facts. */
  memo(): FoldMemo {
    const {message, messageOpen, messageHasText, messageHole, thoughtStreamed, messageId} = this;
    const {answerMessage, parts, anonymousTools, anonymousControls} = this;
    const {openCalls, openControls, openPhases, title, context, sessions, finished} = this;
    const now = {message, messageOpen, messageHasText, messageHole, thoughtStreamed, messageId};
    const counts = {answerMessage, parts, anonymousTools, anonymousControls};
    const rest = {openCalls, openControls, openPhases, title, context, sessions, finished};
    return {...now, ...counts, ...rest, openItem: this.#openItem, channel: this.#channel};
  }

  /** The fold a memo describes. */
  static from(
    memo: FoldMemo,
    items: Vector<ActivityItem>,
    facts: Pick<RunFold, 'usage' | 'plan' | 'artifacts'>,
  ): RunFold {
    const {openItem, channel, ...state} = memo;
    const fold = new RunFold();
    Object.assign(fold, state, facts, {items, touched: items.length > 0});
    fold.#openItem = openItem;
    fold.#channel = channel;
    fold.#to = items.get(openItem)?.to ?? null;
    let index = 0;
    for (const item of items) {
      if (item.tool?.callId != null) fold.#callIndex.set(item.tool.callId, index);
      if (item.control) fold.#callIndex.set(item.id, index);
      if (item.kind === 'prose' && item.message === memo.answerMessage) {
        fold.answer = memo.parts.prose === 1 ? item.text : fold.answer.append(item.text.toString());
      }
      index++;
    }
    return fold;
  }

  /** A fold that only shows items; frames after it begin a new message. */
  static painted(
    items: Vector<ActivityItem>,
    answerMessage: number | null,
    answer: GrowingText,
    facts: Pick<RunFold, 'usage' | 'plan' | 'artifacts'>,
  ): RunFold {
    const fold = new RunFold();
    let message = -1;
    for (const item of items) message = Math.max(message, item.message ?? -1);
    Object.assign(fold, facts, {items, answerMessage, answer, message, touched: items.length > 0});
    return fold;
  }

  /** Writes grown text back into its item. Call once after the last `apply` of a batch. */
  seal(): this {
    const added = this.#added;
    if (added === '') return this;
    const item = this.items.get(this.#openItem)!;
    const text = item.text.append(added);
    this.items = this.items.set(this.#openItem, {...item, text, to: this.#to ?? item.to});
    if (this.#channel === 'prose') this.answer = this.parts.prose === 1 ? text : this.answer.append(added);
    this.#added = '';
    return this;
  }

  /** Applies the next event. `hole`: a position before it is missing. */
  apply(event: TurnEvent, hole: boolean): void {
    if (hole) this.messageHole = true;
    if (this.finished && isActivity(event)) return;
    if (event.type !== 'text' && event.sessionId != null) this.#hear(event);
    switch (event.type) {
      case 'text':
        return this.#applyText(event);
      case 'interim':
        return this.#applyInterim(event);
      case 'tool':
        return this.#applyTool(event);
      case 'control':
        return this.#applyControl(event);
      case 'control-resolved':
        return this.#applyResolution(event);
      case 'lifecycle':
        return this.#applyLifecycle(event);
      case 'notice':
        this.#part();
        this.#push(event, 'notice', this.#ordinalId('notice'), {
          status: event.topic,
          text: GrowingText.of(event.text),
        });
        return;
      case 'meta':
        if (!this.#isHere(event.sessionId)) return;
        if (event.usage) this.usage = mergeUsage(this.usage, event.usage);
        if (event.title != null) this.title = event.title;
        if (event.plan != null) this.plan = event.plan;
        if (event.context != null) this.context = event.context;
        return;
      case 'artifact':
        this.artifacts = [...this.artifacts, this.#artifactOf(event.artifact, event.callId ?? null)];
        return;
      case 'terminal':
        if (event.strength === 'observed') this.finished = true;
        if (event.usage) this.usage = mergeUsage(this.usage, event.usage);
        return;
      default:
        return; // start, side effects, transport and excluded events only hold their position here.
    }
  }

  /** The first session named is the run's own; a rotation it tells of adds ids. */
  #hear(event: TurnEvent): void {
    if (this.sessions.length === 0) this.sessions = [event.sessionId!];
    if (event.type === 'lifecycle' && event.linksSessions?.some((id) => this.sessions.includes(id))) {
      this.sessions = [...new Set([...this.sessions, ...event.linksSessions])];
    }
  }

  /** False for a title or plan of another session (law 9). */
  #isHere(sessionId: string | null | undefined): boolean {
    return sessionId == null || this.sessions.length === 0 || this.sessions.includes(sessionId);
  }

  #applyText(event: TextEvent): void {
    if (event.text === '') return;
    if (event.claim === 'already-streamed' && this.thoughtStreamed) {
      // By where it comes from, not by its text, which may be cut: the deltas before it were this thought.
      this.thoughtStreamed = false;
      return;
    }
    if (event.channel === 'thought') this.thoughtStreamed = event.claim === undefined;
    if (event.messageId != null && event.messageId !== this.messageId) {
      if (this.messageId !== null) this.#endMessage();
      this.messageId = event.messageId;
    }
    this.#write(event.channel === 'thought' ? 'reasoning' : 'prose', event.text, event.seq, event.at ?? null);
  }

  #write(channel: Channel, text: string, seq: number | null, at: number | null): void {
    if (this.openControls.length > 0) this.#activity(null);
    if (this.openPhases.length > 0) this.#progress();
    this.touched = true;
    if (!this.messageOpen) this.#beginMessage();
    if (channel === 'prose' && !this.messageHasText) {
      this.messageHasText = true;
      this.answerMessage = this.message;
    }
    if (this.#openItem < 0 || this.#channel !== channel) this.#beginText(channel, seq, at);
    // One piece a batch: the rope is read once, when a view or `seal` needs it.
    this.#added += text;
    this.#to = seq;
  }

  #beginText(channel: Channel, seq: number | null, at: number | null): void {
    this.seal();
    // A second part of the answer: what stood before is read once, then only pieces are added.
    if (channel === 'prose' && this.parts.prose === 1) this.answer = GrowingText.of(this.answer.toString());
    const id = this.#ordinalId(channel);
    this.#openItem = this.items.length;
    this.#channel = channel;
    this.items = this.items.push({
      id,
      kind: channel,
      status: null,
      text: GrowingText.empty,
      at,
      from: seq,
      to: seq,
      message: this.message,
      tool: null,
      control: null,
    });
  }

  #beginMessage(): void {
    this.messageOpen = true;
    this.messageHasText = false;
    this.message++;
    if (this.message > 0) this.parts = noParts;
  }

  #endMessage(): void {
    this.#part();
    this.messageOpen = false;
    this.messageHole = false;
    this.messageId = null;
    this.thoughtStreamed = false;
  }

  /** The next delta begins a new item. */
  #part(): void {
    this.seal();
    this.#openItem = -1;
    this.#to = null;
  }

  /** An interim text is a boundary and a claim; see law 5 for what is believed. */
  #applyInterim(event: InterimEvent): void {
    if (event.echo) this.#cutEcho(event.text);
    if (event.claim === 'already-streamed' && this.messageOpen && this.messageHasText) {
      const open = this.#openProse();
      if (open.trimEnd().endsWith(event.text)) return this.#endMessage();
      if (this.messageHole) {
        this.#replaceProse(event.text);
        return this.#endMessage();
      }
    }
    if (this.messageOpen && this.messageHasText) this.#endMessage();
    if (event.text !== '') {
      this.#part();
      this.#write('prose', event.text, event.seq, event.at ?? null);
    }
    this.#endMessage();
  }

  #openProse(): string {
    let text = '';
    for (const [, item] of this.#itemsOfMessage('prose')) text = item.text.toString() + text;
    return text;
  }

  /** The open message's items of one channel, last first. */
  *#itemsOfMessage(channel: Channel): Generator<[number, ActivityItem]> {
    this.seal();
    for (let index = this.items.length - 1; index >= 0; index--) {
      const item = this.items.get(index)!;
      // A tool's start ends a message, and so does the next message: nothing of this one stands before them.
      if (item.kind === 'tool' || (item.message !== null && item.message !== this.message)) return;
      if (item.kind === channel && item.message === this.message) yield [index, item];
    }
  }

  #replaceProse(text: string): void {
    const parts = [...this.#itemsOfMessage('prose')].reverse();
    parts.forEach(([index, item], n) => {
      this.items = this.items.set(index, {...item, text: n === 0 ? GrowingText.of(text) : GrowingText.empty});
    });
    this.answer = GrowingText.of(text);
  }

  /** `reasoning_echo`: the nearest thought of this message loses the text it ends with, if it does. */
  #cutEcho(text: string): void {
    if (!this.messageOpen) return;
    for (const [index, item] of this.#itemsOfMessage('reasoning')) {
      const thought = item.text.toString().trimEnd();
      if (text !== '' && thought.endsWith(text)) {
        const rest = thought.slice(0, thought.length - text.length).trimEnd();
        this.items = this.items.set(index, {...item, text: GrowingText.of(rest)});
        if (index === this.#openItem) this.#openItem = -1;
      }
      return;
    }
  }

  #applyTool(event: ToolEvent): void {
    this.#activity(null);
    const known = this.#findCall(event);
    const finished = known >= 0 && closesOpen(this.items.get(known)!.tool!.status);
    if (known >= 0 && !(event.phase === 'start' && finished && event.callId !== null)) {
      this.#part();
      return this.#mergeTool(known, event);
    }
    this.#progress();
    this.#endMessage();
    this.answerMessage = null;
    this.answer = GrowingText.empty;
    this.#pushTool(event, known);
  }

  #findCall(event: ToolEvent): number {
    const {callId} = event;
    if (callId !== null) return this.#find(callId, (item) => item.tool?.callId === callId);
    if (event.phase === 'start') return -1;
    return this.openCalls.find((call) => call.callId === null && call.name === event.tool)?.index ?? -1;
  }

  /** The newest item under a key. The hint may be another version's; then it is looked for. */
  #find(key: string, isIt: (item: ActivityItem) => boolean): number {
    const hint = this.#callIndex.get(key);
    if (hint === undefined) return -1;
    const item = this.items.get(hint);
    if (item && isIt(item)) return hint;
    for (let index = this.items.length - 1; index >= 0; index--)
      if (isIt(this.items.get(index)!)) return index;
    return -1;
  }

  #pushTool(event: ToolEvent, known: number): void {
    const index = this.items.length;
    const tool = newTool(event);
    const id =
      event.callId === null
        ? `tool:#${this.anonymousTools++}`
        : toolId(event.callId, this.items.get(known)?.id);
    this.#push(event, 'tool', id, {tool});
    if (event.callId !== null) this.#callIndex.set(event.callId, index);
    if (closesOpen(tool.status)) this.#keepArtifacts(index, event);
    else this.openCalls = [...this.openCalls, {index, name: event.tool, callId: event.callId}];
  }

  #mergeTool(index: number, event: ToolEvent): void {
    const item = this.items.get(index)!;
    const merged = mergeFacts(item.tool!, event.facts);
    const tool = withStatus(merged, event);
    this.items = this.items.set(index, {...item, tool, to: event.seq ?? item.to});
    if (closesOpen(tool.status)) {
      this.openCalls = this.openCalls.filter((call) => call.index !== index);
      if (!closesOpen(item.tool!.status)) this.#keepArtifacts(index, event);
    }
  }

  /** A call that ended well owns what it says it wrote (law 11). */
  #keepArtifacts(index: number, event: ToolEvent): void {
    const item = this.items.get(index)!;
    if (item.tool!.status !== 'completed' || !event.facts.artifacts) return;
    const diff = item.tool!.diff;
    this.artifacts = [
      ...this.artifacts,
      ...event.facts.artifacts.map(({path, uri, change}) => ({
        path,
        uri: uri ?? null,
        change,
        itemId: item.id,
        diff,
      })),
    ];
  }

  #artifactOf(
    facts: {path: string; uri?: string | null; change: Artifact['change']},
    callId: string | null,
  ): Artifact {
    const itemId = callId === null ? null : `tool:${callId}`;
    return {path: facts.path, uri: facts.uri ?? null, change: facts.change, itemId, diff: null};
  }

  #applyControl(event: ControlEvent): void {
    const own = event.controlId?.replace(/^(?=#)/, '~');
    const id = `control:${own ?? `#${event.control}:${this.anonymousControls}`}`;
    const known = event.controlId === null ? -1 : this.#find(id, (item) => item.id === id);
    this.#activity(id);
    this.#part();
    const control: ControlDetails = {
      id: event.controlId ?? id.slice('control:'.length),
      type: event.control,
      status: event.life === 'answered' ? 'answered' : 'pending',
      options: event.options,
      choice: null,
      detail: event.detail ?? null,
      callId: event.callId ?? null,
      expiresAt: event.expiresAt ?? null,
      input: event.input ?? null,
      diff: event.diff ?? null,
    };
    const text = GrowingText.of(event.text);
    if (known >= 0) {
      const item = this.items.get(known)!;
      // Said again by a server that asks only while it waits: it was not answered after all.
      const inferred = item.status === 'until-next' && item.control!.choice === null;
      const status = item.control!.status === 'answered' && !inferred ? 'answered' : control.status;
      if (status === 'pending' && !this.openControls.includes(known)) {
        this.openControls = [...this.openControls, known];
      }
      this.items = this.items.set(known, {
        ...item,
        text,
        to: event.seq ?? item.to,
        control: {...control, status},
      });
      return;
    }
    if (event.controlId === null) this.anonymousControls++;
    if (control.status === 'pending') this.openControls = [...this.openControls, this.items.length];
    this.#callIndex.set(id, this.items.length);
    this.#push(event, 'control', id, {text, control, status: event.life});
  }

  #applyResolution(event: ControlResolvedEvent): void {
    const index = this.openControls.find((open) => {
      const control = this.items.get(open)!.control!;
      return event.controlId === null ? control.type === event.control : control.id === event.controlId;
    });
    if (index === undefined) return;
    this.#part();
    const item = this.items.get(index)!;
    const control = {...item.control!, status: event.status, choice: event.choice};
    this.items = this.items.set(index, {...item, control, to: event.seq ?? item.to});
    this.openControls = this.openControls.filter((open) => open !== index);
    if (event.denied && control.callId !== null) this.#deny(control.callId);
  }

  #deny(callId: string): void {
    const call = this.openCalls.find((open) => open.callId === callId);
    if (!call) return;
    const item = this.items.get(call.index)!;
    this.items = this.items.set(call.index, {...item, tool: {...item.tool!, status: 'denied'}});
    this.openCalls = this.openCalls.filter((open) => open !== call);
  }

  /** Later activity proves that a prompt of the kind `until-next` was answered (law 13). `except` stays as it is. */
  #activity(except: string | null): void {
    this.touched = true;
    for (const index of this.openControls) {
      const item = this.items.get(index)!;
      if (item.status !== 'until-next' || item.id === except) continue;
      this.items = this.items.set(index, {...item, control: {...item.control!, status: 'answered'}});
      this.openControls = this.openControls.filter((open) => open !== index);
    }
  }

  /** Later progress ends a phase that was never said to be over. */
  #progress(): void {
    for (const {index} of this.openPhases) {
      const item = this.items.get(index)!;
      if (item.status === 'running') this.items = this.items.set(index, {...item, status: 'completed'});
    }
  }

  #applyLifecycle(event: LifecycleEvent): void {
    this.#activity(null);
    this.#part();
    const open = this.openPhases.find((phase) => phase.topic === event.topic);
    if (open) {
      const item = this.items.get(open.index)!;
      const text = event.text === '' ? item.text : GrowingText.of(event.text);
      this.items = this.items.set(open.index, {
        ...item,
        status: event.status,
        text,
        to: event.seq ?? item.to,
      });
      if (event.status !== 'running') this.openPhases = this.openPhases.filter((phase) => phase !== open);
      return;
    }
    if (event.status === 'running') {
      this.openPhases = [...this.openPhases, {topic: event.topic, index: this.items.length}];
    }
    this.#push(event, 'lifecycle', this.#ordinalId('lifecycle'), {
      status: event.status,
      text: GrowingText.of(event.text),
    });
  }

  #ordinalId(kind: Counted): string {
    const part = this.parts[kind];
    this.parts = {...this.parts, [kind]: part + 1};
    return `${kind}:${Math.max(0, this.message)}:${part}`;
  }

  #push(
    event: TurnEvent,
    kind: ItemKind,
    id: string,
    rest: Partial<Pick<ActivityItem, 'status' | 'text' | 'tool' | 'control'>>,
  ): void {
    this.touched = true;
    this.items = this.items.push({
      id,
      kind,
      status: null,
      text: GrowingText.empty,
      at: event.at ?? null,
      from: event.seq,
      to: event.seq,
      message: null,
      tool: null,
      control: null,
      ...rest,
    });
  }
}

/** What a fold remembers beside its items, as JSON: part of `resume` in a snapshot. */
export interface FoldMemo {
  readonly message: number;
  readonly messageOpen: boolean;
  readonly messageHasText: boolean;
  readonly messageHole: boolean;
  readonly thoughtStreamed: boolean;
  readonly messageId: string | null;
  readonly answerMessage: number | null;
  readonly parts: Readonly<Record<Counted, number>>;
  readonly openCalls: readonly OpenCall[];
  readonly openControls: readonly number[];
  readonly openPhases: RunFold['openPhases'];
  readonly anonymousTools: number;
  readonly anonymousControls: number;
  readonly title: string | null;
  readonly context: JsonObject | null;
  readonly sessions: readonly string[];
  readonly finished: boolean;
  readonly openItem: number;
  readonly channel: Channel;
}

/** Usage nothing is known of. */
export const noUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cacheHitTokens: null,
  cacheHitRate: null,
  cost: null,
  used: null,
  size: null,
};

/**
 * The item id of a call. A producer that counts calls anew in each message reuses ids, and a finished call is never
 * reopened: the second use is `tool:x~2`. A call id that looks like one of ours is marked, so that no two ids meet.
 */
function toolId(callId: string, before: string | undefined): string {
  const own = /^#|~\d+$/.test(callId) ? `tool:${callId}~1` : `tool:${callId}`;
  if (before === undefined) return own;
  const uses = before.length > `tool:${callId}~`.length ? Number(before.slice(`tool:${callId}~`.length)) : 1;
  return `tool:${callId}~${uses + 1}`;
}

/** What may not stand after the end of a run. */
export function isActivity({type}: TurnEvent): boolean {
  return type === 'text' || type === 'interim' || type === 'tool' || type === 'control';
}

/** Usage with every field the newer facts say replaced. */
export function mergeUsage(before: Usage | null, facts: UsageFacts): Usage {
  const next = {...(before ?? noUsage)} as Record<keyof Usage, number | null>;
  for (const key of Object.keys(noUsage) as (keyof Usage)[]) {
    const value = facts[key];
    if (value !== undefined && value !== null) next[key] = value;
  }
  return next;
}
