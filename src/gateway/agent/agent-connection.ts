/**
 * The protocol's library behind one door: lines in, requests and answers out.
 *
 * Every line is cut, told to the listener and judged here, before `@agentclientprotocol/sdk` sees any of it. The SDK gets
 * what it is good at: requests of both directions and their answers. It gets no updates, because it drops and strips
 * those newer than itself (acp.md A3, E38), and nothing that it would answer or complain about on its own: noise (E19),
 * answers nobody asked for. Permission requests reach its `*` handler raw, whatever their options (A3).
 */
import {client, RequestError, type AnyMessage, type ClientConnection} from '@agentclientprotocol/sdk';
import type {Clock} from '../clock.js';
import {
  AgentError,
  type AgentListener,
  type JsonRpcObject,
  type PermissionOutcome,
  type TappedLine,
} from './agent.js';
import type {AgentTransport} from './agent-transport.js';
import {isObject, messageKind, parseObject, textOf, type MessageKind} from './json-rpc.js';
import {LineCutter, LineTooLong} from './line-cutter.js';
import type {LineRing} from './line-ring.js';
import type {Redact} from './redact.js';

/** The only notification of an agent that the SDK acts on: an agent no longer waits for our answer. */
const CANCEL_REQUEST = '$/cancel_request';

/** The request agents refuse without a word to their logs, and so prove that they live (acp.md A7.3, E40). */
const PROBE = 'ping';

/** Stands for an answer with neither result nor error, or both. */
const MALFORMED = 'hermes-elements: neither result nor error';

/** Why a connection cannot go on. `soft`: the process behind it may yet say better why. */
export interface Fault {
  readonly error: AgentError;
  readonly soft: boolean;
}

export interface ConnectionOptions {
  readonly maxLineBytes: number;
  readonly clock: Clock;
  readonly noise: LineRing;
  readonly redact: Redact;
  readonly onFault: (fault: Fault) => void;
}

export class AgentConnection {
  /** Resolves when all that the agent said was read and heard. */
  readonly read: Promise<void>;
  lastHeardAt: number;
  readonly #transport: AgentTransport;
  readonly #listener: AgentListener;
  readonly #options: ConnectionOptions;
  readonly #sdk: ClientConnection;
  /** Ids of our requests that no answer has come to. */
  readonly #unanswered = new Set<unknown>();
  #incoming!: ReadableStreamDefaultController<AnyMessage>;
  #probe: Promise<unknown> | null = null;
  #faulted = false;

  constructor(transport: AgentTransport, listener: AgentListener, options: ConnectionOptions) {
    this.#transport = transport;
    this.#listener = listener;
    this.#options = options;
    this.lastHeardAt = options.clock.now();
    transport.input.on('error', (cause) =>
      this.#fault(new AgentError('gone', 'The agent no longer listens.', null, {cause}), true),
    );
    this.#sdk = client({name: 'hermes-elements'})
      .onRequest('*', ({method, requestId, params, signal}) =>
        this.#answer(method, requestId, params, signal),
      )
      .onNotification('*', () => {})
      .connect({
        readable: new ReadableStream({start: (controller) => void (this.#incoming = controller)}),
        writable: new WritableStream({write: (message) => this.#send(message)}),
      });
    this.read = this.#readLines();
  }

  /** Whether requests can be made. */
  get open(): boolean {
    return !this.#sdk.signal.aborted;
  }

  async request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    this.#checkLength(method, params);
    try {
      return await this.#sdk.agent.request<unknown, object>(
        method,
        params,
        signal && {cancellationSignal: signal, stopWaitingOnCancel: true},
      );
    } catch (error) {
      throw this.#refusal(method, error, signal);
    }
  }

  notify(method: string, params: object): void {
    this.#checkLength(method, params);
    // A connection that closes meanwhile says so by itself.
    this.#sdk.agent.notify(method, params).catch(() => {});
  }

  /** Settles when the agent answers anything at all. One probe at a time, so that a dead agent gathers none. */
  probe(): Promise<unknown> {
    this.#probe ??= this.request(PROBE, {})
      .catch((error: unknown) => {
        if (!(error instanceof AgentError && error.code === 'rejected')) throw error;
      })
      .finally(() => (this.#probe = null));
    return this.#probe;
  }

  /** Rejects all that waits, with this. */
  close(error: AgentError): void {
    this.#sdk.close(error);
    this.#unanswered.clear();
  }

  async #readLines(): Promise<void> {
    const cutter = new LineCutter(this.#options.maxLineBytes);
    try {
      for await (const chunk of this.#transport.output as AsyncIterable<Uint8Array>) {
        const held: Promise<unknown>[] = [];
        for (const line of cutter.push(chunk)) this.#hear(line, held);
        // Who cannot keep up holds the pipe, and the pipe holds the agent.
        if (held.length > 0) await Promise.all(held);
      }
      const held: Promise<unknown>[] = [];
      const last = cutter.rest();
      if (last !== null) this.#hear(last, held);
      await Promise.all(held);
      this.#fault(new AgentError('gone', 'The agent closed its output.'), true);
    } catch (error) {
      this.#readFailed(error);
    }
  }

  #readFailed(cause: unknown): void {
    // What it says from here on is of no use, but must not block it.
    this.#transport.output.resume();
    if (cause instanceof LineTooLong) {
      const message = `The agent sent a line of more than ${cause.limit} bytes. Raise the limit, or ask for less at once.`;
      this.#fault(new AgentError('protocol', message, null, {cause}), false);
    } else if (cause instanceof ListenerFailed) {
      const message = 'What the agent said could not be kept, so it was stopped.';
      this.#fault(new AgentError('protocol', message, null, {cause: cause.cause}), false);
    } else {
      this.#fault(new AgentError('gone', 'The connection to the agent broke.', null, {cause}), true);
    }
  }

  #hear(text: string, held: Promise<unknown>[]): void {
    if (text.trim() === '') return;
    const at = (this.lastHeardAt = this.#options.clock.now());
    const message = parseObject(text);
    const kind = message && messageKind(message);
    if (!message || !kind) return this.#options.noise.add(text);
    const heard = this.#tell({from: 'agent', text, message, at});
    if (heard) held.push(heard);
    this.#deliver(kind, message, text);
  }

  #deliver(kind: MessageKind, message: JsonRpcObject, text: string): void {
    if (!this.open) return;
    if (kind === 'notification' && message['method'] !== CANCEL_REQUEST) return;
    if (kind === 'response' && !this.#unanswered.delete(message['id'])) return this.#options.noise.add(text);
    const safe = kind === 'response' ? wellFormed(message) : message;
    this.#incoming.enqueue({...safe, jsonrpc: '2.0'} as unknown as AnyMessage);
  }

  /** Told at once; what the listener asks us to wait for, if it does. */
  #tell(line: TappedLine): Promise<unknown> | null {
    try {
      const heard = this.#listener.onLine(line);
      return heard
        ? heard.catch((cause: unknown) => {
            throw new ListenerFailed(cause);
          })
        : null;
    } catch (cause) {
      throw new ListenerFailed(cause);
    }
  }

  /** The one writer: the SDK gives the next message when this one was taken (acp.md E20, and backpressure). */
  #send(message: AnyMessage): Promise<void> {
    const {input} = this.#transport;
    return new Promise((resolve) => {
      // Never rejects: the SDK would end everything before the process has said why it went.
      if (!input.writable) return;
      const text = JSON.stringify(message);
      if ('method' in message && 'id' in message) this.#unanswered.add(message.id);
      this.#tellOwn(text, message);
      input.write(`${text}\n`, (error) => {
        if (!error) resolve();
      });
    });
  }

  #tellOwn(text: string, message: JsonRpcObject): void {
    const failed = (cause: unknown) => this.#readFailed(cause);
    try {
      this.#tell({from: 'client', text, message, at: this.#options.clock.now()})?.catch(failed);
    } catch (cause) {
      failed(cause);
    }
  }

  /** Answers the agent's requests. Those we do not know are refused: silence would hang its turn (acp.md E35). */
  async #answer(method: string, requestId: unknown, raw: unknown, signal: AbortSignal): Promise<object> {
    if (method !== 'session/request_permission') throw RequestError.methodNotFound(method);
    const params = isObject(raw) ? raw : {};
    const withdrawn = new Promise<PermissionOutcome>((resolve) => {
      signal.addEventListener('abort', () => resolve({outcome: 'cancelled'}), {once: true});
    });
    const asked = this.#listener
      .onPermission({requestId, sessionId: textOf(params['sessionId']), params, signal})
      // Its reason is ours to know, not the agent's.
      .catch(() => Promise.reject(new RequestError(-32603, 'The request could not be answered.')));
    return {outcome: await Promise.race([asked, withdrawn])};
  }

  #refusal(method: string, error: unknown, signal: AbortSignal | undefined): AgentError {
    if (error instanceof AgentError) return error;
    if (signal?.aborted)
      return new AgentError('aborted', `"${method}" is no longer waited for.`, null, {cause: error});
    if (error instanceof RequestError && error.data !== MALFORMED) {
      const {code, message, data} = error;
      const rpc = {code, message, ...(data === undefined ? {} : {data})};
      return new AgentError(
        'rejected',
        `The agent refused "${method}": ${this.#options.redact(message)}`,
        rpc,
      );
    }
    return new AgentError('protocol', `The agent answered "${method}" with nothing that can be read.`, null, {
      cause: error,
    });
  }

  #checkLength(method: string, params: object): void {
    const {maxLineBytes} = this.#options;
    if (Buffer.byteLength(JSON.stringify(params)) + method.length + 100 <= maxLineBytes) return;
    throw new AgentError('protocol', `"${method}" is longer than the ${maxLineBytes} bytes a line may have.`);
  }

  #fault(error: AgentError, soft: boolean): void {
    if (this.#faulted && soft) return;
    this.#faulted = true;
    if (!soft) this.close(error);
    this.#options.onFault({error, soft});
  }
}

/** The listener could not take a line. */
class ListenerFailed extends Error {
  override readonly name = 'ListenerFailed';

  constructor(cause: unknown) {
    super('The listener failed.', {cause});
  }
}

/** An answer the SDK can read. One without exactly one of result and error becomes an error of its own kind. */
function wellFormed(message: JsonRpcObject): JsonRpcObject {
  const {id, result, error} = message;
  // Both, one of them null, is how older libraries write it.
  if (isObject(error) && (result === undefined || result === null)) {
    const code = Number.isInteger(error['code']) ? error['code'] : -32603;
    return {id, error: {...error, code, message: textOf(error['message']) ?? ''}};
  }
  if ((error === undefined || error === null) && result !== undefined) return {id, result};
  return {id, error: {code: -32603, message: MALFORMED, data: MALFORMED}};
}
