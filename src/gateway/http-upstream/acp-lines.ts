/**
 * The agent's end of an ACP connection within this process: JSON-RPC lines in and out.
 *
 * Written here and not with the protocol's library, because each line waits until the one before it was taken, and an answer
 * stands behind all that was said before it: what comes from Hermes comes once, and must keep its order.
 */
import type {Readable, Writable} from 'node:stream';
import {RequestError} from '@agentclientprotocol/sdk';
import type {JsonRpcObject} from '../agent/agent.js';
import {isObject, messageKind, parseObject} from '../agent/json-rpc.js';
import {LineCutter} from '../agent/line-cutter.js';
import {objectAt, objectOf} from '../sessions/loose.js';

/** What the agent does. A `RequestError` is the client's answer; other errors are `internal`. */
export interface AcpMethods {
  request(method: string, params: JsonRpcObject): Promise<object>;
  notified(method: string, params: JsonRpcObject): void;
}

export class AcpLines {
  readonly #output: Writable;
  readonly #asked = new Map<string, (answer: JsonRpcObject) => void>();
  #asks = 0;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** Reads the client's lines to their end. */
  async read(input: Readable, maxLineBytes: number, methods: AcpMethods): Promise<void> {
    const cutter = new LineCutter(maxLineBytes);
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      for (const line of cutter.push(chunk)) this.#take(line, methods);
    }
  }

  /** An update of a session. Resolves when there is room for more. */
  update(sessionId: string, update: object): Promise<void> {
    return this.#write({method: 'session/update', params: {sessionId, update}});
  }

  notify(method: string, params: object): Promise<void> {
    return this.#write({method, params});
  }

  /** A line that is no message: whoever debugs finds it among the noise. */
  noise(text: string): Promise<void> {
    return this.#writeText(text.replace(/\r|\n/g, ' '));
  }

  /** The client's answer to a request of ours; empty if it refused. `signal` takes the question back. */
  ask(method: string, params: object, signal: AbortSignal): Promise<JsonRpcObject> {
    const id = `q${++this.#asks}`;
    return new Promise((resolve) => {
      const takeBack = () => void this.#write({method: '$/cancel_request', params: {requestId: id}});
      this.#asked.set(id, (answer) => {
        signal.removeEventListener('abort', takeBack);
        resolve(objectAt(answer, 'result'));
      });
      signal.addEventListener('abort', takeBack, {once: true});
      void this.#write({id, method, params});
    });
  }

  #take(line: string, methods: AcpMethods): void {
    const message = parseObject(line);
    const kind = message && messageKind(message);
    if (!message || !kind) return;
    const {id, method} = message;
    if (kind === 'response') {
      const answered = this.#asked.get(String(id));
      this.#asked.delete(String(id));
      return answered?.(message);
    }
    const params = objectOf(message['params']);
    if (kind === 'notification') return methods.notified(String(method), params);
    methods.request(String(method), params).then(
      (result) => this.#write({id, result}),
      (error: unknown) => this.#write({id, error: rpcError(error)}),
    );
  }

  #write(message: object): Promise<void> {
    return this.#writeText(JSON.stringify({jsonrpc: '2.0', ...message}));
  }

  #writeText(text: string): Promise<void> {
    const output = this.#output;
    if (!output.writable || output.write(`${text}\n`)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        output.off('drain', done).off('close', done);
        resolve();
      };
      output.on('drain', done).on('close', done);
    });
  }
}

function rpcError(error: unknown): object {
  if (!(error instanceof RequestError)) return {code: -32603, message: 'Something went wrong on our side.'};
  const {code, message, data} = error;
  return {code, message, ...(isObject(data) && {data})};
}
