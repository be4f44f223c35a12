/** An agent as a process of ours, under its guard (guard.mjs). */
import {spawn, type ChildProcess} from 'node:child_process';
import {rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {Duplex, Readable, Writable} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {AgentError, type AgentLaunch} from './agent.js';
import type {AgentTransport, TransportEnd} from './agent-transport.js';
import type {GuardNews, Launch} from './guard.mjs';
import {processStart} from './process-identity.mjs';

export type ProcessLaunch = Extract<AgentLaunch, {command: string}>;

/** Beside this file, in src/ as in dist/. */
const guardFile = fileURLToPath(new URL('./guard.mjs', import.meta.url));

/** Resolves when the agent's program runs. Rejects with an `AgentError` and leaves nothing when it cannot. */
export async function startProcess(
  launch: ProcessLaunch,
  options: {readonly pidFolder: string | null; readonly signal: AbortSignal},
): Promise<AgentTransport> {
  const guarded = new GuardedProcess(launch, options.pidFolder);
  const abandon = () => guarded.abandon();
  options.signal.addEventListener('abort', abandon, {once: true});
  try {
    await guarded.started;
    return guarded;
  } catch (error) {
    guarded.release();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', abandon);
  }
}

class GuardedProcess implements AgentTransport {
  readonly input: Writable;
  readonly output: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<TransportEnd>;
  readonly started: Promise<void>;
  readonly #guard: ChildProcess;
  readonly #lifeline: Duplex;
  readonly #pidFolder: string | null;
  #agent: {readonly pid: number; readonly start: string | null} | null = null;
  #end: TransportEnd | null = null;
  #failure: string | null = null;
  #giveUp = () => {};

  constructor(launch: ProcessLaunch, pidFolder: string | null) {
    this.#pidFolder = pidFolder;
    // Detached: a Ctrl-C in our terminal must not reach guard and agent before we have ended our runs.
    const guard = spawn(process.execPath, [guardFile], {
      detached: true,
      env: guardEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#guard = guard;
    this.input = guard.stdin;
    this.output = guard.stdout;
    this.stderr = guard.stderr;
    this.#lifeline = guard.stdio[3] as Duplex;
    // An agent that is gone is told by `ended`; a pipe that breaks on the way there must not end us (EPIPE).
    for (const stream of [this.input, this.output, this.stderr, this.#lifeline]) stream.on('error', () => {});

    const news = this.#readNews();
    const gone = new Promise<void>((resolve) => {
      guard.once('exit', () => resolve());
      guard.once('error', (error: NodeJS.ErrnoException) => {
        this.#failure = error.code ?? 'unknown';
        resolve();
      });
    });
    this.ended = Promise.race([
      Promise.all([gone, news]).then(() => this.#end ?? this.#guardLost()),
      new Promise<TransportEnd>((resolve) => {
        this.#giveUp = () => resolve({code: null, signal: null});
      }),
    ]);
    this.started = new Promise((resolve, reject) => {
      this.#lifeline.once('started', resolve);
      void this.ended.then(() => reject(failure(this.#failure, launch.command)));
    });
    this.#send({
      launch: {
        command: launch.command,
        args: launch.args,
        env: launch.env,
        cwd: launch.cwd,
        pidFolder,
        owner: {pid: process.pid, start: processStart(process.pid)},
      },
    });
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    // The guard is the agent's parent: it alone cannot hit a later process of the same number.
    this.#send({signal});
  }

  /** Ends a guard whose agent is no longer wanted, started or not: the end of its lifeline tells it. */
  abandon(): void {
    this.#failure ??= 'ABANDONED';
    this.#lifeline.destroy();
    this.#guard.kill('SIGTERM');
  }

  release(): void {
    for (const stream of [this.input, this.output, this.stderr, this.#lifeline]) stream.destroy();
    this.#giveUp();
  }

  /** Resolves at the end of the lifeline. */
  #readNews(): Promise<void> {
    let unread = '';
    this.#lifeline.setEncoding('utf8');
    this.#lifeline.on('data', (text: string) => {
      const lines = (unread + text).split('\n');
      unread = lines.pop() ?? '';
      for (const line of lines) this.#hear(JSON.parse(line) as GuardNews);
    });
    return new Promise((resolve) => this.#lifeline.once('close', () => resolve()));
  }

  #hear(news: GuardNews): void {
    if ('started' in news) {
      this.#agent = {pid: news.started, start: processStart(news.started)};
      this.#lifeline.emit('started');
    } else if ('failed' in news) {
      this.#failure = news.failed;
    } else {
      this.#end = news.exited;
    }
  }

  /** Somebody killed the guard: its agent is ours to end. */
  #guardLost(): TransportEnd {
    if (this.#agent) {
      const {pid, start} = this.#agent;
      if (start !== null && processStart(pid) === start) killGroup(pid);
      if (this.#pidFolder) rmSync(join(this.#pidFolder, `${pid}.json`), {force: true});
    }
    return {code: null, signal: this.#guard.signalCode};
  }

  #send(order: {readonly launch?: Launch; readonly signal?: 'SIGTERM' | 'SIGKILL'}): void {
    if (this.#lifeline.writable) this.#lifeline.write(`${JSON.stringify(order)}\n`);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** What Node itself needs to run; the agent's own environment goes down the lifeline. */
function guardEnvironment(): NodeJS.ProcessEnv {
  const {SystemRoot, PATH} = process.env;
  return {...(PATH === undefined ? {} : {PATH}), ...(SystemRoot === undefined ? {} : {SystemRoot})};
}

const sentences: Readonly<Record<string, (program: string) => string>> = {
  ENOENT: (program) => `There is no program "${program}". Install it, or name it in the profile's bin.`,
  EACCES: (program) => `The program "${program}" may not be run. Make it executable.`,
  EPERM: (program) => `The program "${program}" may not be run. Make it executable.`,
  EINVAL: (program) =>
    `"${program}" is a script of a shell. Name the program behind it in the profile's bin.`,
  ENOFOLDER: () => 'The working folder does not exist. Create it, or choose another.',
  ABANDONED: (program) => `"${program}" was not waited for any longer.`,
};

/** Only the program's name is told: its path is nobody's business. */
function failure(code: string | null, command: string): AgentError {
  const program = basename(command);
  const sentence =
    sentences[code ?? '']?.(program) ?? `"${program}" could not be started (${code ?? 'its guard ended'}).`;
  return new AgentError('not-found', sentence);
}
