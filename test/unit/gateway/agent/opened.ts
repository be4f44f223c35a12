/** An opened fake agent with a listener that keeps all it hears, for the tests of agents. */
import type {TestContext} from 'node:test';
import type {
  Agent,
  AgentExit,
  AgentListener,
  AgentPermissionRequest,
  OpenAgentOptions,
  PermissionOutcome,
  TappedLine,
} from '../../../../src/gateway/agent/agent.js';
import {openAgent} from '../../../../src/gateway/agent/open-agent.js';
import {systemClock} from '../../../../src/gateway/clock.js';
import {fakeAgent, type FakeAgent, type Scenario} from '../../../support/fake-agent/fake-agent.js';

/** Long enough for a loaded machine: no test waits for them. */
export const limits = {startMs: 60_000, graceMs: 60_000, maxLineBytes: 1 << 20};

export class Listener implements AgentListener {
  readonly lines: TappedLine[] = [];
  readonly asked: AgentPermissionRequest[] = [];
  readonly exits: AgentExit[] = [];
  outcome: PermissionOutcome | Promise<PermissionOutcome> = {outcome: 'cancelled'};
  readonly #told = new Set<() => void>();

  onLine(line: TappedLine): void | Promise<unknown> {
    this.lines.push(line);
    this.#tell();
  }

  async onPermission(request: AgentPermissionRequest): Promise<PermissionOutcome> {
    this.asked.push(request);
    this.#tell();
    return this.outcome;
  }

  onExit(exit: AgentExit): void {
    this.exits.push(exit);
    this.#tell();
  }

  /** Resolves once something is so. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#told.add(resolve));
  }

  /** The text of the message chunks heard. */
  get text(): string {
    return this.lines.map(({message}) => chunkText(message)).join('');
  }

  #tell(): void {
    for (const told of [...this.#told]) {
      this.#told.delete(told);
      told();
    }
  }
}

function chunkText(message: Readonly<Record<string, unknown>>): string {
  const params = message['params'] as
    {update?: {sessionUpdate?: string; content?: {text?: string}}} | undefined;
  return params?.update?.sessionUpdate === 'agent_message_chunk' ? (params.update.content?.text ?? '') : '';
}

export interface Opened {
  readonly agent: Agent;
  readonly fake: FakeAgent;
  readonly heard: Listener;
}

/** Opens it, and ends it with the test. */
export async function opened(
  context: TestContext,
  scenario: Scenario = {},
  options: Partial<OpenAgentOptions> & {
    readonly listener?: Listener;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Opened> {
  const fake = await fakeAgent(scenario);
  context.after(() => fake.close());
  const {listener: heard = new Listener(), env = {}, ...rest} = options;
  const launch = {...fake.launch, env: {...fake.launch.env, ...env}};
  const agent = await openAgent(launch, heard, {limits, clock: systemClock, ...rest});
  return {agent, fake, heard};
}

/** A session of it and its answer to a prompt. */
export async function prompted(agent: Agent, text = 'Hello'): Promise<unknown> {
  const {sessionId} = (await agent.request('session/new', {cwd: '/', mcpServers: []})) as {sessionId: string};
  return agent.request('session/prompt', {sessionId, prompt: [{type: 'text', text}]});
}
