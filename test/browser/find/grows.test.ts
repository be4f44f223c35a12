/**
 * Finding while a conversation goes on: anything grows, is added, settles or is drawn anew, and a reader goes on and back
 * meanwhile. Each place has a number before it, so that a plain search tells which one the reader is at.
 */
import {GrowingText, type ActivityItem, type TurnAnchor} from '../../../src/anchor/index.js';
import type {HermesTranscript} from '../../../src/index.js';
import {item, toolDetails, turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {Random} from '../../support/random.js';
import {read, root} from '../reading/page.js';
import type {Story} from '../reading/story.js';
import {CURRENT, isInView, marksOf, rangeOf} from './marks.js';

const WANTED = 'pin';

const said = (element: Element) =>
  root(element).querySelector('[part=find] [role=status]')!.textContent.trim();

/** What is marked, with what stands before it in its row. */
function readMark(mark: AbstractRange) {
  const range = rangeOf(mark);
  const text = range.toString();
  const row = range.startContainer.parentElement?.closest('[data-item-id]');
  if (row) range.setStart(row, 0);
  return {text, number: row ? Number(/(\d+)pin$/.exec(range.toString())?.[1]) : NaN, row};
}

const current = () => marksOf().map((mark) => readMark(mark).number);

/** What waits for as long as somebody sees passes when the test says so; what only waits for its turn does at once. */
function holdTime() {
  const own = {setTimeout: window.setTimeout, clearTimeout: window.clearTimeout};
  const waiting = new Map<number, () => void>();
  let last = 1e6;
  window.setTimeout = ((work: (given: unknown) => void, ms = 0, given?: unknown) => {
    const run = () => work(given);
    if (ms < 100) return own.setTimeout.call(window, run, ms);
    waiting.set(++last, run);
    return last;
  }) as typeof setTimeout;
  window.clearTimeout = ((id: number | undefined) => {
    if (!waiting.delete(id!)) own.clearTimeout.call(window, id);
  }) as typeof clearTimeout;
  return {
    pass() {
      const due = [...waiting.values()];
      waiting.clear();
      for (const run of due) run();
    },
    restore: () => Object.assign(window, own),
  };
}

interface Entry {
  readonly kind: 'prose' | 'reasoning' | 'tool';
  text: string;
  call: string;
}

interface Told {
  readonly id: string;
  readonly prompt: string;
  readonly entries: Entry[];
  isRunning: boolean;
  renamed: ReadonlyMap<string, string> | null;
}

/** A conversation that goes on, and what a plain search finds in it. */
class Conversation {
  readonly turns: Told[] = [];
  readonly #random: Random;
  readonly #built = new Map<Told, [key: string, turn: TurnAnchor]>();
  readonly #items = new Map<Entry, {key: string; item: ActivityItem}>();
  #count = 0;
  /** What is still to come of the last entry. */
  #rest = '';

  constructor(random: Random) {
    this.#random = random;
    for (let n = random.below(12); n >= 0; n--) this.#past(this.turns.length);
    this.begin();
  }

  get last(): Told {
    return this.turns.at(-1)!;
  }

  #pin() {
    return `${++this.#count}${WANTED}`;
  }

  #text(): string {
    const pin = () => this.#pin();
    return this.#random.of([
      () => `Some ${pin()} words and **${pin()}** more. `,
      () => `\n\nA paragraph with \`${pin()}\` and *${pin()} of* it.\n\n`,
      () => `\n\n\`\`\`js\nconst a = '${pin()}'; // ${pin()}\nlet b = 1;\nreturn ${pin()};\n\`\`\`\n\n`,
      () => `\n\n- one ${pin()}\n- two\n  - three ${pin()}\n\n`,
      () => `\n\n| a | b |\n|---|---|\n| ${pin()} | x |\n| y | ${pin()} |\n\n`,
      () => `\n\n> quoted ${pin()} [link ${pin()}](https://a.test/)\n\n`,
      () => 'Nothing to see here, for a while. '.repeat(1 + this.#random.below(20)),
    ])();
  }

  #entry(kind: Entry['kind']): Entry {
    return {kind, text: '', call: `c${++this.#count}`};
  }

  #past(at: number) {
    const told: Told = {
      id: `t${++this.#count}`,
      prompt: `Asked ${this.#pin()}?`,
      entries: [],
      isRunning: false,
      renamed: null,
    };
    for (const kind of ['reasoning', 'tool', 'tool', 'prose'] as const) {
      const entry = this.#entry(kind);
      entry.text = this.#text();
      told.entries.push(entry);
    }
    this.turns.splice(at, 0, told);
  }

  begin() {
    this.turns.push({
      id: `t${++this.#count}`,
      prompt: `Asked ${this.#pin()}?`,
      entries: [],
      isRunning: true,
      renamed: null,
    });
    this.#rest = '';
  }

  /** One thing happens. */
  go(): string {
    const {last} = this;
    last.renamed = null;
    if (!last.isRunning) {
      this.begin();
      return 'begin';
    }
    const roll = this.#random.below(25);
    if (roll === 0) {
      this.#finish();
      return 'settle';
    }
    if (roll === 1) {
      this.#past(0);
      return 'earlier';
    }
    if (roll === 2) return this.#rename();
    if (roll < 8 || last.entries.length === 0) {
      this.#end();
      last.entries.push(this.#entry(this.#random.of(['prose', 'reasoning', 'tool', 'tool', 'prose'])));
      return 'entry';
    }
    this.#grow();
    return 'grow';
  }

  #grow() {
    if (this.#rest === '') this.#rest = this.#text();
    const length = 1 + this.#random.below(30);
    this.last.entries.at(-1)!.text += this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
  }

  #end() {
    const entry = this.last.entries.at(-1);
    if (entry) entry.text += this.#rest;
    this.#rest = '';
  }

  /** The session tells it all once more, a little otherwise, and an answer comes. */
  #finish() {
    this.#end();
    const {last} = this;
    for (const entry of last.entries)
      entry.text = this.#random.of([
        (text: string) => text,
        (text: string) => text.replaceAll('Some', 'Some other').trimEnd(),
        (text: string) => `First ${this.#pin()}.\n\n${text}`,
        (text: string) => `${text} At last ${this.#pin()}.`,
      ])(entry.text);
    last.entries.push({...this.#entry('prose'), text: `The end: ${this.#pin()}. ${this.#text()}`});
    last.isRunning = false;
  }

  #rename(): string {
    const tool = this.last.entries.find(({kind}) => kind === 'tool');
    if (!tool) return 'nothing';
    const before = tool.call;
    tool.call = `c${++this.#count}`;
    this.last.renamed = new Map([[`tool:${before}`, `tool:${tool.call}`]]);
    return 'rename';
  }

  /** The numbers of all places, in their order. */
  get places(): number[] {
    return this.turns
      .flatMap(({prompt, entries}) => [prompt, ...entries.map(({text}) => text)])
      .flatMap((text) =>
        [...text.replaceAll(/[*`]/g, '').matchAll(/(\d+)pin/g)].map(([, number]) => Number(number)),
      );
  }

  build(): TurnAnchor[] {
    return this.turns.map((told) => {
      const key = JSON.stringify(told);
      const [before, same] = this.#built.get(told) ?? [];
      if (same && before === key) return same;
      const made = this.#anchor(told);
      this.#built.set(told, [key, made]);
      return made;
    });
  }

  #anchor({id, prompt, entries, isRunning, renamed}: Told): TurnAnchor {
    const builder = turn(id).prompt(prompt);
    for (const [message, entry] of entries.entries())
      builder.push(this.#item(entry, message, isRunning && entry === entries.at(-1)));
    if (isRunning) builder.running();
    return builder.with({renamed: renamed && new Map(renamed)}).build();
  }

  /** The same while nothing of it changes; a text with more is the same text with more. */
  #item(entry: Entry, message: number, isLast: boolean): ActivityItem {
    const {kind, text, call} = entry;
    const key = `${call} ${isLast} ${text}`;
    const before = this.#items.get(entry);
    if (before?.key === key) return before.item;
    const old = before?.item.text ?? GrowingText.empty;
    const isMore = text.startsWith(old.toString());
    const grown = isMore ? old.append(text.slice(old.length)) : GrowingText.of(text);
    const made =
      kind === 'tool'
        ? item('tool', `tool:${call}`, {
            tool: toolDetails('look', {callId: call, output: text, status: isLast ? 'running' : 'completed'}),
          })
        : item(kind, `${kind}:${message}:0`, {text: grown, message});
    this.#items.set(entry, {key, item: made});
    return made;
  }
}

/** After so many frames, each with what was on its way. */
async function frames(count: number) {
  for (let frame = 0; frame < count; frame++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve));
  }
}

class Play {
  readonly #random: Random;
  readonly #talk: Conversation;
  readonly #log: string[] = [];
  readonly #time: {pass(): void};
  story!: Story;
  element!: HermesTranscript;
  /** The number of the place the reader is at. */
  #at = NaN;

  constructor(seed: number, time: {pass(): void}) {
    this.#random = new Random(seed);
    this.#talk = new Conversation(this.#random);
    this.#time = time;
  }

  async begin() {
    Object.assign(this, await read(this.#talk.build(), {height: '300px'}));
    await this.element.find();
    const field = root(this.element).querySelector<HTMLInputElement>('[part=find] input')!;
    field.value = WANTED;
    field.setSelectionRange(WANTED.length, WANTED.length);
    field.dispatchEvent(new Event('input'));
    await frames(3);
    this.#at = current()[0] ?? NaN;
    this.#check('begin');
  }

  async step() {
    const times = 1 + this.#random.below(6);
    for (let n = 0; n < times; n++) {
      this.#grow();
      if (this.#random.below(2) === 0) continue;
      await frames(1);
      this.#looksRight();
    }
    if (this.#random.below(3) === 0) await this.#look();
    if (this.#random.below(3) > 0) await this.#press();
  }

  #grow() {
    this.#log.push(this.#talk.go());
    this.story.show(...this.#talk.build());
  }

  /** So much time passes that it is looked at what has changed. */
  async #look() {
    this.#log.push('look');
    this.#time.pass();
    await frames(2);
    this.#check('look');
    this.#counts();
  }

  async #press() {
    const by = this.#random.of([1, 1, -1]);
    const {places} = this.#talk;
    const from = places.indexOf(this.#at);
    const expected = from < 0 ? NaN : places.at((from + by) % places.length)!;
    this.#log.push(`${by > 0 ? 'next' : 'previous'} from ${this.#at}`);
    root(this.element)
      .querySelector('[part=find] input')!
      .dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', shiftKey: by < 0, bubbles: true}));
    // It goes on meanwhile.
    for (let n = this.#random.below(3); n > 0; n--) {
      await frames(1);
      this.#grow();
    }
    for (let n = 0; n < 12 && !(current()[0] === expected && isInView(this.element, 1)); n++) {
      await frames(1);
    }
    this.#at = Number.isNaN(expected) ? current()[0]! : expected;
    this.#check(`${by > 0 ? 'next' : 'previous'}`);
    this.assert(isInView(this.element, 1), `${this.#at} is in view`);
    await this.#look();
  }

  /** All that is marked is what was looked for. */
  #looksRight() {
    for (const name of ['hermes-find', CURRENT])
      for (const mark of marksOf(name)) {
        const {text, number} = readMark(mark);
        this.assert(text === WANTED && number > 0, `a mark on ${JSON.stringify(text)} after ${number}`);
      }
  }

  #check(when: string) {
    const [at] = current();
    this.assert(at === this.#at, `${when}: at ${at}, not ${this.#at}`);
    this.#looksRight();
  }

  #counts() {
    const {places} = this.#talk;
    const expected = `${places.indexOf(this.#at) + 1} of ${places.length}`;
    this.assert(said(this.element) === expected, `${said(this.element)}, not ${expected}`);
  }

  assert(isSo: boolean, what: string) {
    assert.ok(isSo, `${what}\n${this.#log.slice(-30).join(', ')}`);
  }
}

for (let seed = 1; seed <= 8; seed++)
  it(`seed ${seed}: the place gone to is the next one of all there are`, async () => {
    const time = holdTime();
    try {
      const play = new Play(seed, time);
      await play.begin();
      for (let n = 0; n < 16; n++) await play.step();
    } finally {
      time.restore();
    }
  });
