/** Built-in runtimes: what is known of each kind, and how its program is found. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {childEnvironment} from '../agent/child-environment.js';
import {findProgram} from './find-program.js';
import {isAnswered, isFile, isListening, realPath, resolveFrom, type Machine} from './machine.js';
import type {Profile, RuntimeType} from './profile.js';
import type {AgentPlace, Availability} from './profile-registry.js';

/** What a profile has where its entry says nothing. */
export const profileDefaults: Omit<Profile, 'name' | 'runtimeType' | 'cwdRoots'> = {
  bin: null,
  args: [],
  connect: null,
  env: {},
  apiKeyEnv: null,
  models: [],
  defaultModel: null,
  policy: 'ask',
  maxConcurrentSessions: 10,
  timeouts: {
    start: 30_000,
    idle: 300_000,
    permission: 1_800_000,
    grace: 300,
    cancel: 5000,
    keep: 600_000,
  },
  upstreamUrl: null,
};

interface Runtime {
  readonly defaults: Partial<Profile>;
  /** Where its agent is, or why it is not there: a sentence. */
  find(profile: Profile, machine: Machine): Promise<AgentPlace | string>;
  /** What it needs beside its program and does not seem to have: a sentence. */
  lacks?(profile: Profile, machine: Machine): Promise<string | null>;
}

/** Every kind of runtime. */
export const runtimes = {
  demo: {defaults: {}, find: (_profile, machine) => Promise.resolve(demoAgent(machine))},
  hermes: {
    defaults: {bin: 'hermes', args: ['acp']},
    find: (profile, machine) =>
      onPath(profile, machine, 'Install Hermes Agent, or give its place as "bin" of a profile.'),
  },
  reasonix: {
    defaults: {bin: 'reasonix', args: ['acp']},
    find: findReasonix,
    lacks: modelOfReasonix,
  },
  generic: {
    defaults: {},
    find: (profile, machine) => onPath(profile, machine, 'Install it, or correct "bin" of the profile.'),
  },
  hermes_http: {
    // Hermes takes up to 5 s to stop a run.
    defaults: {timeouts: {...profileDefaults.timeouts, cancel: 10_000}},
    find: findUpstream,
  },
} satisfies Record<RuntimeType, Runtime> as Readonly<Record<RuntimeType, Runtime>>;

/** The runtimes offered without any configuration. */
export const builtInNames = ['demo', 'hermes', 'reasonix'] as const satisfies readonly RuntimeType[];

/** Where the agent of a profile is, or why it is not there, or cannot be expected to answer. */
export async function findAgent(profile: Profile, machine: Machine): Promise<Availability> {
  const found = await placeOf(profile, machine);
  if (typeof found === 'string') return {available: false, place: null, reason: found};
  const reason = 'command' in found ? await runtimes[profile.runtimeType].lacks?.(profile, machine) : null;
  return reason ? {available: false, place: found, reason} : {available: true, place: found, reason: null};
}

async function placeOf(profile: Profile, machine: Machine): Promise<AgentPlace | string> {
  const {name, connect, apiKeyEnv} = profile;
  if (apiKeyEnv !== null && !machine.env[apiKeyEnv]) {
    return `${name} needs its key in ${apiKeyEnv}. Set this variable where the gateway is started, and restart it.`;
  }
  if (connect === null) return runtimes[profile.runtimeType].find(profile, machine);
  if (await isListening(connect)) return {connect};
  return `Nothing listens at the address of ${name}. Start the agent, or correct "connect" of the profile.`;
}

async function onPath(
  {name, bin, args}: Profile,
  machine: Machine,
  hint: string,
): Promise<AgentPlace | string> {
  if (bin === null) return `${name} names no program. Set "bin" or "connect" of the profile.`;
  const command = await findProgram(bin, machine);
  if (command !== null) return {command, args};
  // What readers see holds no path of this machine.
  const what = /[\\/]/.test(bin) ? `The program of ${name}` : `The program ${bin}`;
  return `${what} was not found where the gateway runs. ${hint}`;
}

// The launcher that npm installs waits in a blocking spawn and passes no signals on: its binary is started instead.
async function findReasonix(profile: Profile, machine: Machine): Promise<AgentPlace | string> {
  const hint = 'Install it with "npm install reasonix", or give its place as "bin" of a profile.';
  const found = await onPath(profile, machine, hint);
  if (profile.bin !== 'reasonix') return found;
  const {platform, arch, cwd} = machine;
  const binary = `@reasonix/cli-${platform}-${arch}/bin/reasonix${platform === 'win32' ? '.exe' : ''}`;
  const launcher = typeof found !== 'string' && 'command' in found ? await realPath(found.command) : null;
  for (const place of [launcher, join(cwd, 'package.json'), fileURLToPath(import.meta.url)]) {
    const command = place === null ? null : resolveFrom(place, binary);
    if (command !== null) return {command, args: profile.args};
  }
  return found;
}

/**
 * Reasonix has no model until a file says so: its own, or one in the folder it works in. Only these are looked for, not read; a
 * profile that brings a key or a program of its own may know better.
 */
async function modelOfReasonix(profile: Profile, machine: Machine): Promise<string | null> {
  const {name, bin, apiKeyEnv, cwdRoots} = profile;
  // Where it keeps its own file on Windows is not known to us.
  if (bin !== 'reasonix' || apiKeyEnv !== null || machine.platform === 'win32') return null;
  const env = childEnvironment(machine.env, profile, machine.platform);
  const home = env['REASONIX_HOME'] ?? join(env['HOME'] ?? machine.home, '.reasonix');
  const files = [join(home, 'config.toml'), ...cwdRoots.map((root) => join(root, 'reasonix.toml'))];
  if ((await Promise.all(files.map(isFile))).includes(true)) return null;
  return `${name} has no model yet. Run "reasonix setup" where the gateway runs, or put a reasonix.toml into the folder it works in.`;
}

/** Hermes as a server of somebody's: only that it answers can be seen from here. */
async function findUpstream({name, upstreamUrl}: Profile): Promise<AgentPlace | string> {
  if (upstreamUrl === null) return `${name} has no address. Set "upstreamUrl" of the profile.`;
  if (await isAnswered(upstreamUrl)) return {upstreamUrl};
  return `Hermes does not answer at the address of ${name}. Start it with its API server, or correct the address.`;
}

/** Our own agent, a program of this package; from sources it needs their loader. */
function demoAgent({nodePath}: Machine): AgentPlace | string {
  const [built, source] = ['main.js', 'main.ts'].map((name) =>
    fileURLToPath(new URL(`../demo-agent/${name}`, import.meta.url)),
  ) as [string, string];
  if (existsSync(built)) return {command: nodePath, args: [built]};
  const loader = existsSync(source) ? resolveFrom(source, 'tsx') : null;
  if (loader !== null) return {command: nodePath, args: ['--import', pathToFileURL(loader).href, source]};
  return 'The demo agent is not part of this installation. Install the package again.';
}
