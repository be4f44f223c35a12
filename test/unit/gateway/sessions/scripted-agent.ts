/** An agent without a process, which says what a test tells it to, when it is told. */
import {
  AgentError,
  type Agent,
  type AgentExit,
  type AgentInfo,
  type AgentListener,
  type JsonRpcObject,
  type PermissionOutcome,
} from '../../../../src/gateway/agent/agent.js';

/** What a request is answered with at once; a request that has no answer here waits for the test. */
export type Answers = Readonly<Record<string, (params: JsonRpcObject, agent: ScriptedAgent) => unknown>>;

export interface AgentScript {
  readonly capabilities?: JsonRpcObject;
  readonly authMethods?: readonly JsonRpcObject[];
  readonly answers?: Answers;
}

interface OpenRequest {
  readonly id: number;
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: AgentError): void;
}

/** An error of the agent, to be thrown by an answer. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

const usual: Answers = {
  'session/new': (_params, agent) => ({sessionId: agent.sessionId}),
  'session/load': () => ({
    modes: {currentModeId: 'normal', availableModes: [{id: 'normal', name: 'Normal'}]},
  }),
  'session/resume': () => ({}),
  'session/close': () => ({}),
  'session/set_mode': () => ({}),
};

let made = 0;

export class ScriptedAgent implements Agent {
  readonly info: AgentInfo;
  exit: AgentExit | null = null;
  readonly diagnostics = {stderr: ['a line'], noise: [], noiseCount: 0};
  lastHeardAt = 0;
  /** Its id of the session it makes next. */
  sessionId = `agent-session-${++made}`;
  /** What the client sent, in order. */
  readonly heard: {readonly method: string; readonly params: JsonRpcObject}[] = [];
  readonly #listener: AgentListener;
  readonly #answers: Answers;
  readonly #now: () => number;
  readonly #open: OpenRequest[] = [];
  #nextId = 1;

  constructor(listener: AgentListener, script: AgentScript, now: () => number) {
    this.#listener = listener;
    this.#now = now;
    this.#answers = {...usual, ...script.answers};
    const capabilities = script.capabilities ?? {
      loadSession: true,
      promptCapabilities: {embeddedContext: true},
      sessionCapabilities: {close: {}},
    };
    const authMethods = script.authMethods ?? [];
    this.info = {protocolVersion: 1, name: 'scripted', version: '1', capabilities, authMethods, raw: {}};
  }

  async request(method: string, params: object, options?: {signal?: AbortSignal}): Promise<unknown> {
    if (this.exit) throw new AgentError('gone', this.exit.message);
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#open.push({id, method, resolve, reject});
      const aborted = () => reject(new AgentError('aborted', `"${method}" is no longer waited for.`));
      options?.signal?.addEventListener('abort', aborted, {once: true});
      if (options?.signal?.aborted) aborted();
    });
    answer.catch(() => {});
    // Writes are taken from a queue, as by the SDK.
    await Promise.resolve();
    this.heard.push({method, params: params as JsonRpcObject});
    this.#line('client', {id, method, params});
    queueMicrotask(() => this.#answerAtOnce(id, method, params as JsonRpcObject));
    return answer;
  }

  notify(method: string, params: object): void {
    this.heard.push({method, params: params as JsonRpcObject});
    this.#line('client', {method, params});
  }

  isAlive(): Promise<boolean> {
    return Promise.resolve(this.exit === null);
  }

  stop(): Promise<AgentExit> {
    if (!this.exit) this.exits({code: 0, reason: 'stopped', message: 'The agent was stopped.'});
    return Promise.resolve(this.exit!);
  }

  /** How often a method was sent. */
  times(method: string): number {
    return this.heard.filter((message) => message.method === method).length;
  }

  /** How many requests of a method wait for an answer. */
  opens(method: string): number {
    return this.#open.filter((request) => request.method === method).length;
  }

  text(text: string, sessionId?: string): void {
    this.update({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}, sessionId);
  }

  update(update: JsonRpcObject, sessionId = this.sessionId): void {
    this.#line('agent', {method: 'session/update', params: {sessionId, update}});
  }

  /** Asks for permission; resolves with the outcome. */
  asks(
    id: unknown,
    toolCall: JsonRpcObject,
    more: {options?: readonly object[]; sessionId?: string; signal?: AbortSignal} = {},
  ): Promise<PermissionOutcome> {
    const {options = allOptions, sessionId = this.sessionId, signal = new AbortController().signal} = more;
    const params = {sessionId, toolCall, options};
    this.#line('agent', {id, method: 'session/request_permission', params});
    const outcome = this.#listener.onPermission({requestId: id, sessionId, params, signal});
    return outcome.then((given) => {
      if (!this.exit) this.#line('client', {id, result: {outcome: given}});
      return given;
    });
  }

  /** Answers the oldest open request of a method. */
  answers(result: unknown, method = 'session/prompt'): void {
    const request = this.#take(method);
    this.#line('agent', {id: request.id, result});
    request.resolve(result);
  }

  refuses(code: number, message: string, method = 'session/prompt', data?: unknown): void {
    const request = this.#take(method);
    const error = {code, message, ...(data !== undefined && {data})};
    this.#line('agent', {id: request.id, error});
    request.reject(new AgentError('rejected', `The agent refused "${method}": ${message}`, error));
  }

  exits(exit: Partial<AgentExit> = {}): void {
    this.exit = {code: null, signal: null, reason: 'exited', message: 'The agent ended by itself.', ...exit};
    for (const request of this.#open.splice(0)) request.reject(new AgentError('gone', this.exit.message));
    this.#listener.onExit(this.exit);
  }

  #take(method: string): OpenRequest {
    const at = this.#open.findIndex((request) => request.method === method);
    if (at < 0) throw new Error(`The agent has no open ${method}.`);
    return this.#open.splice(at, 1)[0]!;
  }

  #answerAtOnce(id: number, method: string, params: JsonRpcObject): void {
    const answer = this.#answers[method];
    if (!answer || this.exit) return;
    try {
      const result = answer(params, this);
      if (result === undefined || !this.#open.some((request) => request.id === id)) return;
      this.answers(result, method);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.refuses(error.code, error.message, method, error.data);
    }
  }

  #line(from: 'client' | 'agent', message: JsonRpcObject): void {
    const whole = {jsonrpc: '2.0', ...message};
    const at = this.#now();
    if (from === 'agent') this.lastHeardAt = at;
    void this.#listener.onLine({from, text: JSON.stringify(whole), message: whole, at});
  }
}

/** One option of each kind; ids say nothing, and their order is that of nobody. */
export const allOptions = [
  {optionId: 'a', name: 'Always', kind: 'allow_always'},
  {optionId: 'b', name: 'No', kind: 'reject_once'},
  {optionId: 'c', name: 'Yes', kind: 'allow_once'},
];
