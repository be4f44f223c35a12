/**
 * The three engines: where they are, how they are installed, how the runner launches them.
 * The first half needs only Node; launchers are loaded when asked for.
 */
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import net from 'node:net';
import {run} from './bootstrap.mjs';

const engines = {
  chromium: {
    label: 'Chromium',
    programs: [[process.env.CHROME_PATH, 'chromium', 'google-chrome', 'chromium-browser']],
    packages: ['chromium'],
    launch: launchChromium,
  },
  firefox: {
    label: 'Firefox',
    programs: [[process.env.FIREFOX_PATH, 'firefox', 'firefox-esr']],
    packages: ['firefox-esr'],
    launch: launchFirefox,
  },
  webkit: {
    label: 'WebKit',
    programs: process.env.DISPLAY ? [['WebKitWebDriver']] : [['WebKitWebDriver'], ['Xvfb']],
    packages: ['webkit2gtk-driver', 'xvfb', 'xauth'],
    launch: launchWebkit,
  },
};

/** Engine names, in the order of the reports. */
export const engineNames = Object.keys(engines);

/** What people call the engine. @returns {string} */
export const labelOf = (engine) => engines[engine].label;

/** The engines of HERMES_ENGINES (`chromium,webkit`), else all. */
export function wantedEngines() {
  const wanted = process.env.HERMES_ENGINES?.split(',').map((name) => name.trim()) ?? engineNames;
  const unknown = wanted.filter((name) => !engineNames.includes(name));
  if (unknown.length > 0) {
    throw new Error(`HERMES_ENGINES names ${unknown.join(', ')}; there are ${engineNames.join(', ')}.`);
  }
  return wanted;
}

/** Whether everything the engine needs is on this machine. */
export const isHere = (engine) => engines[engine].programs.every((names) => which(...names));

/** The engine's own program. @returns {string | undefined} */
export const programOf = (engine) => which(...engines[engine].programs[0]);

/** Installs the named engines where apt-get may be used, and does nothing elsewhere. */
export function install(missing) {
  if (missing.length === 0 || process.getuid?.() !== 0 || !which('apt-get')) return;
  console.log(`Installing ${missing.map(labelOf).join(', ')} (apt-get) …`);
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive'};
  const packages = missing.flatMap((engine) => engines[engine].packages);
  run('apt-get', ['update', '-qq'], {env});
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {env});
}

/** The runner's launcher for an engine. */
export const launcher = (engine) => engines[engine].launch();

function which(...names) {
  for (const name of names.filter(Boolean)) {
    try {
      return execFileSync('sh', ['-c', 'command -v "$0"', name], {encoding: 'utf8'}).trim();
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

async function launchChromium() {
  const {chromeLauncher} = await import('@web/test-runner-chrome');
  return chromeLauncher({
    concurrency: 1,
    launchOptions: {
      executablePath: which(...engines.chromium.programs[0]),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    },
  });
}

/** puppeteer-core drives Firefox over WebDriver BiDi. */
async function launchFirefox() {
  const {chromeLauncher} = await import('@web/test-runner-chrome');
  const {default: puppeteer} = await import('puppeteer-core');
  return chromeLauncher({
    puppeteer,
    concurrency: 1,
    launchOptions: {browser: 'firefox', executablePath: which(...engines.firefox.programs[0])},
  });
}

async function launchWebkit() {
  const {webdriverLauncher} = await import('@web/test-runner-webdriver');
  const env = {...process.env, DISPLAY: process.env.DISPLAY ?? (await startDisplay())};
  const port = await freePort();
  endWithUs(spawn('WebKitWebDriver', [`--port=${port}`], {stdio: 'ignore', env}));
  await listening(port);
  return webdriverLauncher({
    hostname: '127.0.0.1',
    port,
    path: '/',
    connectionRetryCount: 1,
    logLevel: 'error',
    capabilities: {browserName: 'MiniBrowser', 'wdio:enforceWebDriverClassic': true},
  });
}

async function startDisplay() {
  const screen = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const display = endWithUs(spawn('Xvfb', screen, {stdio: ['ignore', 'ignore', 'ignore', 'pipe']}));
  const [number] = await once(display.stdio[3], 'data');
  return `:${String(number).trim()}`;
}

function endWithUs(child) {
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address();
  server.close();
  return port;
}

async function listening(port) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('WebKitWebDriver did not listen within 10 s. Run it by hand to see why.');
}

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
