#!/usr/bin/env node
/** The `hermes-elements` command: the only file that touches `process`. */
import {readFile} from 'node:fs/promises';
import {text} from 'node:stream/consumers';
import {CommandError} from './command-error.js';
import type {CommandIo} from './command-io.js';
import {fold} from './fold.js';

const commands = {fold} satisfies Record<string, (args: readonly string[], io: CommandIo) => Promise<void>>;

const help = `hermes-elements: an AI agent's work, as one transcript

  hermes-elements fold [FILE…|-]    read recorded streams and print the transcript
  hermes-elements COMMAND --help    how to use a command
`;

const io: CommandIo = {
  readFile: (path) => readFile(path, 'utf8'),
  readInput: () => text(process.stdin),
  write: (output) => void process.stdout.write(output),
  warn: (sentence) => void process.stderr.write(`hermes-elements: ${sentence}\n`),
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
