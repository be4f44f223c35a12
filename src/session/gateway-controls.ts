/** The wishes of a reader at our gateway (design.md section 5). What came of them is told by the stream. */
import type {AnswerPermissionRequest, StartRunRequest} from '../protocol/index.js';
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

  start(prompt: string, more: object): Promise<unknown> {
    const body: StartRunRequest = {...more, sessionId: this.#sessionId, prompt};
    return this.#ask(this.#routes.start, {body});
  }

  async cancel(run: string): Promise<void> {
    await this.#ask(this.#routes.abort(run), {method: 'POST'});
  }

  steer(): Promise<void> {
    const message = 'This server cannot steer a run. Stop it, or send a message afterwards.';
    return Promise.reject(new ControlError('unsupported', message));
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
