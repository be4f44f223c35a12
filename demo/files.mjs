/** Serves the project's files on loopback, for as long as the demo has no server of its own. */
import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {once} from 'node:events';
import {extname, join, normalize} from 'node:path';
import {root} from '../test/bootstrap.mjs';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
};

export async function serve({port}) {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server.address();
}

async function answer(request, response) {
  const {pathname} = new URL(request.url, 'http://localhost');
  const file = join(root, normalize(pathname === '/' ? '/demo/index.html' : decodeURIComponent(pathname)));
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return response.writeHead(404).end('Not here.');
  response.writeHead(200, {'content-type': types[extname(file)] ?? 'application/octet-stream'});
  createReadStream(file).pipe(response);
}
