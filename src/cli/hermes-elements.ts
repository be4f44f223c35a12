#!/usr/bin/env node
/** The `hermes-elements` command: the only file that touches `process`. */
import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {text} from 'node:stream/consumers';
import {CommandError} from './command-error.js';
import {fold} from './fold.js';
import type {ServeIo} from './serve.js';

type Command = (args: readonly string[], io: ServeIo) => Promise<void>;

const commands = {
  fold,
  // Loaded when asked for: folding a file needs no server.
  serve: async (args, io) => (await import('./serve.js')).serve(args, io),
  'cache-report': async (args, io) => (await import('./cache-report.js')).cacheReportCommand(args, io),
} satisfies Record<string, Command>;

const help = `hermes-elements: an AI agent's work, as one transcript

  hermes-elements fold [FILE…|-]    read recorded streams and print the transcript
  hermes-elements serve             serve ACP agents to pages
  hermes-elements cache-report      say how well an agent's model cache is used
  hermes-elements COMMAND --help    how to use a command
`;

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const io: ServeIo = {
  readFile: (path) => readFile(path, 'utf8'),
  readInput: () => text(process.stdin),
  write: (output) => void process.stdout.write(output),
  warn: (sentence) => void process.stderr.write(`hermes-elements: ${sentence}\n`),
  machine: {
    platform: process.platform,
    arch: process.arch,
    nodePath: process.execPath,
    home: homedir(),
    cwd: process.cwd(),
    env: process.env,
  },
  onStop(callback) {
    for (const signal of stopSignals) process.on(signal, callback);
    return () => {
      for (const signal of stopSignals) process.off(signal, callback);
    };
  },
  endNow: () => process.exit(1),
};

// Whoever reads our output may have seen enough (`| head`); that is no error of theirs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

async function run([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) throw new CommandError('usage', `Name a command.\n\n${help}`);
  if (name === '--help' || name === '-h' || name === 'help') return io.write(help);
  if (!isCommand(name)) {
    const known = Object.keys(commands).join(', ');
    throw new CommandError('usage', `There is no command ${name}; there is ${known}. See --help.`);
  }
  await commands[name](args, io);
}

function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  io.warn(error.message);
  process.exitCode = error.exitCode;
}
