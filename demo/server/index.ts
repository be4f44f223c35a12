/**
 * The demo's server: notes with an agent beside them, its other pages, the built files, and the recordings and ten invented
 * turns as real event streams. Loopback only.
 */
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {sendFile} from './files.js';
import {openNotes} from './notes.js';
import {createPlayer} from './player.js';
import {sendTurns} from './turns.js';

/** A server that is listening. */
export interface DemoServer {
  readonly port: number;
  /** Stops listening and lets go of every connection. */
  close(): Promise<void>;
}

/** Serves the demo on 127.0.0.1; port 0 takes any free one. Notes and conversations are kept in the data folder. */
export async function serve({
  port,
  dataDir,
}: {
  readonly port: number;
  readonly dataDir: string;
}): Promise<DemoServer> {
  const player = createPlayer();
  const notes = await openNotes(dataDir);
  const server = createServer((request, response) => {
    if (notes.handle(request, response)) return;
    if (!isRead(request, response) || player(request, response) || sendTurns(request, response)) return;
    sendFile(new URL(`http://localhost${request.url}`).pathname, response);
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    await notes.stop();
    throw cause;
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      // Asked for first: without connections it is closed before the agents have ended.
      const closed = once(server, 'close');
      server.close();
      await notes.stop();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isRead({method}: IncomingMessage, response: ServerResponse): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  response.writeHead(405, {allow: 'GET, HEAD'}).end();
  return false;
}
