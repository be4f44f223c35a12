/**
 * The agent of one session: its process, with the session opened in it. One process a session, so a session that hangs,
 * floods or dies hurts no other, and whatever the process says belongs to the session.
 *
 * A session that the agent had before is loaded or resumed, in a fresh process only: loading a live one makes some agents
 * deaf to cancels (family E33).
 */
import {
  AgentError,
  type Agent,
  type AgentExit,
  type AgentLaunch,
  type AgentListener,
  type JsonRpcObject,
  type OpenAgent,
  type OpenAgentOptions,
  type TappedLine,
} from '../agent/agent.js';
import type {Profile} from '../profiles/profile.js';
import type {McpServerEntry, ToolServer} from '../tools/tool-host.js';
import {agentRefusal, isAuthRequired} from './agent-refusals.js';
import {readCapabilities, type Capabilities} from './capabilities.js';
import type {StartBackoff} from './start-backoff.js';
import {askInTime} from './ask-in-time.js';
import type {Countdown} from './countdown.js';
import {objectAt, objectOf, textAt} from './loose.js';

export interface AgentHostOptions {
  /** Our id of the session. */
  readonly session: string;
  readonly profile: Profile;
  readonly cwd: string;
  readonly openAgent: OpenAgent;
  readonly agentOptions: OpenAgentOptions;
  readonly tools: ToolServer;
  readonly starts: StartBackoff;
  launch(): Promise<AgentLaunch>;
  readonly listener: AgentListener;
}

/** A session as it stands open in an agent. */
export interface OpenedSession {
  readonly agent: Agent;
  readonly capabilities: Capabilities;
  /** The agent's id of it. */
  readonly id: string;
  /** `made` anew; `restored`; or `unproven`: said to be restored, with nothing to show for it (family E30). */
  readonly how: 'made' | 'restored' | 'unproven';
  /** The answer that opened it: modes, options, models. */
  readonly answer: JsonRpcObject;
  /** Asks the agent what is answered at once or not at all. */
  ask(method: string, params: object): Promise<unknown>;
}

export class AgentHost {
  readonly #options: AgentHostOptions;
  readonly #gone = new AbortController();
  #agent: Agent | null = null;
  #opening: Promise<OpenedSession> | null = null;
  #mcpServers: readonly McpServerEntry[] = [];
  #patience: Countdown | null = null;
  #replayed = false;
  /** Of the process that is listened to. */
  #listening: symbol | null = null;
  /** When the processes that were ended are gone. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: AgentHostOptions) {
    this.#options = options;
  }

  /** The process, while there is one. */
  get agent(): Agent | null {
    return this.#agent;
  }

  /** The session in a running agent, started for it if there is none. `known`: the agent's id of it from before. */
  ready(known: string | null): Promise<OpenedSession> {
    this.#opening ??= this.#open(known).catch(async (error: unknown) => {
      const info = this.#agent?.info ?? null;
      this.#opening = null;
      await this.#end();
      throw agentRefusal(error, this.#options.profile, info);
    });
    return this.#opening;
  }

  /** The same process with a new session: the one it had is lost. */
  renew(): Promise<OpenedSession> {
    this.#opening = this.#make();
    return this.#opening;
  }

  /** A new process with the session it had. */
  async restart(known: string): Promise<OpenedSession> {
    await this.end();
    return this.ready(known);
  }

  /** Ends the process and all that was opened for it. Nothing that it says meanwhile is heard. */
  async end(): Promise<void> {
    this.#opening = null;
    this.#listening = null;
    await this.#end();
  }

  /** Ends the process and all that was opened for it; for good. Resolves when nothing is left. */
  async stop(): Promise<void> {
    this.#gone.abort();
    await this.#opening?.catch(() => {});
    await this.#end();
  }

  async #open(known: string | null): Promise<OpenedSession> {
    const {agentOptions, openAgent, profile, session, starts, tools} = this.#options;
    const launch = await this.#options.launch();
    await starts.pause(profile.name, this.#gone.signal);
    this.#checkWanted();
    const options = {...agentOptions, signal: this.#gone.signal};
    const agent = await openAgent(launch, this.#listener(), options).catch((error: unknown) => {
      if (!this.#gone.signal.aborted) starts.failed(profile.name);
      throw error;
    });
    this.#agent = agent;
    this.#checkWanted();
    const {httpTools} = readCapabilities(agent.info.capabilities);
    const entry = await tools.open(session, {http: httpTools});
    this.#mcpServers = entry === null ? [] : [entry];
    return known === null ? this.#make() : this.#restore(known);
  }

  async #make(): Promise<OpenedSession> {
    const {cwd} = this.#options;
    const answer = await this.#request('session/new', {cwd, mcpServers: this.#mcpServers});
    const id = textAt(answer, 'sessionId');
    if (id === null) throw new AgentError('protocol', 'The agent opened a session without naming it');
    return this.#opened(id, 'made', answer);
  }

  async #restore(known: string): Promise<OpenedSession> {
    const {load, resume} = readCapabilities(this.#running().info.capabilities);
    if (!load && !resume) return this.#make();
    const {cwd} = this.#options;
    this.#replayed = false;
    try {
      const method = load ? 'session/load' : 'session/resume';
      const answer = await this.#request(method, {sessionId: known, cwd, mcpServers: this.#mcpServers});
      const id = textAt(answer, 'sessionId') ?? known;
      if (id !== known) return this.#opened(id, 'made', answer);
      // Hermes resumes what it does not know as if it did; a replay, or what a load says of the session, is a proof.
      const proven = this.#replayed || (load && Object.keys(answer).some((key) => key !== '_meta'));
      return this.#opened(id, proven ? 'restored' : 'unproven', answer);
    } catch (error) {
      if (!(error instanceof AgentError && error.code === 'rejected') || isAuthRequired(error)) throw error;
      return this.#make();
    }
  }

  #opened(id: string, how: OpenedSession['how'], answer: JsonRpcObject): OpenedSession {
    this.#checkWanted();
    const agent = this.#running();
    const capabilities = readCapabilities(agent.info.capabilities);
    return {agent, capabilities, id, how, answer, ask: (method, params) => this.#ask(method, params)};
  }

  /** A request that opens a session. Its time begins anew with every line: a long history takes long to replay. */
  async #request(method: string, params: object): Promise<JsonRpcObject> {
    const patience = (countdown: Countdown) => (this.#patience = countdown);
    try {
      return objectOf(await this.#ask(method, params, patience));
    } finally {
      this.#patience = null;
    }
  }

  #ask(method: string, params: object, patience?: (countdown: Countdown) => void): Promise<unknown> {
    const {profile, agentOptions} = this.#options;
    return askInTime(this.#running(), method, params, {
      clock: agentOptions.clock,
      ms: profile.timeouts.start,
      signal: this.#gone.signal,
      ...(patience && {patience}),
    });
  }

  #listener(): AgentListener {
    const {listener} = this.#options;
    const own = (this.#listening = Symbol('process'));
    return {
      onLine: (line) => {
        if (this.#listening !== own) return;
        this.#patience?.touch();
        if (this.#patience && saysHistory(line)) this.#replayed = true;
        return listener.onLine(line);
      },
      onPermission: (request) =>
        this.#listening === own
          ? listener.onPermission(request)
          : Promise.resolve({outcome: 'cancelled' as const}),
      onExit: (exit) => this.#exited(exit),
    };
  }

  /** A dead process is never used again (family E17). One that we ended is no news. */
  #exited(exit: AgentExit): void {
    if (exit.reason === 'stopped' || this.#agent === null) return;
    this.#agent = null;
    this.#opening = null;
    this.#options.starts.failed(this.#options.profile.name);
    this.#options.listener.onExit(exit);
  }

  async #end(): Promise<void> {
    const agent = this.#agent;
    this.#agent = null;
    // Also those of before: the session may be closed while one of them still takes its time.
    this.#ended = Promise.all([this.#ended, agent?.stop()]);
    await this.#ended;
    this.#mcpServers = [];
    await this.#options.tools.close(this.#options.session);
  }

  #running(): Agent {
    if (this.#agent) return this.#agent;
    throw new AgentError('gone', 'The agent ended');
  }

  #checkWanted(): void {
    if (this.#gone.signal.aborted) throw new AgentError('aborted', 'The session was closed meanwhile');
  }
}

const history: ReadonlySet<string | null> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
]);

function saysHistory({from, message}: TappedLine): boolean {
  if (from !== 'agent' || message['method'] !== 'session/update') return false;
  return history.has(textAt(objectAt(objectAt(message, 'params'), 'update'), 'sessionUpdate'));
}
