/** The wishes of a reader at our gateway (design.md section 5). What came of them is told by the stream. */
import type {
  AnswerPermissionRequest,
  ContentBlock,
  StartRunRequest,
  SteerRunRequest,
} from '../protocol/index.js';
import {ControlError} from './control-error.js';
import {bodyOf, type Ask, type FoundControl, type ServerControls} from './controls.js';
import {gatewayRoutes} from './server-routes.js';
import type {SessionCore} from './session-core.js';

export class GatewayControls implements ServerControls {
  readonly #sessionId: string;
  readonly #routes: ReturnType<typeof gatewayRoutes>;
  readonly #ask: Ask;

  constructor({sessionId}: SessionCore, root: string, ask: Ask) {
    this.#sessionId = sessionId;
    this.#routes = gatewayRoutes(root, sessionId);
    this.#ask = ask;
  }

  start(
    prompt: string,
    {attachments = [], ...more}: {attachments?: readonly ContentBlock[]},
  ): Promise<unknown> {
    const text = prompt === '' ? [] : [{type: 'text', text: prompt}];
    const body: StartRunRequest = {
      ...more,
      sessionId: this.#sessionId,
      prompt: attachments.length === 0 ? prompt : [...text, ...attachments],
    };
    return this.#ask(this.#routes.start, {body});
  }

  async cancel(run: string): Promise<void> {
    await this.#ask(this.#routes.abort(run), {method: 'POST'});
  }

  async steer(run: string, text: string): Promise<void> {
    const body: SteerRunRequest = {text};
    await this.#ask(this.#routes.steer(run), {body});
  }

  async set(route: 'mode' | 'config', body: object): Promise<void> {
    await this.#ask(this.#routes.set(route), {body});
  }

  async answer({control, run}: FoundControl, choice: string): Promise<void> {
    const body: AnswerPermissionRequest = {optionId: choice};
    try {
      await this.#ask(this.#routes.permission(run, control.id), {body});
    } catch (cause) {
      if (!(cause instanceof ControlError) || cause.code !== 'conflict') throw cause;
      const {outcome} = bodyOf(cause);
      const said = typeof outcome === 'string' ? ` (${outcome})` : '';
      throw new ControlError('stale', `This was answered before${said}.`, {cause});
    }
  }
}
