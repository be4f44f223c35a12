/** An agent that listens already: its socket. What happens to its process is its owner's business. */
import {connect, type Socket} from 'node:net';
import {AgentError, type AgentLaunch} from './agent.js';
import type {AgentTransport, TransportEnd} from './agent-transport.js';

export type SocketLaunch = Extract<AgentLaunch, {connect: unknown}>;

/** Resolves when connected. Rejects with an `AgentError` when nobody answers. */
export async function openSocket(
  launch: SocketLaunch,
  options: {readonly signal: AbortSignal},
): Promise<AgentTransport> {
  const socket = connect({...launch.connect, noDelay: true, allowHalfOpen: true});
  const abandon = () => socket.destroy();
  options.signal.addEventListener('abort', abandon, {once: true});
  try {
    await connected(socket);
    return new AgentSocket(socket);
  } finally {
    options.signal.removeEventListener('abort', abandon);
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause?: unknown) =>
      reject(
        new AgentError('not-found', "Nothing answers at the agent's address. Start the agent first.", null, {
          cause,
        }),
      );
    socket.once('connect', resolve).on('error', refuse).once('close', refuse);
  });
}

class AgentSocket implements AgentTransport {
  readonly input: Socket;
  readonly output: Socket;
  readonly stderr = null;
  readonly ended: Promise<TransportEnd>;

  constructor(socket: Socket) {
    this.input = socket;
    this.output = socket;
    this.ended = new Promise((resolve) => {
      const end = () => resolve({code: null, signal: null});
      // Its end, and our reading of all before it; or a break.
      socket.once('end', end).once('close', end);
    });
  }

  signal(): void {
    this.input.destroy();
  }

  release(): void {
    this.input.destroy();
  }
}
