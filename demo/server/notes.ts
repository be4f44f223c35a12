/**
 * The notes page's server: a folder of Markdown notes, and the gateway through which an agent works on them. Both are the
 * package's own; this is all that a host has to write.
 */
import {existsSync} from 'node:fs';
import {cp, mkdir} from 'node:fs/promises';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {getRequestListener} from '@hono/node-server';
import {createFolderHost, createGateway, defaultBasePath, folderToolServer} from '../../src/gateway/index.js';

/** Notes and gateway, behind one handler. */
export interface NotesServer {
  /** Answers what is theirs; false for everything else. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  stop(): Promise<void>;
}

const samples = fileURLToPath(new URL('../notes/', import.meta.url));

/** Keeps notes, conversations and what agents leave in a folder. */
export async function openNotes(dataDir: string): Promise<NotesServer> {
  const folder = join(dataDir, 'notes');
  await mkdir(dataDir, {recursive: true, mode: 0o700});
  if (!existsSync(folder)) await cp(samples, folder, {recursive: true});
  const host = createFolderHost({folder});
  const gateway = await createGateway({
    dataDir,
    tools: folderToolServer(host),
    profile: 'demo',
    boundHost: '127.0.0.1',
  });
  // Streams write to the raw response, which the adapter gives as `env`.
  const toGateway = getRequestListener((request, env) => gateway.fetch(request, env));
  const toHost = getRequestListener((request) => host.fetch(request));
  return {
    handle(request, response) {
      const {pathname} = new URL(`http://localhost${request.url}`);
      if (isOfGateway(pathname)) void toGateway(request, response);
      else if (/^\/api\/(?:notes|note-events)(?:\/|$)/.test(pathname)) void toHost(request, response);
      else return false;
      return true;
    },
    async stop() {
      host.stop();
      await gateway.stop();
    },
  };
}

/** Runs of the gateway are `<session>.<n>`; a run without a dot is a recorded one, which the player streams. */
function isOfGateway(path: string): boolean {
  return path.startsWith(`${defaultBasePath}/`) && !/\/events\/[^./]+$/.test(path);
}
