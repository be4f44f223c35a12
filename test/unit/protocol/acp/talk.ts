/** A talk between a client and an ACP agent, said by tests in short, and the run events it becomes. */
import {
  acpFacts,
  createAcpState,
  finish,
  step,
  type AcpGatewayFact,
  type AcpOptions,
  type AcpState,
  type RunEvent,
  type RunEventName,
} from '../../../../src/protocol/index.js';

type Update = Readonly<Record<string, unknown>> & {readonly sessionUpdate: string};

export const text = (said: string) => ({type: 'text', text: said});

/** One talk; every message takes 100 ms. */
export class Talk {
  state: AcpState;
  readonly events: RunEvent[] = [];
  #at = 0;
  #id = 0;

  constructor(options: AcpOptions = {}) {
    this.state = createAcpState(options);
  }

  /** A talk whose session `one` has been made, and whose first prompt was sent. */
  static begun(options: AcpOptions = {}): Talk {
    return new Talk(options).made('one').prompt('Well?');
  }

  client(message: object): this {
    return this.#take({from: 'client', message: {jsonrpc: '2.0', ...message}, at: (this.#at += 100)});
  }

  agent(message: object): this {
    return this.#take({from: 'agent', message: {jsonrpc: '2.0', ...message}, at: (this.#at += 100)});
  }

  fact(fact: AcpGatewayFact): this {
    return this.#take({from: 'gateway', fact, at: (this.#at += 100)});
  }

  made(sessionId: string): this {
    const id = this.#id++;
    return this.client({id, method: 'session/new', params: {}}).agent({id, result: {sessionId}});
  }

  prompt(said: string | readonly object[], sessionId = 'one'): this {
    const prompt = typeof said === 'string' ? [text(said)] : said;
    return this.client({id: ++this.#id, method: 'session/prompt', params: {sessionId, prompt}});
  }

  /** The answer to the newest prompt. */
  answer(stopReason = 'end_turn', more: object = {}): this {
    return this.agent({id: this.#id, result: {stopReason, ...more}});
  }

  refuse(error: object): this {
    return this.agent({id: this.#id, error});
  }

  cancel(): this {
    return this.client({method: 'session/cancel', params: {sessionId: 'one'}});
  }

  update(update: Update, sessionId = 'one'): this {
    return this.agent({method: 'session/update', params: {sessionId, update}});
  }

  says(said: string, messageId?: string): this {
    return this.update({
      sessionUpdate: 'agent_message_chunk',
      content: text(said),
      ...(messageId && {messageId}),
    });
  }

  thinks(said: string, messageId?: string): this {
    return this.update({
      sessionUpdate: 'agent_thought_chunk',
      content: text(said),
      ...(messageId && {messageId}),
    });
  }

  calls(toolCallId: string, more: object = {}): this {
    return this.update({sessionUpdate: 'tool_call', toolCallId, title: 'read', status: 'pending', ...more});
  }

  goesOn(toolCallId: string, more: object = {}): this {
    return this.update({sessionUpdate: 'tool_call_update', toolCallId, ...more});
  }

  asks(id: unknown, toolCall: object, sessionId = 'one'): this {
    const options = [
      {optionId: 'yes', name: 'Yes', kind: 'allow_once'},
      {optionId: 'no', name: 'No', kind: 'reject_once'},
    ];
    return this.agent({id, method: 'session/request_permission', params: {sessionId, toolCall, options}});
  }

  chooses(id: unknown, optionId: string | null): this {
    const outcome = optionId === null ? {outcome: 'cancelled'} : {outcome: 'selected', optionId};
    return this.client({id, result: {outcome}});
  }

  end(): this {
    return this.#keep(finish(this.state, this.#at));
  }

  get facts() {
    return acpFacts(this.state);
  }

  get names(): string[] {
    return this.events.map(({event}) => event);
  }

  /** All events of one name. */
  of<Name extends RunEventName>(name: Name): RunEvent<Name>[] {
    return this.events.filter((event): event is RunEvent<Name> & RunEvent => event.event === name);
  }

  /** The messages as a reader has them: deltas joined by message id. */
  get messages(): string[] {
    const messages = new Map<string, string>();
    for (const {run_id, message_id, delta} of this.of('message.delta')) {
      const key = `${run_id} ${message_id}`;
      messages.set(key, (messages.get(key) ?? '') + delta);
    }
    return [...messages.values()];
  }

  #take(observation: Parameters<typeof step>[1]): this {
    return this.#keep(step(this.state, observation));
  }

  #keep([state, events]: ReturnType<typeof step>): this {
    this.state = state;
    this.events.push(...events);
    return this;
  }
}
