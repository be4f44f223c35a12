/**
 * Watches one prompt on the wire: when it went out, what came of it, and whether its answer is one. Two kinds are not:
 * that of an agent which does not have the session it said it restored (family E30), and that of one which is stuck
 * behind a turn that was stopped and only queues (family E34).
 */
import type {JsonRpcObject, TappedLine} from '../agent/agent.js';
import {requestKey, type ContentBlock} from '../../protocol/index.js';
import {isUnknownSession} from './agent-refusals.js';
import type {OpenedSession} from './agent-host.js';
import {objectAt, objectOf, textAt, valueAt} from './loose.js';

/** `renew` the session, or `restart` the process; then send the prompt again. */
export type PromptVerdict = 'stands' | 'renew' | 'restart';

export interface PromptWatchOptions {
  readonly blocks: readonly ContentBlock[];
  /** How the session was opened, for its first prompt; `known` for later ones. */
  readonly how: OpenedSession['how'] | 'known';
  /** The turn before this one was stopped. */
  readonly afterStop: boolean;
}

/** No sentence about a queue is longer. */
const LISTENED = 200;

export class PromptWatch {
  /** Resolves when the prompt is on the wire. */
  readonly sent: Promise<void>;
  readonly #options: PromptWatchOptions;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  #request: string | null = null;
  #said = '';
  #acted = false;

  constructor(options: PromptWatchOptions) {
    this.#options = options;
    this.sent = new Promise((resolve, reject) => ([this.#resolve, this.#reject] = [resolve, reject]));
    // Nobody waits for it any more once it was sent.
    this.sent.catch(() => {});
  }

  get blocks(): readonly ContentBlock[] {
    return this.#options.blocks;
  }

  /** It will not be sent, unless it was. */
  fail(error: unknown): void {
    this.#reject(error);
  }

  /** True for the line with which the prompt goes out. */
  isPrompt({from, message}: TappedLine): boolean {
    if (this.#request !== null || from !== 'client' || message['method'] !== 'session/prompt') return false;
    this.#request = requestKey(valueAt(message, 'id'));
    this.#resolve();
    return true;
  }

  /** True for the line that answers it. */
  isAnswer({from, message}: TappedLine): boolean {
    return (
      from === 'agent' &&
      this.#request !== null &&
      message['method'] === undefined &&
      requestKey(valueAt(message, 'id')) === this.#request
    );
  }

  /** Takes note of an update of the session. */
  heard(update: JsonRpcObject): void {
    const kind = textAt(update, 'sessionUpdate');
    if (kind === 'agent_message_chunk') {
      if (this.#said.length <= LISTENED) this.#said += textAt(objectAt(update, 'content'), 'text') ?? '';
    } else if (kind !== null && acts.has(kind)) this.#acted = true;
  }

  verdict(answer: JsonRpcObject): PromptVerdict {
    const {how, afterStop} = this.#options;
    if (this.#acted) return 'stands';
    const error = valueAt(answer, 'error');
    if (error !== undefined && error !== null) {
      return this.#said === '' && how !== 'made' && isUnknownSession(objectOf(error)) ? 'renew' : 'stands';
    }
    const reason = textAt(objectAt(answer, 'result'), 'stopReason');
    if (reason === 'refusal' && how === 'unproven' && this.#said === '') return 'renew';
    return reason === 'end_turn' && afterStop && this.#onlyQueued() ? 'restart' : 'stands';
  }

  #onlyQueued(): boolean {
    return this.#said.trim() === '' || (this.#said.length <= LISTENED && /\bqueued\b/i.test(this.#said));
  }
}

const acts: ReadonlySet<string> = new Set(['agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan']);
