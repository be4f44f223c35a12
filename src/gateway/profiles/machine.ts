/** The machine: what is asked of the world to find a program, handed in so that tests can have another. */
import {constants} from 'node:fs';
import {access, realpath, stat} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {connect} from 'node:net';
import {homedir} from 'node:os';
import {upstreamRoot} from '../http-upstream/upstream-root.js';
import type {Profile} from './profile.js';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The Node that runs us. */
  readonly nodePath: string;
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The machine we run on. */
export function thisMachine(): Machine {
  const {platform, arch, execPath, env} = process;
  return {platform, arch, nodePath: execPath, home: homedir(), cwd: process.cwd(), env};
}

export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** How long a server may take to say that it is there, in ms: whoever lists the profiles waits for it. */
const ANSWERED_WITHIN = 1500;

/** Whether anything listens at an address. It is called and hung up on, with nothing said. */
export function isListening(address: NonNullable<Profile['connect']>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({...address, timeout: ANSWERED_WITHIN});
    const say = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', say(true)).once('timeout', say(false)).on('error', say(false));
  });
}

/** Whether anything answers HTTP at an address, whatever it says. */
export async function isAnswered(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWERED_WITHIN);
    const response = await fetch(`${upstreamRoot(url)}/health`, {
      signal,
      redirect: 'manual',
    });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** A path with its links followed; the path itself where that fails. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

/** A file of a package, as Node finds it from a place; null where it is not installed. */
export function resolveFrom(place: string, file: string): string | null {
  try {
    return createRequire(place).resolve(file);
  } catch {
    return null;
  }
}
