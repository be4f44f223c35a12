/** `hermes-elements serve`: the gateway on a socket of its own, until it is told to stop. */
import {inspect} from 'node:util';
import {
  ConfigError,
  JournalError,
  serveGateway,
  ServeError,
  type GatewayServer,
  type Machine,
} from '../gateway/index.js';
import {CommandError} from './command-error.js';
import type {CommandIo} from './command-io.js';
import {readServeOptions, serveHelp, type ServeCommand} from './serve-options.js';

/** What serving needs of the world beside. */
export interface ServeIo extends CommandIo {
  readonly machine: Machine;
  /** Calls back each time somebody asks the process to end, until it is told to leave. */
  onStop(callback: () => void): () => void;
  /** Ends the process at once. */
  endNow(): void;
}

/** Runs the command until it is stopped; what goes wrong in a way a person can mend is thrown as a `CommandError`. */
export async function serve(args: readonly string[], io: ServeIo): Promise<void> {
  const options = readServeOptions(args, io.machine);
  if (options === null) return io.write(serveHelp);
  // Whoever asks while we still start is heard too.
  let asked = 0;
  let stop = () => {};
  const stopping = new Promise<void>((resolve) => (stop = resolve));
  const leave = io.onStop(() => {
    if (++asked > 1) io.endNow();
    stop();
  });
  try {
    const server = await open(options, io);
    io.write(`ready ${server.url}\n`);
    await stopping;
    io.warn('stopping; once more ends at once.');
    await server.stop();
  } finally {
    leave();
  }
}

async function open(options: ServeCommand, io: ServeIo): Promise<GatewayServer> {
  try {
    const server = await serveGateway({
      ...options,
      machine: io.machine,
      onFault: (fault) => io.warn(inspect(fault)),
    });
    const {runs, processes} = server.gateway.recovered;
    if (runs > 0) io.warn(`marked ${runs} runs of an earlier gateway as interrupted.`);
    if (processes > 0) io.warn(`ended ${processes} agents of an earlier gateway.`);
    // It may come later, and readers may choose another: the gateway serves, and whoever started it knows.
    const {name, reason} = await server.gateway.defaultProfile();
    if (reason !== null) io.warn(`${name}, which new sessions get, cannot be used now: ${reason}`);
    return server;
  } catch (cause) {
    const isForPeople =
      cause instanceof ServeError || cause instanceof ConfigError || cause instanceof JournalError;
    if (isForPeople) throw new CommandError('failure', cause.message, {cause});
    throw fileError(cause, options);
  }
}

function fileError(cause: unknown, {dataDir}: ServeCommand): unknown {
  const {code} = cause as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTDIR' && code !== 'EEXIST') {
    return cause;
  }
  const message = `${dataDir} cannot be written. Choose another folder with --data.`;
  return new CommandError('failure', message, {cause});
}
