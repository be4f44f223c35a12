/**
 * `npm run page-life`: a live turn in a Chromium that is really frozen, hidden, cut off and put aside for the back button,
 * through its own protocol. The browser tests only dispatch those events. Prints what was seen; fails where a turn does
 * not end as undisturbed.
 */
import {createServer} from 'node:http';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {clearInterval, setInterval} from 'node:timers';
import {setTimeout as sleep} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {build} from 'esbuild';
import puppeteer from 'puppeteer-core';
import {root} from './bootstrap.mjs';
import {programOf} from './browsers.mjs';

/** How long between two frames, in ms, and after how many frames something happens. */
const PACE = 200;
const FRAMES_BEFORE = 6;
const AWAY = 2000;

const frames = readFileSync(join(root, 'test/fixtures/hermes-webui/02-reasoning-tools-answer.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const [RUN] = frames[0].id.split(':');
const seqOf = (id) => Number(String(id ?? '').split(':')[1] ?? 0);

const {outputFiles} = await build({
  entryPoints: [join(root, 'src/define.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  tsconfig: join(root, 'tsconfig.json'),
});
const page = (name) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title>
<script>
  const seen = [];
  for (const [target, type] of [[document, 'freeze'], [document, 'resume'], [document, 'visibilitychange'],
    [window, 'pagehide'], [window, 'pageshow'], [window, 'offline'], [window, 'online']])
    target.addEventListener(type, (event) => seen.push(type === 'visibilitychange' ? document.visibilityState
      : event.persisted ? type + ' (kept)' : type));
  addEventListener('hermes-connection-changed', ({connection: {phase, error}}) =>
    seen.push(phase + (error ? ' (' + error.code + ')' : '')));
</script>
<script type="module" src="/elements.js"></script>
<hermes-transcript src="/events/${RUN}?play=${name}"></hermes-transcript>`;

/** Every request for the stream: by play, the cursors that were asked for. */
const asked = new Map();
const server = createServer((request, response) => {
  const {pathname, searchParams} = new URL(request.url, 'http://localhost');
  if (pathname === '/elements.js')
    return response.writeHead(200, {'content-type': 'text/javascript'}).end(outputFiles[0].text);
  if (!pathname.startsWith('/events/'))
    return response
      .writeHead(200, {'content-type': 'text/html'})
      .end(pathname === '/elsewhere' ? '<!doctype html><title>Elsewhere</title>' : page(pathname.slice(1)));
  const play = searchParams.get('play');
  asked.set(play, [...(asked.get(play) ?? []), seqOf(request.headers['last-event-id'])]);
  response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'});
  const rest = frames.filter(({id}) => seqOf(id) > seqOf(request.headers['last-event-id']));
  const timer = setInterval(() => {
    const next = rest.shift();
    if (!next) return response.end();
    return response.write(`id: ${next.id}\nevent: ${next.event}\ndata: ${JSON.stringify(next.data)}\n\n`);
  }, PACE);
  return response.on('close', () => clearInterval(timer));
}).listen(0, '127.0.0.1');

const browser = await puppeteer.launch({
  executablePath: programOf('chromium'),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const address = (name) => `http://127.0.0.1:${server.address().port}/${name}`;

const happenings = {
  undisturbed: async () => undefined,
  async freeze(tab, protocol) {
    await protocol.send('Page.setWebLifecycleState', {state: 'frozen'});
    await sleep(AWAY);
    await protocol.send('Page.setWebLifecycleState', {state: 'active'});
  },
  async hide(tab) {
    const other = await browser.newPage();
    await other.bringToFront();
    await sleep(AWAY);
    await tab.bringToFront();
    await other.close();
  },
  async offline(tab, protocol) {
    const conditions = {latency: 0, downloadThroughput: -1, uploadThroughput: -1};
    await protocol.send('Network.enable');
    await protocol.send('Network.emulateNetworkConditions', {...conditions, offline: true});
    await sleep(AWAY);
    await protocol.send('Network.emulateNetworkConditions', {...conditions, offline: false});
  },
  async 'back button'(tab) {
    await tab.goto(address('elsewhere'));
    await sleep(AWAY);
    await tab.goBack();
  },
};

/** What the turn came to, told by the element. */
const outcome = (tab) =>
  tab.evaluate(`{
    const element = document.querySelector('hermes-transcript');
    const [{answer, items, terminal, status}, ...others] = element.snapshot.turns;
    ({answer, items, terminal, status, others: others.length, rows: element.renderedRows().length});
  }`);

let failed = 0;
let calm;
try {
  for (const [name, happen] of Object.entries(happenings)) {
    const tab = await browser.newPage();
    const errors = [];
    tab.on('pageerror', (error) => errors.push(String(error)));
    const play = name.replace(' ', '-');
    await tab.goto(address(play));
    const protocol = await tab.createCDPSession();
    await sleep(FRAMES_BEFORE * PACE);
    await happen(tab, protocol);
    await tab
      .waitForFunction(
        `document.querySelector('hermes-transcript').snapshot?.turns.at(-1)?.status === 'settled'`,
        {timeout: 30_000, polling: 50},
      )
      .catch((error) => errors.push(String(error)));
    const result = await outcome(tab);
    calm ??= result;
    const good = errors.length === 0 && isDeepStrictEqual(result, calm);
    if (!good) failed++;
    console.log(`${good ? 'ok    ' : 'FAILED'} ${name}: asked after ${asked.get(play).join(', ')}`);
    console.log(`       ${(await tab.evaluate('seen.join(" → ")')) || 'nothing happened'}`);
    for (const error of errors) console.log(`       ${error}`);
    await tab.close();
  }
} finally {
  await browser.close();
  server.close();
}
process.exitCode = failed > 0 ? 1 : 0;
