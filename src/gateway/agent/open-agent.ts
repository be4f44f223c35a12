/** Opens agents: transport, connection, the first request; and ends them. */
import {
  AgentError,
  type Agent,
  type AgentExit,
  type AgentInfo,
  type AgentLaunch,
  type AgentListener,
  type OpenAgent,
  type OpenAgentOptions,
} from './agent.js';
import {AgentConnection, type Fault} from './agent-connection.js';
import {openSocket} from './agent-socket.js';
import {end, type AgentTransport, type TransportEnd} from './agent-transport.js';
import {startProcess} from './guarded-process.js';
import {openUpstream} from '../http-upstream/open-upstream.js';
import {initializeRequest, readAgentInfo} from './initialize.js';
import {LineRing} from './line-ring.js';
import {redactor, type Redact} from './redact.js';
import {within} from './within.js';

/** How many lines of stderr and of noise are kept. */
const KEPT_LINES = 200;

/** How long the last words of an agent that is gone may take, in ms: somebody else may hold its stdout. */
const LAST_WORDS = 1_000;

export const openAgent: OpenAgent = async (launch, listener, options) => {
  const {limits, clock} = options;
  const late = new AbortController();
  const timer = clock.setTimeout(() => late.abort(), limits.startMs);
  const given = options.signal ? AbortSignal.any([late.signal, options.signal]) : late.signal;
  try {
    given.throwIfAborted();
    const transport = await openTransport(launch, options, given);
    const agent = new RunningAgent(transport, listener, options, redactor(secretsOf(launch)));
    return await agent.begin(given);
  } catch (error) {
    if (late.signal.aborted) throw tooLate(limits.startMs, error);
    if (options.signal?.aborted) throw unwanted(error);
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
};

function openTransport(launch: AgentLaunch, options: OpenAgentOptions, signal: AbortSignal) {
  if ('upstream' in launch) return openUpstream(launch, options, signal);
  if ('connect' in launch) return openSocket(launch, {signal});
  return startProcess(launch, {pidFolder: options.pidFolder ?? null, signal});
}

function secretsOf(launch: AgentLaunch): Readonly<Record<string, string>> {
  if ('env' in launch) return launch.env;
  return 'upstream' in launch && launch.upstream.key !== null ? {API_SERVER_KEY: launch.upstream.key} : {};
}

const tooLate = (ms: number, cause: unknown) =>
  new AgentError(
    'timeout',
    `The agent did not start within ${ms / 1000} s. Try again, or allow more.`,
    null,
    {
      cause,
    },
  );

const unwanted = (cause: unknown) =>
  new AgentError('aborted', 'The agent is no longer wanted.', null, {cause});

class RunningAgent implements Agent {
  info!: AgentInfo;
  exit: AgentExit | null = null;
  readonly #transport: AgentTransport;
  readonly #connection: AgentConnection;
  readonly #listener: AgentListener;
  readonly #options: OpenAgentOptions;
  readonly #stderr: LineRing;
  readonly #noise: LineRing;
  readonly #gone: Promise<AgentExit>;
  #opened = false;
  #ending = false;
  #stopped = false;
  /** SIGTERM or more was needed. */
  #forced = false;
  #fault: Fault | null = null;

  constructor(transport: AgentTransport, listener: AgentListener, options: OpenAgentOptions, redact: Redact) {
    this.#transport = transport;
    this.#listener = listener;
    this.#options = options;
    this.#stderr = new LineRing(KEPT_LINES, redact);
    this.#noise = new LineRing(KEPT_LINES, redact);
    // Read without end: a full pipe would stop the agent (acp.md E23).
    transport.stderr?.setEncoding('utf8').on('data', (text: string) => this.#stderr.write(text));
    this.#connection = new AgentConnection(transport, listener, {
      maxLineBytes: options.limits.maxLineBytes,
      clock: options.clock,
      noise: this.#noise,
      redact,
      onFault: (fault) => this.#failed(fault),
    });
    this.#gone = this.#bury();
  }

  get diagnostics() {
    return {stderr: this.#stderr.lines, noise: this.#noise.lines, noiseCount: this.#noise.count};
  }

  get lastHeardAt(): number {
    return this.#connection.lastHeardAt;
  }

  /** The first request. What does not answer it is ended before this rejects. */
  async begin(signal: AbortSignal): Promise<this> {
    try {
      this.info = readAgentInfo(await this.request('initialize', initializeRequest, {signal}));
      this.#opened = this.exit === null;
      if (this.exit) throw new AgentError('gone', this.exit.message);
      return this;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async request(method: string, params: object, options?: {readonly signal?: AbortSignal}): Promise<unknown> {
    return this.#connection.request(method, params, options?.signal);
  }

  notify(method: string, params: object): void {
    this.#connection.notify(method, params);
  }

  async isAlive(ms: number): Promise<boolean> {
    if (this.#ending || this.exit) return false;
    const answered = this.#connection.probe().then(
      () => true,
      () => false,
    );
    return (await within(answered, ms, this.#options.clock)) && (await answered);
  }

  stop(): Promise<AgentExit> {
    if (!this.#ending) this.#stopped = true;
    this.#end();
    return this.#gone;
  }

  #failed(fault: Fault): void {
    if (this.#fault === null || !fault.soft) this.#fault = fault;
    this.#end();
  }

  #end(): void {
    if (this.#ending) return;
    this.#ending = true;
    const {limits, clock} = this.#options;
    void end(this.#transport, limits.graceMs, clock, () => (this.#forced = true));
  }

  /** What follows its end: last words, then every request that waits, then the owner. */
  async #bury(): Promise<AgentExit> {
    const ended = await this.#transport.ended;
    await within(this.#connection.read, LAST_WORDS, this.#options.clock);
    this.#transport.release();
    this.#ending = true;
    const exit = (this.exit = this.#describe(ended));
    this.#connection.close(new AgentError('gone', exit.message));
    // Those who waited go first.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#opened) this.#listener.onExit(exit);
    return exit;
  }

  #describe({code, signal}: TransportEnd): AgentExit {
    if (this.#stopped) return {code, signal, reason: 'stopped', message: 'The agent was stopped.'};
    const fault = this.#fault;
    // A broken pipe is often only how we first hear of an exit: the exit says more, unless we had to force it.
    if (fault && (!fault.soft || this.#forced)) {
      return {code, signal, reason: 'failed', message: fault.error.message};
    }
    return {code, signal, reason: 'exited', message: ownEnd(code, signal)};
  }
}

function ownEnd(code: number | null, signal: string | null): string {
  if (signal !== null) return `The agent was ended by ${signal}.`;
  if (code !== null) return `The agent ended by itself with exit code ${code}.`;
  return 'The agent closed the connection.';
}
