/**
 * A person at the notes page: the demo's real server as a process, its gateway and an agent behind it, and a browser
 * that is driven by role, name and key.
 */
import assert from 'node:assert/strict';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {after, before, describe, it, type TestContext} from 'node:test';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import puppeteer, {type Browser, type BrowserContext, type ElementHandle, type Page} from 'puppeteer-core';
import {isHere, labelOf, programOf, wantedEngines} from '../browsers.mjs';

/** How long a fact may take, in ms: machines are shared. */
const LONGEST = 60_000;
/** How often it is asked for. */
const OFTEN = 40;

/** puppeteer drives these; WebKit it cannot. */
const driven = ['chromium', 'firefox'];

const reader = readFileSync(new URL('./reader.js', import.meta.url), 'utf8');
const serveScript = fileURLToPath(new URL('./serve.mjs', import.meta.url));

export interface Turn {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly prompt: string;
  readonly answer: string | null;
  readonly terminal: string | null;
  readonly status: string;
  readonly artifacts: readonly string[];
  readonly tools: readonly string[];
}

export interface DeskOptions {
  /** What the config file says; the demo agent at a pace, in ms between two pieces of text, when not given. */
  readonly profiles?: readonly object[];
  readonly pace?: number;
  /** Files of the data folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The tests of a file, in each engine that is wanted and here. One that is missing is skipped by name; in CI it fails. */
export function inEachEngine(
  tests: (open: (context: TestContext, options?: DeskOptions) => Promise<Desk>) => void,
) {
  for (const engine of wantedEngines().filter((name) => driven.includes(name))) {
    const label = labelOf(engine);
    if (!isHere(engine)) {
      const strict = process.env['CI'] === 'true';
      it(`${label} is not on this machine`, {skip: !strict}, () => assert.fail(`Install ${label}.`));
      continue;
    }
    describe(label, () => {
      let browser: Browser;
      before(async () => {
        browser = await launch(engine);
      });
      after(() => browser.close());
      tests((context, options) => openDesk(context, browser, options));
    });
  }
}

function launch(engine: string): Promise<Browser> {
  const common = {executablePath: programOf(engine)!, timeout: LONGEST, protocolTimeout: 2 * LONGEST};
  return engine === 'firefox'
    ? puppeteer.launch({browser: 'firefox', ...common})
    : puppeteer.launch({...common, args: ['--no-sandbox', '--disable-dev-shm-usage']});
}

/** A fresh desk with its own notes, server and browser profile; gone, with every process, when the test is over. */
async function openDesk(context: TestContext, browser: Browser, options: DeskOptions = {}): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-journey-'));
  const {pace = 0, files = {}} = options;
  const demo = {name: 'demo', env: {HERMES_DEMO_PACE: String(pace)}};
  const config = {profiles: options.profiles ?? [demo]};
  for (const [name, text] of Object.entries({'config.json': JSON.stringify(config), ...files})) {
    await mkdir(join(folder, name, '..'), {recursive: true});
    await writeFile(join(folder, name), text);
  }
  const desk = new Desk(folder, await browser.createBrowserContext());
  context.after(async () => {
    await desk.close();
    await rm(folder, {recursive: true, force: true, maxRetries: 5});
  });
  await desk.start();
  return desk;
}

export class Desk {
  /** What consoles said, and what was thrown. */
  readonly complaints: string[] = [];
  readonly #folder: string;
  readonly #context: BrowserContext;
  #server: ChildProcess | null = null;
  #port = 0;

  constructor(folder: string, context: BrowserContext) {
    this.#folder = folder;
    this.#context = context;
  }

  /** Starts the server; again on the same port after `kill`. */
  async start(): Promise<void> {
    const server = spawn(process.execPath, [serveScript, String(this.#port), this.#folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#server = server;
    const lines = createInterface(server.stdout);
    const [line] = (await once(lines, 'line', {signal: AbortSignal.timeout(LONGEST)})) as [string];
    this.#port = Number(/^ready (\d+)$/.exec(line)?.[1]);
  }

  /** `kill -9`, as nothing can prepare for. */
  async kill(): Promise<void> {
    const server = this.#server!;
    this.#server = null;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.#context.close();
    const server = this.#server;
    if (!server || server.exitCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGTERM');
    await gone;
  }

  /** The note on the disk. */
  file(name = 'garden-shed.md'): Promise<string> {
    return readFile(join(this.#folder, 'notes', name), 'utf8');
  }

  /** What the gateway answers. */
  async ask(path: string): Promise<unknown> {
    return (await fetch(`http://127.0.0.1:${this.#port}/api/hermes/client${path}`)).json();
  }

  /** The notes page, ready to be used. */
  async page(): Promise<Reader> {
    const person = new Reader(await this.open('/'));
    await person.until(
      'the note is open',
      () => person.note(),
      (note) => note !== '',
    );
    return person;
  }

  /** A page of the demo, as it is. */
  async open(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    await page.setViewport({width: 1360, height: 860});
    await page.evaluateOnNewDocument(reader);
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    await page.goto(`http://127.0.0.1:${this.#port}${path}`);
    return page;
  }

  /** Nothing was thrown, refused or violated. */
  assertSilent(): void {
    assert.deepEqual(this.complaints, []);
  }
}

/** One page and the person before it. */
export class Reader {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  note = () => this.#tell<string>('note()');
  said = () => this.#tell<string>('said()');
  turns = () => this.#tell<readonly Turn[]>('turns()');
  talk = () => this.#tell<string | null>('talk()');
  isFollowing = () => this.#tell<boolean>('isFollowing()');
  texts = (selector: string) => this.#tell<readonly string[]>(`text(${JSON.stringify(selector)})`);
  options = (name: string) => this.#tell<readonly string[]>(`options(${JSON.stringify(name)})`);

  async last(): Promise<Turn | null> {
    return (await this.turns()).at(-1) ?? null;
  }

  /** Waits for a fact, and returns it. */
  async until<Fact>(what: string, look: () => Promise<Fact>, isSo: (fact: Fact) => boolean): Promise<Fact> {
    const begun = performance.now();
    for (;;) {
      const fact = await look();
      if (isSo(fact)) return fact;
      if (performance.now() - begun > LONGEST)
        assert.fail(`It never came about that ${what}. Seen last: ${JSON.stringify(fact)}`);
      await pause(OFTEN);
    }
  }

  /** The last turn, once it fits. */
  async turn(what: string, isSo: (turn: Turn) => boolean): Promise<Turn> {
    const turn = await this.until(
      what,
      () => this.last(),
      (last) => last !== null && isSo(last),
    );
    return turn!;
  }

  /** The last of that many turns, once it has ended. */
  async ended(count: number): Promise<Turn> {
    const turns = await this.until(
      `${count} turns have ended`,
      () => this.turns(),
      (all) => all.length === count && all.every(({status}) => status === 'settled'),
    );
    return turns.at(-1)!;
  }

  /** Allows whatever is asked until that many turns have ended; says how often that was. */
  async allowAll(count: number): Promise<number> {
    for (let asked = 0; ; asked++) {
      const isOver = async () =>
        (await this.turns()).filter(({status}) => status === 'settled').length === count;
      const state = await this.until(
        'it asks or ends',
        async () => ((await this.#has('button', 'Allow')) ? 'asks' : (await isOver()) ? 'over' : 'works'),
        (now) => now !== 'works',
      );
      if (state === 'over') return asked;
      await this.click('button', 'Allow');
    }
  }

  async click(role: string, name: string): Promise<void> {
    const element = await this.#find(role, name);
    await element.click();
  }

  /** By keys alone: what has the focus is pressed. */
  async press(role: string, name: string): Promise<void> {
    const element = await this.#find(role, name);
    await element.focus();
    await this.#page.keyboard.press('Enter');
  }

  async choose(name: string, value: string): Promise<void> {
    await this.until(
      `${name} offers ${value}`,
      () => this.options(name),
      (all) => all.includes(value),
    );
    const element = await this.#find('combobox', name);
    await element.select(value);
    // It is shut until the answer is there.
    await this.#find('combobox', name);
  }

  /** Writes a prompt and sends it by Enter. */
  async prompt(text: string): Promise<void> {
    await this.click('textbox', 'Message to the agent');
    await this.#page.keyboard.type(text);
    await this.#page.keyboard.press('Enter');
  }

  async reload(): Promise<void> {
    await this.#page.reload();
  }

  /** Every row stands as the model says, and once. */
  async assertReconciled(): Promise<void> {
    await this.until(
      'the screen shows the scene',
      () => this.#tell<readonly unknown[]>('differences()'),
      (all) => all.length === 0,
    );
  }

  async front(): Promise<void> {
    await this.#page.bringToFront();
  }

  async #find(role: string, name: string) {
    await this.until(`there is a ${role} “${name}”`, () => this.#has(role, name), Boolean);
    const element = (await this.#page.evaluateHandle(found(role, name))).asElement();
    return element as ElementHandle;
  }

  #has(role: string, name: string): Promise<boolean> {
    return this.#page.evaluate(`${found(role, name)} !== null`) as Promise<boolean>;
  }

  #tell<Fact>(expression: string): Promise<Fact> {
    return this.#page.evaluate(`journey.${expression}`) as Promise<Fact>;
  }
}

const found = (role: string, name: string) =>
  `journey.find(${JSON.stringify(role)}, ${JSON.stringify(name)})`;
