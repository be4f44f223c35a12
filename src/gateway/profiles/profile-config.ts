/** The config file: profiles as a person writes them, checked field by field; `docs/gateway.md` describes it. */
import {isAbsolute, resolve, sep} from 'node:path';
import {z} from 'zod';
import {builtInNames, profileDefaults, runtimes} from './built-in.js';
import type {Machine} from './machine.js';
import type {Profile} from './profile.js';

/** The configuration cannot be used; the sentence names the field. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What was configured, with everything filled in. */
export interface ProfileConfig {
  /** In the order in which they are offered. */
  readonly profiles: readonly Profile[];
  readonly defaultProfile: string;
}

const name = z.string().regex(/^[\w.-]{1,64}$/, 'expected letters, digits, dots, dashes and underscores');
const variable = z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable');
const milliseconds = z.int().min(0).max(86_400_000);
const address = z
  .string()
  .regex(/^https?:\/\/[^\s]+$/, 'expected an address that begins with http:// or https://');

const profileEntry = z.strictObject({
  name,
  runtimeType: z.enum(['demo', 'hermes', 'reasonix', 'generic', 'hermes_http']).exactOptional(),
  bin: z.string().min(1).max(4096).exactOptional(),
  args: z.array(z.string().max(4096)).max(100).exactOptional(),
  connect: z
    .union(
      [
        z.strictObject({host: z.string().default('127.0.0.1'), port: z.int().min(1).max(65535)}),
        z.strictObject({path: z.string().min(1)}),
      ],
      {error: 'expected {"port": …}, {"host": …, "port": …} or {"path": …}'},
    )
    .exactOptional(),
  cwdRoots: z.array(z.string().min(1)).min(1).max(100).exactOptional(),
  env: z.record(variable, z.string()).exactOptional(),
  apiKeyEnv: variable.exactOptional(),
  models: z.array(z.string().min(1).max(200)).max(500).exactOptional(),
  defaultModel: z.string().min(1).max(200).exactOptional(),
  policy: z.enum(['ask', 'allow-reads', 'allow-all', 'deny']).exactOptional(),
  maxConcurrentSessions: z.int().min(1).max(1000).exactOptional(),
  timeouts: z
    .strictObject({
      start: milliseconds.exactOptional(),
      idle: milliseconds.exactOptional(),
      permission: milliseconds.nullable().exactOptional(),
      grace: milliseconds.exactOptional(),
      cancel: milliseconds.exactOptional(),
      keep: milliseconds.exactOptional(),
    })
    .exactOptional(),
  upstreamUrl: address.exactOptional(),
});

const configFile = z.strictObject({
  profiles: z.array(profileEntry).max(100).default([]),
  defaultProfile: name.exactOptional(),
  /** Where sessions may work, for profiles that say nothing of it. */
  cwdRoots: z.array(z.string().min(1)).min(1).max(100).exactOptional(),
});

type Entry = z.output<typeof profileEntry>;

export interface ConfigSources {
  /** The file's text and its name for sentences; null without a file. */
  readonly file: {readonly text: string; readonly name: string; readonly folder: string} | null;
  /** Where sessions work when nothing else is said. */
  readonly cwdRoots: readonly string[];
  readonly machine: Machine;
}

/** The profiles: the file's, then those built in, then what the environment says of both. */
export function readProfileConfig({file, cwdRoots, machine}: ConfigSources): ProfileConfig {
  const written = file ? check(configFile, parse(file.text, file.name), file.name) : {profiles: []};
  const folder = file?.folder ?? machine.cwd;
  const roots = (written.cwdRoots ?? cwdRoots).map((root) => wholePath(root, folder, machine));
  const toProfile = (entry: Entry): Profile => profileOf(entry, roots, folder, machine);
  const known = new Map(builtInNames.map((each) => [each as string, toProfile({name: each})]));
  const upstream = machine.env['MNOTE_WEB_HERMES_UPSTREAM_URL'];
  if (upstream) {
    check(address, upstream, 'MNOTE_WEB_HERMES_UPSTREAM_URL');
    // The name that Hermes itself reads its key by.
    const key = machine.env['API_SERVER_KEY'] ? {apiKeyEnv: 'API_SERVER_KEY'} : {};
    known.set('hermes_http', toProfile({name: 'hermes_http', upstreamUrl: upstream, ...key}));
  }
  const own = new Map<string, Profile>();
  written.profiles.forEach((entry, index) => {
    if (own.has(entry.name))
      throw new ConfigError(`${file!.name}: profiles.${index}.name: ${entry.name} stands there twice.`);
    own.set(entry.name, toProfile(entry));
  });
  // A profile with a built-in name takes its place; the file's own come first.
  const all = new Map([...own, ...[...known].filter(([each]) => !own.has(each))]);
  const offered = runtimesOfEnvironment(machine, all, toProfile);
  const first = machine.env['MNOTE_WEB_ACP_DEFAULT_RUNTIME'];
  const asked = first || (written.defaultProfile ?? null);
  if (asked !== null && !offered.some((profile) => profile.name === asked)) {
    const field = first ? 'MNOTE_WEB_ACP_DEFAULT_RUNTIME' : `${file!.name}: defaultProfile`;
    throw new ConfigError(`${field}: there is no profile ${asked}; there is ${namesOf(offered)}.`);
  }
  const fallback = own.size > 0 ? offered[0]! : (offered.find(({name}) => name === 'demo') ?? offered[0]!);
  return {profiles: offered, defaultProfile: asked ?? fallback.name};
}

/** `MNOTE_WEB_ACP_RUNTIMES`: which profiles are offered, in order. Names with commas, or JSON of names and profiles. */
function runtimesOfEnvironment(
  {env}: Machine,
  known: ReadonlyMap<string, Profile>,
  toProfile: (entry: Entry) => Profile,
): readonly Profile[] {
  const variableName = 'MNOTE_WEB_ACP_RUNTIMES';
  const text = env[variableName]?.trim();
  if (!text) return [...known.values()];
  const items = text.startsWith('[')
    ? check(z.array(z.union([name, profileEntry])).min(1), parse(text, variableName), variableName)
    : text.split(',').map((item) => item.trim());
  return items.map((item) => {
    if (typeof item !== 'string') return toProfile(item);
    const profile = known.get(item);
    if (profile) return profile;
    throw new ConfigError(
      `${variableName}: there is no profile ${item}; there is ${namesOf([...known.values()])}.`,
    );
  });
}

function profileOf(entry: Entry, roots: readonly string[], folder: string, machine: Machine): Profile {
  const named = Object.keys(runtimes).find((each) => each === entry.name) as
    Profile['runtimeType'] | undefined;
  const runtimeType = entry.runtimeType ?? named ?? 'generic';
  const whole = (path: string) => wholePath(path, folder, machine);
  return {
    ...profileDefaults,
    ...runtimes[runtimeType].defaults,
    ...entry,
    runtimeType,
    timeouts: {...profileDefaults.timeouts, ...runtimes[runtimeType].defaults.timeouts, ...entry.timeouts},
    cwdRoots: entry.cwdRoots?.map(whole) ?? roots,
    ...(entry.bin !== undefined && {bin: isPath(entry.bin) ? whole(entry.bin) : entry.bin}),
  };
}

function isPath(text: string): boolean {
  return text.includes('/') || text.includes(sep);
}

/** A path as written: `~` is the home folder, what is relative stands beside the file. */
function wholePath(path: string, folder: string, {home}: Machine): string {
  if (path === '~') return home;
  if (/^~[\\/]/.test(path)) return resolve(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(folder, path);
}

function namesOf(profiles: readonly Profile[]): string {
  return profiles.map((profile) => profile.name).join(', ');
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ConfigError(`${where} is not JSON: ${(cause as Error).message}.`, {cause});
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const {success, data, error} = schema.safeParse(value);
  if (success) return data;
  const {path, message} = error.issues[0]!;
  throw new ConfigError([where, ...(path.length > 0 ? [path.join('.')] : []), `${message}.`].join(': '));
}
