/**
 * Monkey: random clicks, keys, sizes and attributes while a turn streams. Whatever was done, the page shows the scene
 * and the console stays silent.
 *
 * `HERMES_MONKEY_SEED`, `HERMES_MONKEY_RUNS` and `HERMES_MONKEY_MS` give the first seed, how many runs, and how long each.
 */
import '../../../src/define.js';
import {executeServerCommand} from '@web/test-runner-commands';
import {loadModel, type HermesTranscript, type HermesTurn} from '../../../src/index.js';
import {displayModes, expectedRows, parseDisplayMode, project, reconcile} from '../../../src/scene/index.js';
import * as assert from '../../support/assert.js';
import {Random} from '../../support/random.js';
import {done, reasoning, token, tool, toolEnd} from '../elements/feed.js';
import {Flow} from './flow.js';
import {until} from './stage.js';

interface Plan {
  readonly seed: number;
  readonly runs: number;
  readonly ms: number;
}
const {seed: first, runs, ms} = (await (await fetch('/monkey')).json()) as Plan;
/** How much is done at least, on however slow a machine. */
const LEAST = ms / 400;

const pieces = [
  'A word ',
  'and **bold',
  '** words. ',
  '\n\n',
  '\n\n# A heading\n\n',
  '- an item\n',
  '```js\nlet x = 1;\n',
  '```\n\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n',
  'سلام ',
  '🌱',
];
const keys = [
  ['Tab'],
  ['Shift', 'Tab'],
  ['Enter'],
  [' '],
  ['Escape'],
  ['ArrowDown'],
  ['ArrowUp'],
  ['Home'],
  ['End'],
  ['PageUp'],
  ['PageDown'],
  ['Alt', 'ArrowUp'],
  ['Alt', 'ArrowDown'],
];

/**
 * Where the monkey lives, between two edges that Tab does not pass: outside, Firefox's own window takes the focus, and no
 * page gets it back, not even those of later test files.
 */
const cage = document.createElement('div');
const edges = [document.createElement('button'), document.createElement('button')] as const;
const stay = (event: KeyboardEvent) => {
  const at = document.activeElement;
  if (event.key !== 'Tab' || (at !== document.body && !edges.some((edge) => edge === at))) return;
  event.preventDefault();
  (cage.firstElementChild as HTMLElement | null)?.focus();
};

/** What was said on the console or thrown into the page. */
const said: string[] = [];
const hear = (event: ErrorEvent | PromiseRejectionEvent) =>
  said.push('message' in event ? event.message : `unhandled: ${String(event.reason)}`);
const spoken = {error: console.error, warn: console.warn};

before(async () => {
  await loadModel();
  document.body.append(edges[0], cage, edges[1]);
  window.addEventListener('keydown', stay, true);
  window.addEventListener('error', hear);
  window.addEventListener('unhandledrejection', hear);
  for (const name of ['error', 'warn'] as const)
    console[name] = (...args) => {
      said.push(`${name}: ${args.map(String).join(' ')}`);
      spoken[name](...args);
    };
});
after(async () => {
  for (const one of [...edges, cage]) one.remove();
  window.removeEventListener('keydown', stay, true);
  window.removeEventListener('error', hear);
  window.removeEventListener('unhandledrejection', hear);
  Object.assign(console, spoken);
  await executeServerCommand('page:viewport', {width: 800, height: 600});
});

/** One who does anything at all. */
class Monkey {
  readonly element: HermesTranscript = document.createElement('hermes-transcript');
  readonly random: Random;
  readonly flow = new Flow();
  /** What was done, for whoever has to find out why. */
  readonly did: string[] = [];
  #run = 0;
  #tools = 0;
  #questions = 0;
  readonly #pending = new Set<string>();

  constructor(seed: number) {
    this.random = new Random(seed);
    this.element.fetch = this.flow.fetch;
    this.element.src = this.#src;
    this.element.style.blockSize = '300px';
    cage.append(this.element);
  }

  get run(): string {
    return `run_${this.#run}`;
  }

  get #src(): string {
    return `/events/${this.run}`;
  }

  /** What the agent does meanwhile. */
  tell(): void {
    const {random} = this;
    const text = Array.from({length: 1 + random.below(6)}, () => random.of(pieces)).join('');
    const dice = random.next();
    if (dice < 0.6) this.flow.tell(this.run, token(text));
    else if (dice < 0.8) this.flow.tell(this.run, reasoning(text));
    else if (dice < 0.9)
      this.flow.tell(
        this.run,
        tool(`c${++this.#tools}`, random.of(['terminal', 'read_file']), {path: 'a.md'}),
      );
    else if (dice < 0.93) this.flow.tell(this.run, this.#asking(text));
    else if (dice < 0.99)
      this.flow.tell(this.run, toolEnd(`c${1 + random.below(this.#tools + 1)}`, 'terminal', text));
    else {
      this.did.push('cut');
      this.flow.cut();
    }
  }

  /** The agent asks; what is not answered is overtaken by what comes next. */
  #asking(text: string): readonly [string, object] {
    const id = `q${++this.#questions}`;
    this.#pending.add(id);
    return this.random.next() < 0.5
      ? ['approval', {approval_id: id, command: `${text}\u202E`, description: 'Why not.'}]
      : [
          'clarify',
          {clarify_id: id, question: text, choices_offered: ['a', 'b'], expires_at: Date.now() / 1000 + 2},
        ];
  }

  /** The session of this moment as one that takes controls, and does nothing about them. */
  #control(): void {
    const {shown} = this.element;
    if (!shown || shown.canControl) return;
    Object.defineProperties(shown, {
      canControl: {value: true},
      pendingControls: {get: () => this.#pending},
      answer: {value: () => Promise.resolve()},
      cancel: {value: () => Promise.reject(new Error('It does not stop.'))},
    });
  }

  async act(): Promise<void> {
    const {random, element} = this;
    this.#control();
    const actions: (() => Promise<unknown> | undefined)[] = [
      ...Array.from({length: 12}, () => this.#click),
      () => void (element.mode = random.of(displayModes)),
      () => this.#attribute('lang', [null, 'en', 'de', 'ar']),
      () => this.#attribute('dir', [null, 'ltr', 'rtl', 'auto']),
      () => this.#attribute('narration', ['all', 'answers', 'off', 'nonsense']),
      () => void (element.style.inlineSize = random.of(['', '80px', '320px', '100%'])),
      () => void (element.style.blockSize = random.of(['', '40px', '300px'])),
      () => void (element.scrollTop = random.below(element.scrollHeight)),
      () => executeServerCommand('page:keys', random.of(keys)),
      () => executeServerCommand('page:keys', random.of(keys)),
      this.#rare(() => this.#swap()),
      this.#rare(() => element.remove()),
      this.#rare(() =>
        executeServerCommand('page:viewport', {
          width: random.of([320, 800, 1200]),
          height: random.of([300, 600]),
        }),
      ),
    ];
    if (!element.isConnected) cage.append(element);
    const at = random.below(actions.length);
    this.did.push(String(at));
    await actions[at]!();
  }

  /** What stands in the page is what belongs there. */
  async check(): Promise<void> {
    const {element} = this;
    if (!element.isConnected) cage.append(element);
    await element.updateComplete;
    for (const turn of element.shadowRoot!.querySelectorAll<HermesTurn>('[part=turn]')) {
      await turn.updateComplete;
      const scene = project(turn.anchor!, parseDisplayMode(element.mode));
      const {mismatches} = reconcile(expectedRows(scene, {open: turn.openRows}), turn.renderedRows());
      assert.deepEqual(mismatches, []);
    }
    assert.deepEqual(said, []);
  }

  #rare(act: () => unknown): () => Promise<unknown> | undefined {
    return () => (this.random.next() < 0.3 ? (act() as Promise<unknown> | undefined) : undefined);
  }

  readonly #click = (): undefined => {
    const buttons =
      this.element.shadowRoot?.querySelectorAll<HTMLElement>('button, summary, [aria-expanded]') ?? [];
    const button = this.random.of([...buttons]) as HTMLElement | undefined;
    button?.click();
  };

  #attribute(name: string, values: readonly (string | null)[]): undefined {
    const value = this.random.of(values);
    if (value === null) this.element.removeAttribute(name);
    else this.element.setAttribute(name, value);
  }

  #swap(): void {
    this.#run = this.random.below(3);
    this.element.src = this.#src;
  }
}

for (let seed = first; seed < first + runs; seed++) {
  it(`seed ${seed}: the page shows the scene after ${ms} ms of anything`, async () => {
    said.length = 0;
    const monkey = new Monkey(seed);
    const {element, random, flow} = monkey;
    try {
      const end = performance.now() + ms;
      while (performance.now() < end || monkey.did.length < LEAST) {
        for (let told = random.below(4); told >= 0; told--) monkey.tell();
        await monkey.act();
        await new Promise((resolve) => setTimeout(resolve));
        if (random.next() < 0.1) await monkey.check();
      }
      flow.tell(monkey.run, token('The end.'));
      flow.tell(monkey.run, done);
      flow.tell(monkey.run, ['stream_end', {}]);
      await monkey.check();
      await until(
        () => element.shown?.connection.phase === 'ended',
        () => `the end, but ${element.shown?.connection.phase} ${element.shown?.connection.error?.code}`,
      );
      await monkey.check();
      assert.ok(element.snapshot!.turns.at(-1)!.answer.endsWith('The end.'));
    } catch (error) {
      const path = `HERMES_MONKEY_SEED=${seed}, after ${monkey.did.length}: ${monkey.did.slice(-20).join()}`;
      throw new Error(`${path}\n${String(error)}`, {cause: error});
    } finally {
      element.remove();
    }
  }).timeout(ms + 60_000);
}
