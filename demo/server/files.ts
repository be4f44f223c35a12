/** The files a browser may see: the demo's pages, what the build left in dist/, and Temml for the formulas. */
import {createReadStream, statSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {extname, join, sep} from 'node:path';
import {fileURLToPath} from 'node:url';

const pages = fileURLToPath(new URL('../pages/', import.meta.url));
/** What does not stand among the pages, by the folder it is asked for in. */
const elsewhere: Readonly<Record<string, string>> = {
  dist: fileURLToPath(new URL('../../dist/', import.meta.url)),
  temml: fileURLToPath(new URL('../../node_modules/temml/dist/', import.meta.url)),
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
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

/**
 * Of a frame that draws, wherever it is opened: it can load its own files, and reach nothing else. They are named by the
 * address of the server: in a page that is sandboxed WebKit takes nothing for its own, and `'self'` would allow nothing.
 */
const framePolicy = [
  "default-src 'none'",
  'script-src ORIGIN',
  'style-src ORIGIN',
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

/** These keep what the README promises, one of them with a frame; the others show what a page of any kind does. */
const policies: ReadonlyMap<string, string> = new Map([
  [join(pages, 'index.html'), strictPolicy],
  [join(pages, 'strict.html'), strictPolicy],
  [join(pages, 'turns.html'), `${strictPolicy}; frame-src 'self'`],
  [join(pages, 'figures/flow-frame.html'), framePolicy],
]);

/** Answers with the file at a path, or with 404. */
export function sendFile(path: string, response: ServerResponse): void {
  const file = fileAt(path);
  if (!file) {
    response.writeHead(404, {'content-type': 'text/plain; charset=utf-8'}).end('There is nothing here.\n');
    return;
  }
  const policy = policies.get(file)?.replaceAll('ORIGIN', originOf(response));
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    ...(policy !== undefined && {'content-security-policy': policy}),
  });
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

function originOf({req}: ServerResponse): string {
  const {host = ''} = req.headers;
  return /^[\w.-]+(?::\d+)?$/.test(host) ? `http://${host}` : "'self'";
}

function fileAt(path: string): string | undefined {
  const [, folder = '', rest = ''] = /^\/(\w+)\/(.*)$/s.exec(path) ?? [];
  const [root, inside] = Object.hasOwn(elsewhere, folder) ? [elsewhere[folder]!, rest] : [pages, path];
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
