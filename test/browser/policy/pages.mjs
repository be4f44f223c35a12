/**
 * Pages that are hard to live in, for the policy tests: under a strict header, with another Lit, with hostile styles and
 * patched prototypes, in a sandbox. `/__policy__/page?…` is one of them; it tells what happened in it by `postMessage`,
 * since not every opener may look in.
 *
 *   file=…      script-tag files in order; `copy:` and `slow:` before a path make it a copy under another address, and
 *               `alone:` one that has no chunks beside it
 *   policies=…  names of Trusted Types policies the header allows
 *   before=…    scripts of this folder that run before ours; `after=…` behind ours
 *   css=…       a style sheet of this folder
 *   body=…      markup of the table below
 */
import {createReadStream, readFileSync} from 'node:fs';
import {join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const stream = JSON.parse(readFileSync(join(here, 'stream.json'), 'utf8'));

const bodies = {
  transcript: '<hermes-transcript src="/__policy__/events/run_1">Before upgrade.</hermes-transcript>',
  sanitized:
    '<hermes-transcript html="sanitize" src="/__policy__/events/run_1">Before upgrade.</hermes-transcript>',
  server: '<hermes-transcript base="/__policy__/server" session-id="s1"></hermes-transcript>',
  session: `<hermes-session id="one" src="/__policy__/events/run_1">
    <hermes-transcript mode="transparent-stream"></hermes-transcript><hermes-turn></hermes-turn>
  </hermes-session>
  <hermes-turn session="one" turn-id="run_1"></hermes-turn>`,
};

/** Our files run in an opaque origin too, where `'self'` may match nothing: the address is said as well. */
const header = (origin, policies) =>
  [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `style-src 'self' ${origin}`,
    `connect-src 'self' ${origin}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${policies}`,
  ].join('; ');

const list = (value) => [value ?? []].flat();

/** Where a file of the package is served; its chunks are found beside it. */
const address = (file) => {
  const [, way, path] = /^(?:(copy|slow|alone):)?(.*)$/.exec(file);
  return way ? `/__policy__/${way}${path}` : path;
};

const scriptTag = (file) =>
  `<script ${file.endsWith('.iife.js') || file.endsWith('.classic.js') ? '' : 'type="module" crossorigin'} src="${file}"></script>`;

const page = ({file, before, after, css, body = 'transcript'}) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Policy</title>
${list(css).map((name) => `<link rel="stylesheet" href="/__policy__/file/test/browser/policy/${name}">`)}
${[
  '/__policy__/file/test/browser/policy/watch.classic.js',
  ...list(before).map((name) => `/__policy__/file/test/browser/policy/${name}`),
  ...list(file).map(address),
  ...list(after),
]
  .map(scriptTag)
  .join('\n')}
<body>${bodies[body]}</body></html>`;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A file of the project as it stands, open to every origin. */
async function file(context, path, isSlow) {
  if (isSlow && /hermes-turn/.test(path)) await wait(400);
  context.set('access-control-allow-origin', '*');
  context.type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
  context.body = createReadStream(join(root, normalize(`/${path}`)));
}

/** A gateway with one turn that is over, and one that comes by its stream. */
async function gateway(context, path) {
  if (path === 'sessions/s1') {
    const turn = {id: 'r1', runIds: ['r1'], prompt: 'Hi', answer: 'Settled.', status: 'settled'};
    context.body = {
      transcript: {
        format: 'hermes.transcript.v1',
        session: {id: 's1', aliases: [], notices: []},
        turns: [{...turn, terminal: 'completed', evidence: 'settled'}],
      },
      cursor: 'r1:9',
      activeRunId: null,
      pendingPermissions: [],
    };
  } else {
    context.type = 'text/event-stream';
    context.body = [
      {event: 'run.started', turn_id: 't2', prompt: 'And?'},
      {event: 'message.delta', delta: 'Live.'},
      {event: 'run.completed', output: 'Live.', stop_reason: 'end_turn'},
    ]
      .map((event, index) => ({...event, run_id: 'r2', seq: index + 1, session_id: 's1', timestamp: 1}))
      .map((event) => `id: r2:${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
  }
}

export const policyPages = async (context, next) => {
  const [, kind, path = ''] = /^\/__policy__\/(\w+)(?:\/(.*))?$/.exec(context.path) ?? [];
  switch (kind) {
    case 'page':
      context.set(
        'content-security-policy',
        header(context.origin, context.query.policies ?? 'hermes-elements'),
      );
      context.type = 'text/html';
      context.body = page(context.query);
      return undefined;
    case 'events':
      context.set('access-control-allow-origin', '*');
      context.set('access-control-allow-headers', '*');
      context.type = 'text/event-stream';
      context.body = stream
        .map(
          ([name, data], index) =>
            `id: run_1:${index + 1}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
        )
        .join('');
      return undefined;
    case 'file':
    case 'copy':
      return file(context, path, false);
    case 'slow':
      return file(context, path, true);
    case 'alone':
      if (path.includes('/chunks/')) context.status = 404;
      else await file(context, path, false);
      return undefined;
    case 'server':
      return gateway(context, path);
    default:
      return next();
  }
};
