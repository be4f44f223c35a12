/** The demo’s server for tests. The demo is a project of its own, which the compiler checks apart: hence no static import. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

interface DemoServer {
  readonly port: number;
  close(): Promise<void>;
}

/** What a test asks of the server, and how it stops it. */
export interface Demo {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const {href} = new URL('../../../demo/server/index.ts', import.meta.url);
  const {serve} = (await import(href)) as {
    serve(options: {port: number; dataDir: string}): Promise<DemoServer>;
  };
  const dataDir = await mkdtemp(join(tmpdir(), 'hermes-demo-'));
  const server = await serve({port: 0, dataDir});
  const {port} = server;
  const close = async () => {
    await server.close();
    await rm(dataDir, {recursive: true, force: true});
  };
  return {close, get: (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, {headers})};
}
