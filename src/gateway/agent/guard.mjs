/**
 * The guard: a small process between the gateway and one agent, which ends the agent's whole process group when the
 * gateway is gone, however it went.
 *
 * `gateway ═ lifeline ═ **guard** ─ process group of the agent`
 *
 * Plain JavaScript with checked types: it starts under plain `node`, from the sources as from dist/, at a third of what
 * a TypeScript loader costs; a test then runs the file that is shipped.
 *
 * The agent inherits the guard's stdin, stdout and stderr, which are the gateway's pipes: nothing here reads or writes
 * them, and the first two are let go. The fourth descriptor is the lifeline, a socket with one JSON object a line. Down come `{launch}`, once, and
 * `{signal}`; up go `{started}`, or `{failed}`, and `{exited}`. Its end means that the gateway is gone. A launch travels
 * there and not in arguments or variables, which other processes can read and Node would heed (NODE_OPTIONS).
 */
import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync} from 'node:fs';
import {Socket} from 'node:net';
import {devNull} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {MARK, processStart} from './process-identity.mjs';

/** From SIGTERM to SIGKILL once the gateway is gone, in ms: well inside the 5 s we promise. */
const GRACE = 2_000;

/**
 * @typedef {object} Launch
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Readonly<Record<string, string>>} env
 * @property {string} cwd
 * @property {string | null} pidFolder Where to leave word of the agent; see leftovers.ts.
 * @property {{readonly pid: number, readonly start: string | null}} owner The gateway.
 */

/**
 * What is left in the pid folder while an agent runs.
 *
 * @typedef {object} AgentWord
 * @property {number} pid Also the number of its process group.
 * @property {string | null} start
 * @property {string} mark
 * @property {{readonly pid: number, readonly start: string | null}} owner
 */

/**
 * @typedef {{readonly started: number}
 *   | {readonly failed: string}
 *   | {readonly exited: {readonly code: number | null, readonly signal: NodeJS.Signals | null}}} GuardNews
 */

const lifeline = new Socket({fd: 3, readable: true, writable: true});
/** @type {import('node:child_process').ChildProcess | null} */
let agent = null;
/** @type {string | null} */
let pidFile = null;
let ending = false;

lifeline.setEncoding('utf8');
let unread = '';
lifeline.on('data', (/** @type {string} */ text) => {
  const lines = (unread + text).split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) heed(JSON.parse(line));
});
lifeline.on('end', gatewayGone);
lifeline.on('close', gatewayGone);
// What cannot be told is told by the end of the lifeline.
lifeline.on('error', () => {});

// A terminal's signals are for the gateway, which ends its agents in order.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGHUP'])) process.on(signal, () => {});
process.on('SIGTERM', gatewayGone);
process.on('uncaughtException', (error) => {
  console.error('agent guard:', error);
  signalGroup('SIGKILL');
  process.exit(70);
});

/** @param {{readonly launch?: Launch, readonly signal?: NodeJS.Signals}} order */
function heed({launch, signal}) {
  if (launch) start(launch);
  if (signal) signalGroup(signal);
}

/** @param {Launch} launch */
function start({command, args, env, cwd, pidFolder, owner}) {
  if (!existsSync(cwd)) return leave({failed: 'ENOFOLDER'}, 1, null);
  const mark = randomUUID();
  try {
    // A group of its own, so that what the agent starts is reached with it.
    agent = spawn(command, args, {
      cwd,
      env: {...env, [MARK]: mark},
      detached: true,
      stdio: 'inherit',
      windowsHide: true,
    });
  } catch (error) {
    return leave({failed: codeOf(error)}, 1, null);
  }
  agent.once('error', (error) => agent?.pid === undefined && leave({failed: codeOf(error)}, 1, null));
  agent.once('exit', agentGone);
  const {pid} = agent;
  if (pid === undefined) return;
  letGo();
  if (pidFolder) pidFile = leaveWord(pidFolder, {pid, start: processStart(pid), mark, owner});
  tell({started: pid});
}

/** Gives the agent its pipes alone: a copy here would hide from the gateway that the agent closed one. */
function letGo() {
  for (const descriptor of [0, 1]) {
    closeSync(descriptor);
    // The lowest free number is the one just closed; nothing else may come to stand there.
    openSync(devNull, 'r+');
  }
}

/**
 * @param {string} folder
 * @param {AgentWord} word
 */
function leaveWord(folder, word) {
  const file = join(folder, `${word.pid}.json`);
  mkdirSync(folder, {recursive: true, mode: 0o700});
  writeFileSync(file, JSON.stringify(word), {mode: 0o600});
  return file;
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function agentGone(code, signal) {
  // What it left in its group: tools that still run, the real agent behind a wrapper.
  signalGroup('SIGKILL');
  if (pidFile) rmSync(pidFile, {force: true});
  leave({exited: {code, signal}}, code ?? 1, signal);
}

function gatewayGone() {
  if (ending) return;
  ending = true;
  if (!agent) process.exit(0);
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), GRACE);
}

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
  if (agent?.pid === undefined) return;
  try {
    if (process.platform === 'win32') endTree(agent.pid);
    else process.kill(-agent.pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

/**
 * Windows knows neither groups nor gentle signals.
 *
 * @param {number} pid
 */
function endTree(pid) {
  spawn('taskkill', ['/PID', String(pid), '/T', '/F'], {stdio: 'ignore', windowsHide: true});
}

/** @param {GuardNews} news */
function tell(news) {
  lifeline.write(`${JSON.stringify(news)}\n`);
}

/**
 * Tells the last news and ends as the agent did.
 *
 * @param {GuardNews} news
 * @param {number} code
 * @param {NodeJS.Signals | null} signal
 */
function leave(news, code, signal) {
  ending = true;
  const end = () => {
    lifeline.removeAllListeners('close');
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // A signal that would not end us still must.
    setTimeout(() => process.exit(1), 100);
  };
  if (!lifeline.writable) return end();
  lifeline.once('close', end);
  lifeline.end(`${JSON.stringify(news)}\n`, end);
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
