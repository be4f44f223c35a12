/** An ACP agent without a process: one session, whose prompts are runs of Hermes over HTTP. */
import {randomUUID} from 'node:crypto';
import {PROTOCOL_VERSION, RequestError} from '@agentclientprotocol/sdk';
import type {JsonRpcObject, UpstreamLaunch} from '../agent/agent.js';
import type {Clock} from '../clock.js';
import {objectAt, objectsAt, textAt} from '../sessions/loose.js';
import type {AcpLines, AcpMethods} from './acp-lines.js';
import {recent, turnSaid, type SaidMessage} from './conversation.js';
import type {HermesApi} from './hermes-api.js';
import {HermesTurn, type HermesTurnOptions} from './hermes-turn.js';
import {promptAnswer} from './run-end.js';

/** What was found out about Hermes before anything was asked of it. */
export interface UpstreamFound {
  readonly isAuthorized: boolean;
  readonly version: string | null;
}

export interface UpstreamAgentOptions {
  readonly launch: UpstreamLaunch['upstream'];
  readonly found: UpstreamFound;
  readonly api: HermesApi;
  readonly lines: AcpLines;
  readonly clock: Clock;
  readonly times: Pick<HermesTurnOptions, 'pollMs' | 'patienceMs'>;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
}

export class UpstreamAgent implements AcpMethods {
  readonly #options: UpstreamAgentOptions;
  #said: readonly SaidMessage[] = [];
  #turn: HermesTurn | null = null;

  constructor(options: UpstreamAgentOptions) {
    this.#options = options;
  }

  request(method: string, params: JsonRpcObject): Promise<object> {
    const handler = this.#methods.get(method);
    return handler ? handler(params) : Promise.reject(RequestError.methodNotFound(method));
  }

  notified(method: string): void {
    if (method === 'session/cancel') void this.#turn?.stop();
  }

  /** Ends a run that goes on: nobody listens to it any more. */
  async close(): Promise<void> {
    await this.#turn?.stop();
  }

  readonly #methods = new Map<string, (params: JsonRpcObject) => Promise<object>>([
    ['initialize', () => Promise.resolve(this.#about())],
    ['session/new', () => this.#open(() => Promise.resolve([]))],
    ['session/load', () => this.#open(this.#options.launch.recall)],
    ['session/prompt', (params) => this.#prompt(params)],
  ]);

  #about(): object {
    const {found, launch} = this.#options;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: {name: 'hermes-agent', version: found.version},
      // No images: what older builds make of them in a run is not known. No tools: Hermes has its own.
      agentCapabilities: {loadSession: true, promptCapabilities: {}},
      authMethods: [signIn(launch.keyName)],
    };
  }

  async #open(recall: () => Promise<readonly SaidMessage[]>): Promise<object> {
    const {found, launch} = this.#options;
    if (!found.isAuthorized) throw RequestError.authRequired();
    this.#said = await recall();
    return {sessionId: launch.session};
  }

  async #prompt(params: JsonRpcObject): Promise<object> {
    if (this.#turn) throw RequestError.invalidRequest(undefined, 'A turn of this session is running.');
    const {launch, api, lines, clock, times, signal} = this.#options;
    const input = promptText(params);
    const turn = new HermesTurn({api, lines, clock, signal, sessionId: launch.session, ...times});
    this.#turn = turn;
    try {
      return promptAnswer(await turn.run(this.#body(input), randomUUID()));
    } finally {
      this.#turn = null;
      this.#said = recent([...this.#said, ...turnSaid(input, turn.said)]);
    }
  }

  /** The history goes along although newer builds keep one by session: older ones do not, and where both are it counts. */
  #body(input: string): object {
    const {session, model} = this.#options.launch;
    const history = this.#said.length > 0 ? {conversation_history: this.#said} : {};
    return {input, session_id: session, ...history, ...(model !== null && {model})};
  }
}

function signIn(keyName: string | null): object {
  return keyName === null
    ? {
        id: 'key',
        name: 'name the variable that holds the API_SERVER_KEY of Hermes as "apiKeyEnv" of the profile',
      }
    : {id: 'key', name: 'API_SERVER_KEY of Hermes', type: 'env_var', vars: [{name: keyName}]};
}

function promptText(params: JsonRpcObject): string {
  return objectsAt(params, 'prompt')
    .map((block) => {
      switch (textAt(block, 'type')) {
        case 'resource_link':
          return `[${textAt(block, 'name') ?? ''}](${textAt(block, 'uri') ?? ''})`;
        case 'resource':
          return textAt(objectAt(block, 'resource'), 'text') ?? '';
        default:
          return textAt(block, 'text') ?? '';
      }
    })
    .filter((text) => text !== '')
    .join('\n\n');
}
