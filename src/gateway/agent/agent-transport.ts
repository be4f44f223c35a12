/** What carries an agent's bytes: a guarded process or a socket. Whoever holds it reads, writes and ends it. */
import type {Readable, Writable} from 'node:stream';
import type {Clock} from '../clock.js';
import {within} from './within.js';

export interface TransportEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface AgentTransport {
  /** To the agent. */
  readonly input: Writable;
  /** From the agent; nothing is lost before somebody reads. */
  readonly output: Readable;
  readonly stderr: Readable | null;
  /** Resolves once, when the far end is gone. Never rejects. */
  readonly ended: Promise<TransportEnd>;
  /** SIGTERM or SIGKILL to all of the agent; a socket has only one way to go. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Closes our ends of everything. What has not ended by now counts as ended. */
  release(): void;
}

/** How long the system may take to bury what was killed, in ms. */
const BURIAL = 1_000;

/** Ends an agent, gently first: the end of its input, SIGTERM, SIGKILL (acp.md E24, E25). `hard` hears that it was told. */
export async function end(
  transport: AgentTransport,
  graceMs: number,
  clock: Clock,
  hard: () => void = () => {},
): Promise<void> {
  transport.input.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await within(transport.ended, graceMs, clock)) return;
    hard();
    transport.signal(signal);
  }
  if (!(await within(transport.ended, BURIAL, clock))) transport.release();
}
