/** `npm run states`: pictures of every state in light and dark at three widths, in dist/states/, for a person to look at. */
import {createServer} from 'node:http';
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import puppeteer from 'puppeteer-core';
import {root} from './bootstrap.mjs';
import {programOf} from './browsers.mjs';

const out = join(root, 'dist/states');
const wanted = process.argv.slice(2);
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

const browser = await puppeteer.launch({
  executablePath: programOf('chromium'),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--hide-scrollbars'],
});
try {
  for (const scheme of ['light', 'dark', 'forced']) {
    for (const width of scheme === 'forced' ? [800] : [320, 800, 1280]) await shoot(scheme, width);
  }
} finally {
  await browser.close();
  server.close();
}

async function shoot(scheme, width) {
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
