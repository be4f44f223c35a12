/**
 * `npm run states`: pictures in dist/states/, in light and dark, for a person to look at: of every state of turns and
 * composers at three widths, and of the demo's ten turns, built and under its policy, at the widths of a phone and a
 * desk. `npm run states -- queue turns` takes only what is named.
 */
import {createServer} from 'node:http';
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import puppeteer from 'puppeteer-core';
import {register} from 'tsx/esm/api';
import {ensureBuilt, root} from './bootstrap.mjs';
import {programOf} from './browsers.mjs';

// The demo's server is TypeScript.
register();
const {sendFile} = await import('../demo/server/files.ts');
const {sendTurns} = await import('../demo/server/turns.ts');

const out = join(root, 'dist/states');
const wanted = process.argv.slice(2);
const wantsTurns = wanted.length === 0 || wanted.includes('turns');
const wantsStates = wanted.length === 0 || wanted.some((name) => name !== 'turns');
/** The ten turns, in their order. */
const turns = 'code table right-to-left cjk change terminal failing forty plan formula'.split(' ');

if (wantsTurns && !ensureBuilt()) process.exit(1);
rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});

await build({
  entryPoints: [join(root, 'test/browser/reading/states-page.ts')],
  outfile: join(out, 'page.js'),
  bundle: true,
  format: 'esm',
  tsconfig: join(root, 'tsconfig.json'),
});

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>States</title><link rel="stylesheet" href="/states.css"><body><script type="module" src="/page.js"></script>`;
const server = createServer(({url}, response) => {
  const [type, body] =
    url === '/page.js'
      ? ['text/javascript', readFileSync(join(out, 'page.js'))]
      : url === '/states.css'
        ? ['text/css', readFileSync(join(root, 'test/browser/reading/states.css'))]
        : ['text/html', page];
  response.writeHead(200, {'content-type': `${type}; charset=utf-8`}).end(body);
}).listen(0, '127.0.0.1');
const demo = createServer((request, response) => {
  if (!sendTurns(request, response)) sendFile(request.url, response);
}).listen(0, '127.0.0.1');

const browser = await puppeteer.launch({
  executablePath: programOf('chromium'),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--hide-scrollbars'],
});
try {
  if (wantsStates) {
    for (const scheme of ['light', 'dark', 'forced']) {
      for (const width of scheme === 'forced' ? [800] : [320, 800, 1280]) await shoot(scheme, width);
    }
  }
  if (wantsTurns) {
    for (const scheme of ['light', 'dark']) {
      for (const width of [360, 1200]) await shootTurns(scheme, width);
    }
  }
} finally {
  await browser.close();
  server.close();
  demo.close();
}

async function openTab(scheme, width) {
  const tab = await browser.newPage();
  tab.on('pageerror', (error) => console.error(String(error)));
  await tab.setViewport({width, height: 900});
  await tab.emulateMediaFeatures([
    {name: 'prefers-color-scheme', value: scheme === 'light' ? 'light' : 'dark'},
    {name: 'prefers-reduced-motion', value: 'reduce'},
  ]);
  if (scheme === 'forced') {
    const session = await tab.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', {features: [{name: 'forced-colors', value: 'active'}]});
  }
  return tab;
}

async function shoot(scheme, width) {
  const tab = await openTab(scheme, width);
  const {port} = server.address();
  await tab.goto(`http://127.0.0.1:${port}/?${wanted.join('&')}`);
  await tab.waitForSelector('body[data-ready]', {timeout: 60_000});
  const folder = join(out, `${scheme}-${width}`);
  mkdirSync(folder);
  for (const section of await tab.$$('section')) {
    const name = await section.evaluate(({id}) => id);
    await section.screenshot({path: join(folder, `${name}.png`)});
  }
  await tab.screenshot({path: join(out, `${scheme}-${width}.png`), fullPage: true});
  console.log(folder);
  await tab.close();
}

/** The page as it is found, and each turn with all that can be opened. */
async function shootTurns(scheme, width) {
  const tab = await openTab(scheme, width);
  await tab.goto(`http://127.0.0.1:${demo.address().port}/turns.html`);
  await tab.waitForFunction(areDrawn, {}, turns.length);
  // What is out of view is not drawn.
  await tab.setViewport({width, height: await tab.evaluate('document.documentElement.scrollHeight')});
  const name = `turns-${scheme}-${width}`;
  await tab.screenshot({path: join(out, `${name}.png`)});
  while (await tab.evaluate(openMore));
  await tab.setViewport({width, height: await tab.evaluate('document.documentElement.scrollHeight')});
  await tab.evaluate(inView);
  mkdirSync(join(out, name));
  for (const [index, turn] of (await tab.$$('hermes-transcript >>> hermes-turn')).entries())
    await turn.screenshot({
      path: join(out, name, `${String(index + 1).padStart(2, '0')}-${turns[index]}.png`),
      captureBeyondViewport: false,
    });
  console.log(join(out, name));
  await tab.close();
}

/* In the page. */
/* global document */

/** All turns are told, and what the page draws in them stands there. */
function areDrawn(count) {
  const transcript = document.querySelector('hermes-transcript');
  const figures = [...transcript.shadowRoot.querySelectorAll('figure .drawn > *')].map(
    ({shadowRoot}) => shadowRoot,
  );
  return (
    transcript.snapshot?.turns.filter(({status}) => status === 'settled').length === count &&
    figures.filter((figure) => figure.querySelector('math')).length === 2 &&
    [...transcript.shadowRoot.querySelectorAll('.math')].every((box) => box.matches('.is-drawn')) &&
    figures.some((figure) => figure.querySelector('iframe')?.offsetHeight > 0)
  );
}

/** Opens what is folded, but no tool of a turn that has many. False when nothing is left. */
async function openMore() {
  const {shadowRoot} = document.querySelector('hermes-transcript');
  const folded = [...shadowRoot.querySelectorAll('[aria-expanded=false]:not([aria-haspopup])')].filter(
    (button) =>
      !button.closest('.tool') || button.closest('hermes-turn').querySelectorAll('.tool').length < 10,
  );
  for (const button of folded) button.click();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return folded.length > 0;
}

function inView() {
  return new Promise((resolve) => setTimeout(resolve, 500));
}
