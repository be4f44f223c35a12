/**
 * Sessions over a real agent process: real guard, connection, recorder, journal and note tools, a mock model behind it.
 * What a gateway is but for HTTP; one bench a test.
 */
import {randomUUID} from 'node:crypto';
import {mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {TestContext} from 'node:test';
import {openAgent} from '../../../src/gateway/agent/open-agent.js';
import {systemClock} from '../../../src/gateway/clock.js';
import {openSqliteJournal} from '../../../src/gateway/journal/sqlite-journal.js';
import {profileDefaults} from '../../../src/gateway/profiles/built-in.js';
import type {Profile} from '../../../src/gateway/profiles/profile.js';
import {Recorder} from '../../../src/gateway/recorder.js';
import {Sessions} from '../../../src/gateway/sessions/sessions.js';
import {SettledHistory} from '../../../src/gateway/settled.js';
import {createFolderHost} from '../../../src/gateway/tools/folder/folder-host.js';
import {NoteToolServer, noteToolsUrl} from '../../../src/gateway/tools/note-tool-server.js';
import type {RunEvent, RunEventName} from '../../../src/protocol/index.js';
import {startMockModel, type MockModel} from '../mock-model/mock-model.js';

export const reader = {subject: 'ann'};
export const welcome = '# Welcome\n\nOne line.\n';

/** A real agent, and how it is set up with a model on loopback. */
export interface AgentKit {
  readonly name: string;
  readonly runtimeType: Profile['runtimeType'];
  /** The program; null where it is not installed. */
  readonly bin: string | null;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The variable that tells it where to keep its sessions, for one that does not know by itself. */
  readonly sessionsIn?: string;
  /** Files to write before the first start; paths begin with `home/` or `work/`. */
  files(modelUrl: string): Readonly<Record<string, string>>;
  /** An option that makes it ask before it runs a command. */
  readonly askOption?: {readonly id: string; readonly value: string};
  /** The marker that has its model run a command. */
  shell(command: string): string;
  /** The marker that has its model call a note tool. */
  note(name: string, args: object): string;
}

export class RealBench {
  readonly notes: string;
  readonly work: string;
  #sessions: Sessions;

  constructor(
    readonly folder: string,
    readonly model: MockModel,
    readonly tools: NoteToolServer,
    readonly journal: Awaited<ReturnType<typeof openSqliteJournal>>,
    readonly profile: Profile,
    readonly kit: AgentKit,
  ) {
    this.notes = join(folder, 'notes');
    this.work = join(folder, 'work');
    this.#sessions = this.#open();
  }

  get sessions(): Sessions {
    return this.#sessions;
  }

  /** As after a restart of the gateway: new sessions over the same journal, and a new process. */
  async restart(): Promise<void> {
    await this.#sessions.stop();
    this.#sessions = this.#open();
  }

  /** A session whose agent asks before it runs commands. */
  async create(): Promise<string> {
    const {sessionId} = await this.#sessions.create(reader, {});
    const {askOption} = this.kit;
    if (askOption) await this.#sessions.setOption(reader, sessionId, askOption.id, askOption.value);
    return sessionId;
  }

  async start(sessionId: string, prompt: string, pageContext?: string): Promise<RunReader> {
    const context = pageContext === undefined ? {} : {pageContext};
    const {runId} = await this.#sessions.start(reader, {sessionId, prompt, ...context});
    return new RunReader(this, runId);
  }

  /** A prompt from start to end. */
  async run(sessionId: string, prompt: string, pageContext?: string): Promise<RunReader> {
    const run = await this.start(sessionId, prompt, pageContext);
    await run.ended();
    return run;
  }

  /** Processes of the agent that run now. */
  async agentPids(): Promise<readonly number[]> {
    const names = await readdir(join(this.folder, 'pids')).catch(() => []);
    const words = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map((name) => readFile(join(this.folder, 'pids', name), 'utf8').catch(() => '')),
    );
    return words.filter(Boolean).map((word) => (JSON.parse(word) as {pid: number}).pid);
  }

  note(name = 'welcome.md'): Promise<string> {
    return readFile(join(this.notes, name), 'utf8');
  }

  #open(): Sessions {
    const {journal, profile, tools, folder} = this;
    const history = new SettledHistory(journal);
    return new Sessions({
      journal,
      tools,
      clock: systemClock,
      openAgent,
      profiles: {
        profiles: [profile],
        get: () => profile,
        active: () => profile,
        select: () => Promise.resolve(profile),
        locate: () =>
          Promise.resolve({
            available: true,
            place: {command: profile.bin ?? '', args: profile.args},
            reason: null,
          }),
      },
      agentLimits: {startMs: 60_000, graceMs: 3_000, maxLineBytes: 1 << 22},
      pidFolder: join(folder, 'pids'),
      launch: (_profile, cwd) =>
        Promise.resolve({command: profile.bin ?? '', args: profile.args, env: profile.env, cwd}),
      openRecorder: (options) => new Recorder(options),
      history: (session) => history.of(session),
      newId: () => randomUUID().slice(0, 8),
      eventsUrl: (run) => `/api/hermes/client/events/${run}`,
    });
  }
}

/** Reads a run's events as they come. */
export class RunReader {
  readonly events: RunEvent[] = [];
  readonly #abort = new AbortController();
  readonly #reading: Promise<void>;
  readonly #told = new Set<() => void>();
  #done = false;

  constructor(
    readonly bench: RealBench,
    readonly id: string,
  ) {
    this.#reading = this.#read();
  }

  /** The first event of a name that fits, once it stands. Rejects when the run ended without. */
  async until<Name extends RunEventName>(
    name: Name,
    fits: (event: RunEvent<Name>) => boolean = () => true,
  ): Promise<RunEvent<Name>> {
    for (;;) {
      const found = this.all(name).find(fits);
      if (found) return found;
      if (this.#done) throw new Error(`The run ended without ${name}:\n${this.sketch}`);
      await new Promise<void>((resolve) => this.#told.add(resolve));
    }
  }

  /** The terminal event. */
  async ended(): Promise<RunEvent> {
    await this.#reading;
    return this.events.at(-1) as RunEvent;
  }

  all<Name extends RunEventName>(name: Name): readonly RunEvent<Name>[] {
    return this.events.filter(({event}) => event === name) as unknown as readonly RunEvent<Name>[];
  }

  get text(): string {
    return this.all('message.delta')
      .map(({delta}) => delta)
      .join('');
  }

  /** For messages of failed tests. */
  get sketch(): string {
    return this.events.map((event) => JSON.stringify(event)).join('\n');
  }

  async answer(kind: string): Promise<void> {
    const {permission_id, options} = await this.until('permission.requested');
    const option = options.find((each) => each.kind === kind);
    if (!option) throw new Error(`No option of kind ${kind} in ${JSON.stringify(options)}`);
    await this.bench.sessions.answer(reader, this.id, permission_id, option.id);
  }

  async #read(): Promise<void> {
    const {signal} = this.#abort;
    for await (const batch of this.bench.journal.follow({run: this.id}, null, signal)) {
      for (const {data} of batch) this.events.push(JSON.parse(data) as RunEvent);
      this.#tell();
    }
    this.#done = true;
    this.#tell();
  }

  #tell(): void {
    for (const told of [...this.#told]) {
      this.#told.delete(told);
      told();
    }
  }
}

/** A bench that is gone, with every process, when the test is over. */
export async function realBench(context: TestContext, kit: AgentKit): Promise<RealBench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `hermes-${kit.name}-`)));
  const model = await startMockModel();
  const files = {...kit.files(model.url), 'notes/welcome.md': welcome, 'work/.keep': '', 'home/.keep': ''};
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), {recursive: true});
    await writeFile(join(folder, name), text);
  }
  const host = createFolderHost({
    folder: join(folder, 'notes'),
    accepts: (token) => tools.sessionOf(token) !== null,
  });
  const tools = new NoteToolServer({
    url: noteToolsUrl('http://notes.test'),
    fetch: (input, init) => host.fetch(new Request(input, init)),
  });
  const journal = await openSqliteJournal({file: ':memory:'});
  const bench = new RealBench(folder, model, tools, journal, profileOf(kit, folder), kit);
  context.after(async () => {
    model.release();
    await bench.sessions.stop();
    await tools.stop();
    await model.stop();
    await journal.close();
    await rm(folder, {recursive: true, force: true});
  });
  return bench;
}

function profileOf(kit: AgentKit, folder: string): Profile {
  const {name, runtimeType, bin, args, env, sessionsIn} = kit;
  const kept = sessionsIn === undefined ? {} : {[sessionsIn]: join(folder, 'sessions')};
  return {
    ...profileDefaults,
    name,
    runtimeType,
    bin,
    args,
    cwdRoots: [join(folder, 'work')],
    env: {PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home'), MOCK_KEY: 'mock', ...kept, ...env},
  };
}
