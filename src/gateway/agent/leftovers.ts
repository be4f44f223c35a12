/** Leftovers: agents whose gateway and guard are both gone. They are found by the word their guard left, and ended. */
import {existsSync} from 'node:fs';
import {readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {AgentWord} from './guard.mjs';
import {isObject} from './json-rpc.js';
import {MARK, processStart} from './process-identity.mjs';

/**
 * Ends what earlier gateways left, before this one starts agents of its own; says how many processes that were. A process is
 * known by its start or by the mark in its environment, never by its number alone. Agents of a gateway that lives are left
 * alone.
 */
export async function reapLeftovers(pidFolder: string): Promise<number> {
  let reaped = 0;
  for (const name of await wordsIn(pidFolder)) {
    const file = join(pidFolder, name);
    const word = readWord(await readFile(file, 'utf8').catch(() => ''));
    if (word && processStart(word.owner.pid) === word.owner.start && word.owner.start !== null) continue;
    if (word) reaped += await endAll(word);
    await rm(file, {force: true});
  }
  return reaped;
}

async function wordsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d+\.json$/.test(name));
}

/** Null for a file that was cut short or is not ours. */
function readWord(text: string): AgentWord | null {
  try {
    const word = JSON.parse(text) as unknown;
    const whole =
      isObject(word) && isPid(word['pid']) && isObject(word['owner']) && typeof word['mark'] === 'string';
    return whole ? (word as unknown as AgentWord) : null;
  } catch {
    return null;
  }
}

/** 0 and 1 would be a signal to everybody. */
const isPid = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 1;

async function endAll({pid, start, mark}: AgentWord): Promise<number> {
  const marked = await markedProcesses(mark);
  const leaderLives = start !== null && processStart(pid) === start;
  // The group goes with its leader; who left the group still has the mark.
  if (leaderLives) kill(-pid);
  for (const descendant of marked) kill(descendant);
  return new Set([...(leaderLives ? [pid] : []), ...marked]).size;
}

/** Processes with the mark, where the system shows environments (Linux). Read anew by number and mark, then killed at once. */
async function markedProcesses(mark: string): Promise<readonly number[]> {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = (await readdir('/proc')).map(Number).filter((pid) => isPid(pid) && pid !== process.pid);
  const marks = await Promise.all(pids.map((pid) => hasMark(pid, mark)));
  return pids.filter((_, at) => marks[at]);
}

async function hasMark(pid: number, mark: string): Promise<boolean> {
  try {
    const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
    return variables.includes(`${MARK}=${mark}`);
  } catch {
    // Another user's, or gone.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
