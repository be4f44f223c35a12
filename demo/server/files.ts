/** The files a browser may see: the demo's pages and what the build left in dist/. */
import {createReadStream, statSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {extname, join, sep} from 'node:path';
import {fileURLToPath} from 'node:url';

const pages = fileURLToPath(new URL('../pages/', import.meta.url));
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** These keep what the README promises; the others show what a page of any kind does. */
const strictPages: ReadonlySet<string> = new Set(
  ['index.html', 'strict.html'].map((name) => join(pages, name)),
);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** All that a page needs which shows transcripts and nothing else: what the README promises to run under. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types hermes-elements',
].join('; ');

/** Answers with the file at a path, or with 404. */
export function sendFile(path: string, response: ServerResponse): void {
  const file = fileAt(path);
  if (!file) {
    response.writeHead(404, {'content-type': 'text/plain; charset=utf-8'}).end('There is nothing here.\n');
    return;
  }
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    ...(strictPages.has(file) && {'content-security-policy': strictPolicy}),
  });
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

function fileAt(path: string): string | undefined {
  const [root, inside] = path.startsWith('/dist/') ? [dist, path.slice('/dist/'.length)] : [pages, path];
  const file = join(root, decodePath(inside === '/' ? '/index.html' : inside));
  if (!file.startsWith(root) || file.endsWith(sep)) return undefined;
  return statSync(file, {throwIfNoEntry: false})?.isFile() ? file : undefined;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll('\0', '');
  } catch {
    return path;
  }
}
