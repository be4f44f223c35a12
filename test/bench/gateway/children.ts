/**
 * The processes of one measurement. They live and end together: when one of them ends by itself or does not answer, whoever
 * waits hears of it, and the others are ended, too.
 */
import {fork, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';

/** How long one of them may take to answer, in ms: 200 sessions are opened one after the other. */
const PATIENCE = 120_000;

export class Children {
  /** By the script of each. */
  readonly #children = new Map<ChildProcess, string>();
  readonly #broken: Promise<never>;
  #break!: (cause: Error) => void;
  #isEnding = false;

  constructor() {
    this.#broken = new Promise((_resolve, reject) => (this.#break = reject));
    // Whoever waits next hears of it.
    this.#broken.catch(() => {});
  }

  /** Starts a script in a process of its own. */
  start(script: string, ...given: readonly string[]): ChildProcess {
    const child = fork(script, given, {execArgv: ['--import', 'tsx'], serialization: 'advanced'});
    this.#children.set(child, script);
    child.on('error', (cause) => this.#break(cause));
    child.on('exit', (code, signal) => {
      if (!this.#isEnding) this.#break(new Error(`${script} ended by itself with ${code ?? signal}.`));
    });
    return child;
  }

  /** What a child says next; after a message, if there is one. */
  async ask<T>(child: ChildProcess, message?: object | string, ms = PATIENCE): Promise<T> {
    const answered = once(child, 'message') as Promise<[T]>;
    const lateness = new Error(`${this.#children.get(child)} did not answer within ${ms} ms.`);
    const timer = setTimeout(() => this.#break(lateness), ms);
    if (message !== undefined) child.send(message, (cause) => cause && this.#break(cause));
    try {
      const [answer] = await this.whole(answered);
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same, unless one of the processes ends before. */
  whole<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#broken]);
  }

  /** Ends them all. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#children.keys()].map(endOne));
  }
}

async function endOne(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Works with processes, which are ended whatever becomes of the work. */
export async function withChildren<T>(work: (children: Children) => Promise<T>): Promise<T> {
  const children = new Children();
  try {
    return await work(children);
  } finally {
    await children.end();
  }
}

/** In such a process: ends it when whoever started it is gone. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit(1));
}
