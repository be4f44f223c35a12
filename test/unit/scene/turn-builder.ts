/** Anchors for tests, said as a story: `turn('t1').prose('Looking.').tool('read_file').answer('Done.').build()`. */
import type {JsonObject} from '../../../src/anchor/json.js';
import {GrowingText} from '../../../src/anchor/text.js';
import type {
  ActivityItem,
  Artifact,
  ControlDetails,
  ItemKind,
  ToolDetails,
  TurnAnchor,
} from '../../../src/anchor/turn-anchor.js';
import type {TerminalState} from '../../../src/anchor/turn-event.js';
import {Vector} from '../../../src/anchor/vector.js';

export function turn(id = 't1'): TurnBuilder {
  return new TurnBuilder(id);
}

export const emptyTurn: TurnAnchor = {
  id: 't1',
  aliases: [],
  runIds: [],
  streamIds: [],
  messageRefs: [],
  prompt: null,
  promptParts: [],
  status: 'created',
  terminal: null,
  evidence: null,
  degraded: false,
  error: null,
  startedAt: null,
  completedAt: null,
  items: Vector.empty(),
  answer: GrowingText.empty,
  answerComplete: false,
  answerMessage: null,
  answerId: null,
  finalMessageRef: null,
  artifacts: [],
  sideEffects: [],
  plan: null,
  usage: null,
  cursor: null,
  stats: {applied: 0, duplicate: 0, mismatched: 0, borrowed: 0, excluded: {}},
  renamed: null,
};

export function item(kind: ItemKind, id: string, more: Partial<ActivityItem> = {}): ActivityItem {
  return {
    ...{id, kind, status: null, text: GrowingText.empty, at: null, from: null, to: null},
    ...{message: null, tool: null, control: null},
    ...more,
  };
}

export function toolDetails(name: string, more: Partial<ToolDetails> = {}): ToolDetails {
  return {
    ...{callId: null, name, title: null, kind: null, status: 'completed', args: {}, output: ''},
    ...{diff: null, locations: [], durationMs: null},
    ...more,
  };
}

export function controlDetails(
  type: ControlDetails['type'],
  more: Partial<ControlDetails> & {id: string},
): ControlDetails {
  return {
    ...{type, status: 'answered', options: [], choice: null, callId: null},
    ...{expiresAt: null, detail: null, input: null, diff: null},
    ...more,
  };
}

/** The turn with what follows from its items (law 5): the last message is the answer unless work came after it. */
export function withAnswer(anchor: TurnAnchor): TurnAnchor {
  const items = anchor.items.slice();
  const last = items.findLast((entry) => entry.kind === 'prose' || entry.kind === 'tool');
  const message = last?.kind === 'prose' ? last.message : null;
  const parts = items.filter(
    (entry) => entry.kind === 'prose' && message !== null && entry.message === message,
  );
  const single = parts.length === 1 ? parts[0]?.text : undefined;
  return {
    ...anchor,
    answer: single ?? GrowingText.of(parts.map((part) => part.text.toString()).join('')),
    answerMessage: message,
    answerId: parts[0]?.id ?? null,
  };
}

export class TurnBuilder {
  #turn: TurnAnchor;
  #message = -1;
  #open = false;
  #proseInMessage = 0;
  #thoughtsInMessage = 0;
  #calls = 0;

  constructor(id: string) {
    this.#turn = {
      ...emptyTurn,
      id,
      status: 'settled',
      terminal: 'completed',
      evidence: 'observed',
      answerComplete: true,
    };
  }

  prompt(text: string): this {
    return this.with({prompt: text});
  }

  /** A message of its own; the last one is the answer if no tool follows. */
  prose(text: string): this {
    if (!this.#open || this.#proseInMessage > 0) this.#nextMessage();
    return this.part(text);
  }

  answer(text: string): this {
    return this.prose(text);
  }

  /** More text in the open message, as a part of its own. */
  part(text: string): this {
    if (!this.#open) this.#nextMessage();
    const id = `prose:${String(this.#message)}:${String(this.#proseInMessage++)}`;
    return this.push(item('prose', id, {text: GrowingText.of(text), message: this.#message}));
  }

  thought(text: string): this {
    if (!this.#open) this.#nextMessage();
    const id = `reasoning:${String(this.#message)}:${String(this.#thoughtsInMessage++)}`;
    return this.push(item('reasoning', id, {text: GrowingText.of(text), message: this.#message}));
  }

  tool(name: string, args: JsonObject = {}, more: Partial<ToolDetails> = {}): this {
    this.#open = false;
    const callId = more.callId ?? `c${String(++this.#calls)}`;
    return this.push(item('tool', `tool:${callId}`, {tool: toolDetails(name, {args, ...more, callId})}));
  }

  control(type: ControlDetails['type'], text: string, more: Partial<ControlDetails> = {}): this {
    const id = more.id ?? `${type}1`;
    const control = controlDetails(type, {...more, id});
    return this.push(item('control', `control:${id}`, {text: GrowingText.of(text), control}));
  }

  lifecycle(status: string, text = 'Compressing context'): this {
    return this.push(
      item('lifecycle', `lifecycle:${String(this.#turn.items.length)}`, {status, text: GrowingText.of(text)}),
    );
  }

  notice(text: string): this {
    return this.push(
      item('notice', `notice:${String(this.#turn.items.length)}`, {text: GrowingText.of(text)}),
    );
  }

  artifact(path: string, change: Artifact['change'] = 'modified'): this {
    return this.with({
      artifacts: [...this.#turn.artifacts, {path, uri: null, change, itemId: null, diff: null}],
    });
  }

  running(): this {
    return this.with({status: 'running', terminal: null, evidence: null, answerComplete: false});
  }

  ended(terminal: TerminalState, message?: string): this {
    const error = message === undefined ? null : {type: null, message, hint: null};
    return this.with({status: 'settled', terminal, error, answerComplete: terminal === 'completed'});
  }

  with(more: Partial<TurnAnchor>): this {
    this.#turn = {...this.#turn, ...more};
    return this;
  }

  push(entry: ActivityItem): this {
    return this.with({items: this.#turn.items.push(entry)});
  }

  build(): TurnAnchor {
    return withAnswer(this.#turn);
  }

  #nextMessage(): void {
    this.#message++;
    this.#open = true;
    this.#proseInMessage = 0;
    this.#thoughtsInMessage = 0;
  }
}
