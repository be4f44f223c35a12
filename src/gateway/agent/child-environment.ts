/** The environment of an agent: what it needs of ours, what its profile adds, its key. Nothing else of ours leaks to it. */
import type {Profile} from '../profiles/profile.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What programs need to find themselves, their user, their words and the network. */
const allowed = new Set([
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'LANGUAGE',
    'TZ',
    'TMPDIR',
    'TERM',
    'COLORTERM',
    'NO_COLOR',
  ],
  'HERMES_HOME',
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'no_proxy',
  ],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
]);

/** Windows' own, whose names have no case. */
const allowedOnWindows = new Set(
  [
    ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'OS', 'USERNAME'],
    ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ProgramFiles'],
    ...['ProgramFiles(x86)', 'CommonProgramFiles', 'PROCESSOR_ARCHITECTURE', 'NUMBER_OF_PROCESSORS'],
  ].map((name) => name.toUpperCase()),
);

const allowedPrefixes = ['LC_', 'XDG_'];

/** The whole environment for `AgentLaunch`. The profile's word stands over ours, its key over both. */
export function childEnvironment(
  ours: Environment,
  profile: Pick<Profile, 'env' | 'apiKeyEnv'>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && isAllowed(name, platform)) child[name] = value;
  }
  Object.assign(child, profile.env);
  const key =
    profile.apiKeyEnv === null ? undefined : (profile.env[profile.apiKeyEnv] ?? ours[profile.apiKeyEnv]);
  if (profile.apiKeyEnv !== null && key !== undefined) child[profile.apiKeyEnv] = key;
  return child;
}

function isAllowed(name: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') {
    const upper = name.toUpperCase();
    return allowedOnWindows.has(upper) || isAllowedName(upper);
  }
  return isAllowedName(name);
}

const isAllowedName = (name: string) =>
  allowed.has(name) || allowedPrefixes.some((prefix) => name.startsWith(prefix));
