/** The wishes of a reader at Hermes WebUI, and what its refusals mean (reference/hermes-webui.md 1.2). */
import {ControlError} from './control-error.js';
import {bodyOf, type Ask, type FoundControl, type ServerControls} from './controls.js';
import {webuiRoutes} from './server-routes.js';
import type {SessionCore} from './session-core.js';
import type {WebuiApprovalAnswer, WebuiCancelAnswer, WebuiSteerAnswer} from '../protocol/index.js';

export class WebuiControls implements ServerControls {
  readonly #core: SessionCore;
  readonly #routes: ReturnType<typeof webuiRoutes>;
  readonly #ask: Ask;

  constructor(core: SessionCore, root: string, ask: Ask) {
    this.#core = core;
    this.#routes = webuiRoutes(root, core.sessionId);
    this.#ask = ask;
  }

  async start(prompt: string, {attachments, ...more}: {attachments?: unknown}): Promise<unknown> {
    if (attachments !== undefined) {
      const message = 'Hermes WebUI takes no attachments from here. Remove them, or upload them there.';
      throw new ControlError('unsupported', message);
    }
    try {
      const body = {...more, session_id: this.#core.sessionId, message: prompt};
      return await this.#ask(this.#routes.start, {body});
    } catch (cause) {
      const sentence = startRefusals.get(bodyOf(cause).type);
      throw sentence === undefined ? cause : new ControlError('refused', sentence, {cause});
    }
  }

  async cancel(run: string): Promise<void> {
    const {ok, cancelled} = ((await this.#ask(this.#routes.cancel(run))) ?? {}) as WebuiCancelAnswer;
    if (ok && cancelled) return;
    void this.#core.reload();
    throw new ControlError('idle', 'The server has nothing to stop here; the run may just have ended.');
  }

  async steer(_run: string, text: string): Promise<void> {
    const body = {session_id: this.#core.sessionId, text};
    const {accepted, fallback} = ((await this.#ask(this.#routes.steer, {body})) ?? {}) as WebuiSteerAnswer;
    if (!accepted) throw new ControlError('not-delivered', steerRefusals.get(fallback) ?? NOT_DELIVERED);
  }

  set(): Promise<void> {
    const message = 'Hermes WebUI keeps modes and models in its own settings. Change them there.';
    return Promise.reject(new ControlError('unsupported', message));
  }

  async answer({control, run}: FoundControl, choice: string): Promise<void> {
    const {id, type} = control;
    const session_id = this.#core.sessionId;
    const head = {
      run,
      seq: null,
      name: 'control_answer',
      type: 'control-resolved',
      control: type,
      controlId: id,
    } as const;
    const gone = () => this.#core.apply([{...head, status: 'stale', choice: null}]);
    try {
      const answer = await (type === 'clarify'
        ? this.#ask(this.#routes.clarify, {body: {session_id, response: choice, clarify_id: id}})
        : this.#ask(this.#routes.approval, {body: {session_id, choice, approval_id: id}}));
      const {ok, stale_cleared} = (answer ?? {}) as WebuiApprovalAnswer;
      if (stale_cleared) {
        gone();
        throw new ControlError('stale', 'This was answered or withdrawn before.');
      }
      if (ok === false)
        throw new ControlError(
          'other-open',
          'The server waits for another answer first. This one stays open.',
        );
      // No frame says so: the answer to the answer is the server's word.
      this.#core.apply([{...head, status: 'answered', choice, denied: choice === 'deny'}]);
    } catch (cause) {
      const {stale, code} = bodyOf(cause);
      if (code === 'gateway_run_unavailable')
        throw new ControlError('not-delivered', 'The agent behind the server cannot be reached. Try again.', {
          cause,
        });
      if (stale !== true) throw cause;
      gone();
      throw new ControlError('stale', 'This question is gone: the agent has gone on without an answer.', {
        cause,
      });
    }
  }
}

const startRefusals: ReadonlyMap<unknown, string> = new Map([
  [
    'compression_recovery_required',
    'This conversation has to be shortened before it can go on. Open it in Hermes WebUI to do so.',
  ],
  ['agent_runtime_stale', 'The server has a newer agent now. Send the message again.'],
]);

const NOT_DELIVERED = 'The agent did not take this. Nothing was stopped; send it as a message afterwards.';

const steerRefusals: ReadonlyMap<unknown, string> = new Map([
  ['agent_lacks_steer', 'This agent cannot be steered while it works. Send a message afterwards.'],
  ['not_running', 'Nothing runs that could be steered. Send it as a message.'],
  ['session_not_found', 'The server does not know this session any more.'],
  ['stream_dead', 'The run has just ended. Send it as a message.'],
  ['gateway_steer_queued', 'The server has put this behind the present run.'],
]);
