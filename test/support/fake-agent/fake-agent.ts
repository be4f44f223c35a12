/** Runs the fake agent of fake-agent.mjs: its launch, where it is, what it heard, and when all of it is dead. */
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const program = fileURLToPath(new URL('./fake-agent.mjs', import.meta.url));

/** One step: an object with one name of the table in README.md. */
export type Step = Readonly<Record<string, unknown>>;

export interface Scenario {
  /** Before it reads anything. */
  readonly start?: readonly Step[];
  /** What it does for a method: steps, or a list of steps a call, the last of which stays. */
  readonly on?: Readonly<Record<string, readonly Step[] | readonly (readonly Step[])[]>>;
  /** Fields of the usual answer to `initialize`. */
  readonly initialize?: object;
  /** A prompt during a prompt: by default it waits, unanswered, until the first has ended. */
  readonly busy?: 'refuse' | 'parallel';
  readonly ignoreEof?: boolean;
  readonly ignoreSigterm?: boolean;
  /** Never reads its stdin. */
  readonly deaf?: boolean;
  /** Listens on a port (true: any), or at a path, instead of stdio. */
  readonly listen?: true | string;
}

/** What the agent, or a child of it, told: `started`, `received`, `answer`, `eof`, `sigterm`, or a label of the scenario. */
export interface Report {
  readonly role: string;
  readonly pid: number;
  readonly label: string;
  readonly value?: unknown;
}

export class FakeAgent {
  readonly launch: {command: string; args: string[]; env: Record<string, string>; cwd: string};
  /** A folder of its own, gone with `close`. */
  readonly folder: string;
  readonly reports: Report[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #listeners = new Set<() => void>();

  constructor(folder: string, server: Server, launch: FakeAgent['launch']) {
    this.folder = folder;
    this.#server = server;
    this.launch = launch;
    server.on('connection', (socket) => this.#hear(socket));
  }

  /** How many processes of it live. */
  get living(): number {
    return this.#sockets.size;
  }

  /** The first report of this label beyond those already taken by `reached`. */
  async reached(label: string, role?: string): Promise<Report> {
    for (;;) {
      const at = this.reports.findIndex(
        (report) =>
          report.label === label && (role === undefined || report.role === role) && !taken.has(report),
      );
      const report = this.reports[at];
      if (report) {
        taken.add(report);
        return report;
      }
      await this.#news();
    }
  }

  /** Every message it received from the client, so far. */
  get received(): readonly Record<string, unknown>[] {
    return this.reports
      .filter(({label}) => label === 'received')
      .map(({value}) => value as Record<string, unknown>);
  }

  /** Lets it go on from `{pause: label}`; before it came there, it will not wait. */
  release(label: string): void {
    for (const socket of this.#sockets) socket.write(`${label}\n`);
  }

  /** Resolves when every process of it is dead, children included. */
  async dead(): Promise<void> {
    while (this.#sockets.size > 0) await this.#news();
  }

  /** Kills what lives, and forgets. */
  async close(): Promise<void> {
    for (const pid of new Set(this.reports.map(({pid}) => pid))) if (this.#sockets.size > 0) kill(pid);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
    rmSync(this.folder, {recursive: true, force: true});
  }

  #hear(socket: Socket): void {
    this.#sockets.add(socket);
    let unread = '';
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (text: string) => {
      const lines = (unread + text).split('\n');
      unread = lines.pop() ?? '';
      for (const line of lines) this.reports.push(JSON.parse(line) as Report);
      this.#tell();
    });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#tell();
    });
  }

  #news(): Promise<void> {
    return new Promise((resolve) => this.#listeners.add(resolve));
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) {
      this.#listeners.delete(listener);
      listener();
    }
  }
}

const taken = new WeakSet<Report>();

/** A fake agent that waits to be launched: `openAgent(fake.launch, …)`. Close it at the end of the test. */
export async function fakeAgent(scenario: Scenario = {}): Promise<FakeAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'fake-agent-'));
  const control = join(folder, 'control');
  const server = createServer();
  const fake = new FakeAgent(folder, server, {
    command: process.execPath,
    args: [program, JSON.stringify(scenario)],
    env: {PATH: process.env['PATH'] ?? '', FAKE_AGENT_CONTROL: control},
    cwd: folder,
  });
  server.listen(control);
  await once(server, 'listening');
  return fake;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Dead already.
  }
}
