/** The browser of the benchmark: pages of their own process, and what they take, by the ticks of their main thread. */
import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build} from 'esbuild';
import puppeteer, {type Browser, type CDPSession, type Page} from 'puppeteer-core';
import {root} from '../../bootstrap.mjs';
import {programOf} from '../../browsers.mjs';

/** What the main thread took, in ms. */
export interface Spent {
  readonly cpu: number;
  readonly script: number;
  /** Layout and style. */
  readonly layout: number;
}

export interface Heap {
  readonly script: number;
  /** The document, in bytes too. */
  readonly dom: number;
}

/** One page; `evaluate` runs an expression in it. */
export interface Tab {
  evaluate<T>(expression: string): Promise<T>;
  /** Sums what is spent while `work` is done. */
  spent(work: () => Promise<unknown>): Promise<Spent>;
  /** After collection. */
  heap(): Promise<Heap>;
}

export interface Bench {
  /** A fresh page in a process of its own, gone when `work` is done. */
  inTab<T>(work: (tab: Tab) => Promise<T>): Promise<T>;
}

const here = join(import.meta.dirname, 'page');

/** Opens a browser with the pages of the benchmark, those of the named subjects among them. */
export async function withBrowser<T>(
  names: readonly string[],
  work: (bench: Bench) => Promise<T>,
  files: Readonly<Record<string, string>> = {},
): Promise<T> {
  const executablePath = programOf('chromium');
  if (!executablePath)
    throw new Error('No Chromium was found. Install one (`apt-get install chromium`), or set CHROME_PATH.');
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  let server: Server | undefined;
  let browser: Browser | undefined;
  try {
    await bundle(names, folder);
    server = serve(folder, files);
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    browser = await launch(executablePath);
    const running = browser;
    return await work({inTab: (inside) => inTab(running, `http://127.0.0.1:${port}/`, inside)});
  } finally {
    await browser?.close();
    server?.close();
    rmSync(folder, {recursive: true, force: true});
  }
}

/** From the sources as they are, so that `dist` need not be built and is left alone. */
async function bundle(names: readonly string[], outdir: string): Promise<void> {
  await build({
    entryPoints: ['page.js', 'long.js']
      .map((name) => join(here, name))
      .concat(names.map((name) => join(here, 'subjects', `${name}.js`))),
    outdir,
    outbase: here,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    tsconfig: join(root, 'tsconfig.json'),
    define: {'process.env.NODE_ENV': '"production"'},
    alias: {
      'hermes-elements/cdn': join(root, 'src/cdn.ts'),
      'hermes-elements/protocol': join(root, 'src/protocol/index.ts'),
    },
    logLevel: 'error',
  });
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title>
<style>
  body { margin: 0; font: 16px/1.6 sans-serif; }
  #box { height: 600px; overflow-y: auto; overflow-anchor: none; }
  #content { max-width: 48em; margin: auto; overflow-wrap: break-word; }
  pre { overflow-x: auto; }
</style>
<div id="box"><div id="content"></div></div>
<script type="module" src="/page.js"></script>`;

function serve(folder: string, files: Readonly<Record<string, string>>): Server {
  const scripts = new Map<string, Buffer>(
    readdirSync(folder, {recursive: true})
      .map(String)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [`/${name}`, readFileSync(join(folder, name))] as const),
  );
  return createServer(({url = '/'}, response) => {
    const script = scripts.get(url);
    if (script) return response.writeHead(200, {'content-type': 'text/javascript'}).end(script);
    const file = files[url];
    if (file !== undefined) return response.writeHead(200, {'content-type': 'application/json'}).end(file);
    if (url !== '/') return response.writeHead(404).end();
    return response.writeHead(200, {'content-type': 'text/html'}).end(page);
  }).listen(0, '127.0.0.1');
}

function launch(executablePath: string): Promise<Browser> {
  return puppeteer.launch({
    executablePath,
    protocolTimeout: 600_000,
    defaultViewport: {width: 1000, height: 700},
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
    ],
  });
}

async function inTab<T>(browser: Browser, address: string, work: (tab: Tab) => Promise<T>): Promise<T> {
  // Another context is another process, so that nothing of the case before is left.
  const context = await browser.createBrowserContext();
  try {
    const shown = await context.newPage();
    const errors: unknown[] = [];
    shown.on('pageerror', (error) => errors.push(error));
    await shown.goto(address);
    await shown.waitForSelector('[data-ready]');
    const result = await work(await tabOf(shown));
    if (errors.length > 0) throw new Error(`The page had an error: ${String(errors[0])}`);
    return result;
  } finally {
    await context.close();
  }
}

async function tabOf(shown: Page): Promise<Tab> {
  const protocol = await shown.createCDPSession();
  await protocol.send('Performance.enable', {timeDomain: 'threadTicks'});
  return {
    evaluate: <T>(expression: string) => shown.evaluate(expression) as Promise<T>,
    async spent(work) {
      const before = await metrics(protocol);
      await work();
      const after = await metrics(protocol);
      return {
        cpu: after.cpu - before.cpu,
        script: after.script - before.script,
        layout: after.layout - before.layout,
      };
    },
    async heap() {
      // The first collection runs finalizers, the second frees what they held.
      for (let pass = 0; pass < 2; pass++) await protocol.send('HeapProfiler.collectGarbage');
      const usage = await protocol.send('Runtime.getHeapUsage');
      return {
        script: usage.usedSize,
        dom: (usage as {embedderHeapUsedSize?: number}).embedderHeapUsedSize ?? 0,
      };
    },
  };
}

async function metrics(protocol: CDPSession): Promise<Spent> {
  const {metrics: list} = await protocol.send('Performance.getMetrics');
  const ms = (name: string) => (list.find((metric) => metric.name === name)?.value ?? 0) * 1000;
  return {
    cpu: ms('TaskDuration'),
    script: ms('ScriptDuration'),
    layout: ms('LayoutDuration') + ms('RecalcStyleDuration'),
  };
}
