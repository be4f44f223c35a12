/**
 * Controls: what the reader wants of the server. A wish changes nothing here; what is shown changes when the server
 * answers or its stream tells. Every refusal is a `ControlError` with a sentence.
 */
import {readStart} from '../adapters/index.js';
import type {ControlDetails, TurnAnchor} from '../anchor/index.js';
import {RequestError, requestJson, type RequestOptions} from '../transport/index.js';
import {ControlError} from './control-error.js';
import {GatewayControls} from './gateway-controls.js';
import {baseRoutes} from './server-routes.js';
import type {SessionCore} from './session-core.js';
import type {SessionSource} from './source.js';
import {WebuiControls} from './webui-controls.js';

/** A control, and the turn and run it stands in. */
export interface FoundControl {
  readonly control: ControlDetails;
  readonly run: string;
}

/** The wishes of one server. */
export interface ServerControls {
  start(prompt: string, more: object): Promise<unknown>;
  cancel(run: string): Promise<void>;
  steer(run: string, text: string): Promise<void>;
  /** Changes how the agent is set; `route` is the last segment of the address. */
  set(route: 'mode' | 'config', body: object): Promise<void>;
  answer(found: FoundControl, choice: string): Promise<void>;
}

/** Asks a server for something, with a sentence for each refusal. */
export type Ask = (url: string, options?: Pick<RequestOptions, 'method' | 'body'>) => Promise<unknown>;

export class Controls {
  readonly #core: SessionCore;
  /** The session that is being made, or was made and not opened. */
  #founding: {readonly source: SessionSource; readonly made: Promise<string>} | null = null;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  async send(prompt: string, more: object = {}): Promise<void> {
    await this.#found();
    try {
      const start = readStart(await this.#server.start(prompt, more));
      if (!start) throw new ControlError('no-run', 'The server took the message and started no turn for it.');
      this.#core.begin({prompt, ...start});
    } catch (cause) {
      throw await this.#followActive(cause);
    }
  }

  /** The first prompt makes the session, where only its gateway is known. */
  async #found(): Promise<void> {
    const {host} = this.#core;
    const {source} = host;
    if (source.base === undefined || source.sessionId || source.wire === 'hermes-webui') return;
    if (!host.signal) throw closed();
    const sessionId = await this.#sessionFor(source, source.base);
    if (host.signal && host.source === source) host.open({...source, sessionId});
    if (!host.signal || host.source.sessionId !== sessionId) throw closed();
  }

  /** One session a source: what was made for a view that closed meanwhile is there for its next prompt. */
  #sessionFor(source: SessionSource, base: string): Promise<string> {
    if (this.#founding?.source === source) return this.#founding.made;
    const made = this.#make(base);
    const founding = (this.#founding = {source, made});
    made.catch(() => this.#founding === founding && (this.#founding = null));
    return made;
  }

  async #make(base: string): Promise<string> {
    const answer = (await this.#ask(baseRoutes(base).create, {body: {}})) as {sessionId?: unknown} | null;
    const sessionId = answer?.sessionId;
    if (typeof sessionId === 'string' && sessionId !== '') return sessionId;
    throw new ControlError('no-run', 'The server made no session. Check the address in `base`.');
  }

  cancel(): Promise<void> {
    return this.#server.cancel(this.#activeRun());
  }

  steer(text: string): Promise<void> {
    return this.#server.steer(this.#activeRun(), text);
  }

  set(route: 'mode' | 'config', body: object): Promise<void> {
    return this.#server.set(route, body);
  }

  async answer(controlId: string, choice: string): Promise<void> {
    try {
      await this.#server.answer(this.#find(controlId), choice);
    } finally {
      this.#core.follower?.poll();
    }
  }

  get #server(): ServerControls {
    const {root, wire} = this.#core.routes;
    if (root === null)
      throw new ControlError(
        'unsupported',
        'This view only reads a stream. Name its server and session to act.',
      );
    return wire === 'hermes-webui'
      ? new WebuiControls(this.#core, root, this.#ask)
      : new GatewayControls(this.#core, root, this.#ask);
  }

  readonly #ask: Ask = async (url, options) => {
    const {headers, credentials, fetch} = this.#core.host.source;
    try {
      return await requestJson(url, {...options, headers, credentials, fetch});
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause;
      throw new ControlError(cause.code, sentenceOf(cause), {cause});
    }
  };

  /** Busy: the run that goes on is shown, whoever started it. */
  async #followActive(cause: unknown): Promise<unknown> {
    const body = bodyOf(cause);
    const run = body.active_stream_id ?? body.activeRunId ?? body.runId;
    if (typeof run !== 'string') return cause;
    if (this.#core.host.signal && this.#core.follower?.activeRun !== run)
      this.#core.follower?.attach(await this.#core.reload());
    return new ControlError('busy', 'The agent is still at work here. Wait for its answer, or stop it.', {
      cause,
    });
  }

  #activeRun(): string {
    const turn = this.#core.folding.transcript.turns.findLast(({terminal}) => terminal === null);
    const run = this.#core.follower?.activeRun ?? turn?.runIds.at(-1);
    if (run) return run;
    throw new ControlError('idle', 'Nothing runs here at the moment.');
  }

  #find(id: string): FoundControl {
    for (const turn of [...this.#core.folding.transcript.turns].reverse()) {
      const control = controlOf(turn, id);
      if (control) return {control, run: turn.runIds.at(-1) ?? turn.id};
    }
    throw new ControlError('stale', 'This question is not part of the conversation any more.');
  }
}

function controlOf({items}: TurnAnchor, id: string): ControlDetails | null {
  for (let index = items.length - 1; index >= 0; index--) {
    const {control} = items.get(index)!;
    if (control?.id === id) return control;
  }
  return null;
}

function closed(): ControlError {
  return new ControlError(
    'closed',
    'This view was closed before the message was sent. Open it and send again.',
  );
}

/** What a refused request's answer said. */
export function bodyOf(cause: unknown): Readonly<Record<string, unknown>> {
  const refused = cause instanceof ControlError ? cause.cause : cause;
  const body = refused instanceof RequestError ? refused.body : null;
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

/** Our sentence, and the server's own words where they add to it. */
function sentenceOf(cause: RequestError): string {
  const {error} = bodyOf(cause);
  const said = typeof error === 'string' && error !== '' ? ` (${error})` : '';
  if (cause.code !== 'forbidden') return cause.message + said;
  return `The server takes no requests from this page${said}. Reload it, or give its CSRF token in \`headers\`.`;
}
