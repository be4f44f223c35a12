/** A whole set of sessions over scripted agents: a real fold, a real journal in memory, a clock that stands still. */
import {GatewayError} from '../../../../src/gateway/gateway-error.js';
import type {Journal} from '../../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../../src/gateway/journal/sqlite-journal.js';
import {Recorder} from '../../../../src/gateway/recorder.js';
import {profileDefaults} from '../../../../src/gateway/profiles/built-in.js';
import type {Profile} from '../../../../src/gateway/profiles/profile.js';
import {Sessions} from '../../../../src/gateway/sessions/sessions.js';
import type {SessionParts} from '../../../../src/gateway/sessions/session-parts.js';
import type {RunEvent} from '../../../../src/protocol/index.js';
import {ManualClock, settled} from '../../transport/manual-clock.js';
import {ScriptedAgent, type AgentScript} from './scripted-agent.js';

export const reader = {subject: 'ann'};

export const TIMES = {
  start: 10_000,
  idle: 60_000,
  permission: null,
  grace: 500,
  cancel: 4_000,
  keep: 600_000,
};

export interface BenchOptions {
  readonly profile?: Partial<Profile>;
  readonly timeouts?: Partial<Profile['timeouts']>;
  /** The scripts of the agents in the order in which they start; the last stays. */
  readonly scripts?: readonly AgentScript[];
  readonly parts?: Partial<SessionParts>;
  readonly journal?: Journal;
}

export class Bench {
  readonly clock = new ManualClock();
  readonly agents: ScriptedAgent[] = [];
  readonly sessions: Sessions;
  /** Sessions whose tools are open. */
  readonly tools = new Set<string>();
  /** What went wrong on our side. */
  readonly faults: unknown[] = [];
  #ids = 0;

  constructor(
    readonly journal: Journal,
    readonly profiles: Profile[],
    scripts: readonly AgentScript[],
    /** What is not scripted. */
    readonly parts: Partial<SessionParts>,
  ) {
    let active = profiles[0]!;
    const get = (name: string) => {
      const found = profiles.find((profile) => profile.name === name);
      if (!found) throw new GatewayError('profile-missing', 'There is no such profile.');
      return found;
    };
    this.sessions = new Sessions({
      journal,
      clock: this.clock,
      profiles: {
        profiles,
        get,
        active: () => active,
        select: (_subject, name) => Promise.resolve((active = get(name))),
        locate: () =>
          Promise.resolve({available: true, place: {command: 'scripted', args: []}, reason: null}),
      },
      tools: {
        tools: [],
        open: (session) => {
          this.tools.add(session);
          const headers = [{name: 'authorization', value: 'Bearer secret'}];
          return Promise.resolve({type: 'http', name: 'notes', url: 'http://127.0.0.1:1/mcp', headers});
        },
        close: (session) => Promise.resolve(void this.tools.delete(session)),
        stop: () => Promise.resolve(),
      },
      openAgent: (_launch, listener) => {
        const script = scripts[Math.min(this.agents.length, scripts.length - 1)] ?? {};
        const agent = new ScriptedAgent(listener, script, () => this.clock.now());
        this.agents.push(agent);
        return Promise.resolve(agent);
      },
      agentLimits: {startMs: 1_000, graceMs: 100, maxLineBytes: 1_000_000},
      launch: () => Promise.resolve({command: 'scripted', args: [], env: {}, cwd: '/'}),
      openRecorder: (options) => new Recorder(options),
      history: () => Promise.resolve({transcript: null, earlier: 0, cursor: null}),
      newId: () => `s${++this.#ids}`,
      eventsUrl: (run) => `/api/hermes/client/events/${run}`,
      onFault: (fault) => void this.faults.push(fault),
      ...parts,
    });
  }

  /** When an agent has been asked for something it has not answered, or answered. */
  async asked(method: string): Promise<void> {
    while (!this.agents.some((agent) => agent.times(method) > 0)) await settled();
  }

  /** The agent started last. */
  get agent(): ScriptedAgent {
    return this.agents.at(-1)!;
  }

  async create(profile?: string): Promise<string> {
    return (await this.sessions.create(reader, profile === undefined ? {} : {profile})).sessionId;
  }

  async start(sessionId: string, prompt = 'Hello'): Promise<string> {
    return (await this.sessions.start(reader, {sessionId, prompt})).runId;
  }

  /** A session with a run that goes on. */
  async running(prompt = 'Hello'): Promise<{session: string; run: string; agent: ScriptedAgent}> {
    const session = await this.create();
    const run = await this.start(session, prompt);
    return {session, run, agent: this.agent};
  }

  async events(run: string): Promise<readonly RunEvent[]> {
    await settled();
    const frames = await this.journal.read({run}, null, 1000);
    return frames.map(({data}) => JSON.parse(data) as RunEvent);
  }

  /** The events of a run, a line each: its name and the field that says most. */
  async sketch(run: string): Promise<string> {
    return (await this.events(run)).map(sketchEvent).join('\n');
  }

  /** Lets the grace window pass, and all that follows. */
  async afterGrace(): Promise<void> {
    await settled();
    await this.clock.pass(TIMES.grace);
    await settled();
  }

  active(session: string): Promise<string | null> {
    return this.sessions.get(reader, session).then(({activeRunId}) => activeRunId);
  }
}

export async function bench(options: BenchOptions = {}): Promise<Bench> {
  const {profile = {}, timeouts = {}, scripts = [{}], parts = {}} = options;
  const journal = options.journal ?? (await openSqliteJournal({file: ':memory:'}));
  const profiles = ['one', 'two'].map((name) => ({
    ...plain,
    name,
    ...profile,
    timeouts: {...TIMES, ...timeouts},
  }));
  return new Bench(journal, profiles, scripts, parts);
}

const plain: Profile = {
  ...profileDefaults,
  name: 'one',
  runtimeType: 'generic',
  bin: 'scripted',
  cwdRoots: ['/'],
  timeouts: TIMES,
};

function sketchEvent(event: RunEvent): string {
  const {event: name} = event;
  switch (event.event) {
    case 'run.started':
      return `${name} ${event.prompt}`;
    case 'message.delta':
      return `${name} ${event.delta}`;
    case 'notice':
      return `${name} ${event.topic}`;
    case 'run.completed':
      return `${name} ${event.output}`;
    case 'run.failed':
      return `${name} ${event.code} ${event.terminal_state ?? ''}`.trim();
    case 'permission.requested':
      return `${name} ${event.permission_id}`;
    case 'permission.resolved':
      return `${name} ${event.permission_id} ${event.option_id ?? event.outcome} ${event.by}`;
    case 'tool.started':
    case 'tool.completed':
      return `${name} ${event.tool_call_id} ${event.status}`;
    default:
      return name;
  }
}

export {settled};
