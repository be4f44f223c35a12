/** What can be typed after `hermes-elements serve`. */
import {join} from 'node:path';
import type {Machine} from '../gateway/index.js';
import {CommandError} from './command-error.js';
import {typedOptions} from './typed-options.js';

/** What was typed and set, understood. */
export interface ServeCommand {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly profile: string | undefined;
  readonly configFile: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly hosts: readonly string[];
  readonly durable: 'normal' | 'full';
  /** Null keeps sessions for ever; undefined as long as the gateway does by itself. */
  readonly retentionDays: number | null | undefined;
  readonly token: string | null;
}

const PORT = 8790;

export const serveHelp = `hermes-elements serve [options]

Serves ACP agents to pages, under /api/hermes/client. Prints where, and ends with Ctrl-C: open runs get their end.

  --port N          ${PORT} (default); 0 for any that is free
  --host H          127.0.0.1 (default); anywhere else a token is needed
  --data DIR        where sessions are kept, and config.json is looked for (default: this account's data folder)
  --config FILE     profiles and more; see docs/gateway.md
  --profile P       the agent that new sessions get, where the reader has not chosen another
  --keep DAYS       removes sessions that nobody used for so long: 90 (default), or forever
  --cors ORIGIN     a page of another origin that may use the gateway; may be repeated
  --allow-host NAME a name the gateway is reached by, beside those of this machine; may be repeated
  --durable full    survives the loss of power too; slower
  --help

  HERMES_ELEMENTS_TOKEN      what pages must send as "authorization: Bearer …"
  MNOTE_WEB_URL              the note app whose tools agents get
  MNOTE_WEB_ACP_RUNTIMES, MNOTE_WEB_ACP_DEFAULT_RUNTIME, MNOTE_WEB_HERMES_UPSTREAM_URL
                             which agents are offered; see docs/gateway.md

Ends with 1 when it cannot serve, with 2 when it was typed wrong.
`;

/** What the arguments and the environment ask for; null when they ask for help. */
export function readServeOptions(args: readonly string[], machine: Machine): ServeCommand | null {
  const values = parse(args);
  if (values.help) return null;
  const {host = '127.0.0.1', port, data, profile, config, cors = [], durable = 'normal'} = values;
  if (durable !== 'normal' && durable !== 'full') {
    throw new CommandError('usage', `--durable takes normal or full, not ${durable}.`);
  }
  return {
    host,
    port: readPort(port),
    dataDir: data ?? defaultDataDir(machine),
    profile,
    configFile: config,
    corsOrigins: cors.map(readOrigin),
    hosts: values['allow-host'] ?? [],
    durable,
    retentionDays: readDays(values.keep),
    token: machine.env['HERMES_ELEMENTS_TOKEN'] || null,
  };
}

function parse(args: readonly string[]) {
  return typedOptions('serve', args, {
    options: {
      port: {type: 'string'},
      host: {type: 'string'},
      data: {type: 'string'},
      config: {type: 'string'},
      profile: {type: 'string'},
      cors: {type: 'string', multiple: true},
      'allow-host': {type: 'string', multiple: true},
      durable: {type: 'string'},
      keep: {type: 'string'},
      help: {type: 'boolean', short: 'h'},
    },
  }).values;
}

function readPort(text: string | undefined): number {
  if (text === undefined) return PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65535) return port;
  throw new CommandError('usage', `--port takes a number from 0 to 65535, not ${text}.`);
}

function readDays(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'forever') return null;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new CommandError('usage', `--keep takes a number of days from 1 on, or forever, not ${text}.`);
}

function readOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null') return origin;
  throw new CommandError('usage', `--cors takes an origin such as https://notes.example, not ${text}.`);
}

/** Where an account's programs keep their data, as each system has it. */
function defaultDataDir({platform, home, env}: Machine): string {
  const base =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? env['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
        : env['XDG_DATA_HOME'] || join(home, '.local', 'share');
  return join(base, 'hermes-elements');
}
