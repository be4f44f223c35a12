/**
 * Approvals of a run, asked as permissions of ACP. Hermes takes an answer for a run, not for a request, and gives it to the
 * oldest: so one is asked after the other. Whoever else answers first takes the question back.
 */
import type {JsonRpcObject} from '../agent/agent.js';
import {objectAt, textAt, valueAt} from '../sessions/loose.js';
import type {AcpLines} from './acp-lines.js';
import {UpstreamError} from './hermes-api.js';
import {notice} from './run-reader.js';

export interface ApprovalOptions {
  readonly lines: AcpLines;
  readonly sessionId: string;
  /** The call that waits for it, as far as can be known. */
  call(): string | null;
  /** Tells Hermes. */
  answer(body: object): Promise<unknown>;
}

export class Approvals {
  readonly #options: ApprovalOptions;
  #last: Promise<void> = Promise.resolve();
  /** Questions that are open, oldest first; what is aborted was answered elsewhere. */
  readonly #open: AbortController[] = [];
  /** Answers of ours that the stream has not told of. */
  #own = 0;
  #number = 0;
  #over = false;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** True while the reader, or Hermes, is still to hear of one. */
  get waiting(): boolean {
    return this.#open.length > 0;
  }

  /** Asks the reader, after those that were asked before. */
  request(event: JsonRpcObject): void {
    const taken = new AbortController();
    this.#open.push(taken);
    this.#last = this.#last.then(() => this.#ask(event, taken));
  }

  /** Hermes has an answer: ours, or somebody else's. */
  responded(event: JsonRpcObject): void {
    if (this.#own > 0) return void this.#own--;
    const resolved = Number(valueAt(event, 'resolved') ?? 1);
    for (const taken of this.#open.slice(0, resolved)) taken.abort();
  }

  /** The run is over, and its questions with it. */
  end(): void {
    this.#over = true;
    for (const taken of this.#open) taken.abort();
  }

  async #ask(event: JsonRpcObject, taken: AbortController): Promise<void> {
    const {lines, sessionId, call} = this.#options;
    const {signal} = taken;
    if (!signal.aborted) {
      const toolCall = callOf(event, call() ?? `approval#${++this.#number}`);
      const params = {sessionId, toolCall, options: optionsOf(event)};
      const {outcome} = await lines.ask('session/request_permission', params, signal);
      // The signal may have aborted meanwhile, which the compiler does not see.
      if (!(signal.aborted as boolean)) await this.#answer(event, objectAt({outcome}, 'outcome'));
    }
    this.#open.splice(this.#open.indexOf(taken), 1);
  }

  async #answer(event: JsonRpcObject, outcome: JsonRpcObject): Promise<void> {
    const choice = textAt(outcome, 'optionId') ?? 'deny';
    const requestId = textAt(event, 'request_id');
    this.#own++;
    try {
      await this.#options.answer({choice, ...(requestId !== null && {request_id: requestId})});
    } catch (error) {
      this.#own--;
      if (!this.#over) await this.#tell(error);
    }
  }

  #tell(error: unknown): Promise<void> {
    const isLate =
      error instanceof UpstreamError && (error.code === 'conflict' || error.code === 'not-found');
    const text = isLate
      ? 'Hermes no longer waits for this approval.'
      : 'The answer did not reach Hermes, which goes on waiting until its own time is over. Stop the run to end that.';
    return this.#options.lines.update(this.#options.sessionId, notice(text, 'warning'));
  }
}

/** What Hermes wants to do. It asks about commands only. */
function callOf(event: JsonRpcObject, toolCallId: string): object {
  const command = textAt(event, 'command') ?? '';
  const description = textAt(event, 'description') ?? '';
  const title = description || command || 'Hermes asks for an approval';
  return {toolCallId, title, kind: 'execute', status: 'pending', rawInput: {command, description}};
}

const choices = new Map([
  ['once', {name: 'Allow once', kind: 'allow_once'}],
  ['session', {name: 'Allow for this session', kind: 'allow_always'}],
  ['always', {name: 'Always allow', kind: 'allow_always'}],
  ['deny', {name: 'Deny', kind: 'reject_once'}],
]);

/** The choices that Hermes offers; newer builds offer fewer where more would be a risk. */
function optionsOf(event: JsonRpcObject): readonly object[] {
  const given = valueAt(event, 'choices');
  const offered = Array.isArray(given) ? given.filter((id) => choices.has(id as string)) : [];
  const ids = (offered.length > 0 ? offered : ['once', 'deny']) as string[];
  return ids.map((optionId) => ({optionId, ...choices.get(optionId)}));
}
