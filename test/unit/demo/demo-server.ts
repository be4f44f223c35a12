/** The demo's server for tests. The demo is a project of its own, which the compiler checks apart: hence no static import. */
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
  const {serve} = (await import(href)) as {serve(options: {port: number}): Promise<DemoServer>};
  const {port, close} = await serve({port: 0});
  return {close, get: (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, {headers})};
}
