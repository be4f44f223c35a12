/**
 * The gateway, put together: journal, profiles, tools, sessions, and the app in front of them.
 *
 * `agent stdio → ACP lines → recorder → journal → SSE frames`
 */
import {randomBytes} from 'node:crypto';
import {mkdir, readFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import type {AgentLimits} from './agent/agent.js';
import {reapLeftovers} from './agent/leftovers.js';
import {openAgent} from './agent/open-agent.js';
import {systemClock, type Clock} from './clock.js';
import {createApp, defaultBasePath, type App, type AppOptions} from './http/app.js';
import {interruptOpenRuns} from './journal/interrupt-open-runs.js';
import type {Journal} from './journal/journal.js';
import {openSqliteJournal} from './journal/sqlite-journal.js';
import {launch} from './launch.js';
import {ChosenProfiles} from './profiles/chosen-profiles.js';
import {thisMachine, type Machine} from './profiles/machine.js';
import {
  ConfigError,
  readProfileConfig,
  type ConfigSources,
  type ProfileConfig,
} from './profiles/profile-config.js';
import {Profiles} from './profiles/profiles.js';
import {Recorder} from './recorder.js';
import {Retention} from './retention.js';
import {Sessions} from './sessions/sessions.js';
import {SettledHistory} from './settled.js';
import {NoteToolServer, noteToolsUrl} from './tools/note-tool-server.js';
import type {ToolServer} from './tools/tool-host.js';

/** What a gateway is made of; all but `dataDir` has a default. */
export interface GatewayOptions extends Omit<
  AppOptions,
  'service' | 'journal' | 'tools' | 'clock' | 'onFault'
> {
  /** Where the journal is, and what agents leave; made for its owner alone when it is not there. */
  readonly dataDir: string;
  /** The config file; `config.json` of the data folder, if it is there, when not given. */
  readonly configFile?: string | undefined;
  /** The default profile, before what file and environment say. */
  readonly profile?: string | undefined;
  /** `full` survives the loss of power too. */
  readonly durable?: 'normal' | 'full' | undefined;
  /** Sessions nobody used for so many days are removed, at the start and once a day; null keeps all. 90 when not given. */
  readonly retentionDays?: number | null | undefined;
  /** Where host tools are called; from `MNOTE_WEB_URL` when not given. Or the host's own tool server. */
  readonly tools?: string | ToolServer | null | undefined;
  /** Another store than the SQLite file; it is closed with the gateway. */
  readonly journal?: Journal | undefined;
  readonly machine?: Machine | undefined;
  readonly clock?: Clock | undefined;
  /** Hears what went wrong on our side; `console.error` when not given. */
  readonly onFault?: ((fault: unknown) => void) | undefined;
}

export interface Gateway {
  /** The handler. `env` is what `@hono/node-server` gives. */
  fetch(this: void, request: Request, env?: object): Promise<Response>;
  /** Runs that an earlier gateway had left open, and processes of it that still lived. */
  readonly recovered: {readonly runs: number; readonly processes: number};
  /** The profile of new sessions where nobody has chosen, and why its agent cannot be had now; null when it can. */
  defaultProfile(): Promise<{readonly name: string; readonly reason: string | null}>;
  /** Streams open now. */
  readonly openStreams: number;
  /** No new runs, a terminal event for open ones, streams to their ends, agents ended, journal closed. */
  stop(): Promise<void>;
}

const agentLimits: AgentLimits = {startMs: 30_000, graceMs: 2000, maxLineBytes: 64 * 1024 * 1024};

/** How long readers have to take the end of their streams when the gateway stops, in ms. */
const PARTING = 3000;

/** Opens a gateway. Rejects with a `ConfigError` or a `JournalError`, which say what to do. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const {machine = thisMachine(), clock = systemClock, onFault = console.error} = options;
  const retention = new Retention({clock, days: options.retentionDays, onFault});
  const dataDir = resolve(options.dataDir);
  const work = join(dataDir, 'work');
  await mkdir(dataDir, {recursive: true, mode: 0o700});
  const chosen = await ChosenProfiles.open(join(dataDir, 'chosen-profiles.json'), onFault);
  const profiles = new Profiles(await readProfiles(options, machine, [work]), machine, clock, chosen);
  await mkdir(work, {recursive: true, mode: 0o700});
  const journal =
    options.journal ??
    (await openSqliteJournal({file: join(dataDir, 'journal.sqlite'), durable: options.durable ?? 'normal'}));
  const pidFolder = join(dataDir, 'agents');
  const recovered = await recover(journal, clock, pidFolder).catch(async (cause: unknown) => {
    await journal.close();
    throw cause;
  });
  const tools = toolsOf(options.tools, machine);
  const history = new SettledHistory(journal);
  const basePath = options.basePath ?? defaultBasePath;
  const service = new Sessions({
    ...{journal, profiles, tools, clock, openAgent, agentLimits, pidFolder, onFault},
    launch: (profile, cwd, session) => launch({profiles, machine, journal, dataDir}, {profile, cwd, session}),
    openRecorder: (recording) => new Recorder(recording),
    history: (session, window) => history.of(session, window),
    newId: () => randomBytes(12).toString('hex'),
    eventsUrl: (run) => `${basePath}/events/${encodeURIComponent(run)}`,
  });
  // After the runs of a dead gateway got their ends: those of old sessions, too, are no longer open.
  retention.start(journal, (session) => service.isInUse(session));
  const app = createApp({...options, service, journal, tools, clock, onFault});
  let stopped: Promise<void> | null = null;
  return {
    fetch: (request, env) => app.fetch(request, env),
    recovered,
    defaultProfile: async () => ({
      name: profiles.default.name,
      reason: (await profiles.locate(profiles.default)).reason,
    }),
    get openStreams() {
      return app.openStreams;
    },
    stop: () => (stopped ??= stop(app, service, tools, journal, retention)),
  };
}

// Each end is reached, whatever becomes of the one before it.
async function stop(
  app: App,
  service: Sessions,
  tools: ToolServer,
  journal: Journal,
  retention: Retention,
): Promise<void> {
  app.refuseNew();
  retention.stop();
  const ends = [
    () => service.stop(),
    () => app.endStreams(PARTING),
    () => tools.stop(),
    () => journal.close(),
  ];
  const failures: unknown[] = [];
  for (const end of ends) await end().catch((cause: unknown) => failures.push(cause));
  if (failures.length > 0) throw new AggregateError(failures, 'The gateway did not stop cleanly.');
}

async function recover(journal: Journal, clock: Clock, pidFolder: string): Promise<Gateway['recovered']> {
  await mkdir(pidFolder, {recursive: true, mode: 0o700});
  const processes = await reapLeftovers(pidFolder);
  return {processes, runs: (await interruptOpenRuns(journal, clock)).length};
}

async function readProfiles(
  {configFile, profile, dataDir}: GatewayOptions,
  machine: Machine,
  cwdRoots: readonly string[],
): Promise<ProfileConfig> {
  const file = await readConfig(configFile ?? join(dataDir, 'config.json'), configFile !== undefined);
  const config = readProfileConfig({file, cwdRoots, machine});
  if (profile === undefined) return config;
  if (!config.profiles.some(({name}) => name === profile)) {
    const known = config.profiles.map(({name}) => name).join(', ');
    throw new ConfigError(`There is no profile ${profile}; there is ${known}.`);
  }
  return {...config, defaultProfile: profile};
}

async function readConfig(path: string, isWanted: boolean): Promise<ConfigSources['file']> {
  try {
    return {text: await readFile(path, 'utf8'), name: path, folder: dirname(resolve(path))};
  } catch (cause) {
    const {code, message} = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isWanted) return null;
    const reason = code === 'ENOENT' ? 'there is no such file' : message;
    throw new ConfigError(`${path} cannot be read: ${reason}.`, {cause});
  }
}

function toolsOf(given: GatewayOptions['tools'], {env}: Machine): ToolServer {
  if (typeof given === 'object' && given !== null) return given;
  const web = env['MNOTE_WEB_URL'];
  const url = given === undefined && web ? noteToolsUrl(web) : (given ?? null);
  return new NoteToolServer({url});
}
