/** The queue of a composer: what goes when, what waits for the reader, and that nothing is lost, doubled or misdirected. */
import fc from 'fast-check';
import {
  PromptQueue,
  type NewestTurn,
  type QueuedPrompt,
  type Sending,
} from '../../../src/elements/prompt-queue.js';
import type {SessionHome} from '../../../src/elements/session-home.js';
import * as assert from '../../support/assert.js';

const homes = {
  a: {session: {}, base: '/gw', id: 'a'},
  b: {session: {}, base: '/gw', id: 'b'},
} satisfies Record<string, SessionHome>;

const turn = (id: string, terminal: NewestTurn['terminal'] = null): NewestTurn => ({
  ...{id, aliases: [], terminal},
  status: terminal === null ? 'running' : 'settled',
});

/** A queue of session `a`, in which something runs; what it sends is kept. */
function queueOf(...words: string[]) {
  const sent: Sending[] = [];
  const queue = new PromptQueue({send: (sending) => void sent.push(sending), isOff: () => false});
  queue.hear(homes.a, turn('1'));
  for (const word of words) queue.add(word, []);
  return {
    queue,
    sent,
    ids: queue.prompts.map(({id}) => id),
    texts: () => queue.prompts.map(({text}) => text).join(' '),
    sentTexts: () => sent.map(({prompt}) => prompt.text).join(' '),
    ends: (terminal: NewestTurn['terminal'] = 'completed') => queue.hear(homes.a, turn('1', terminal)),
  };
}

it('prompts go in the order they were written, each when the one before it was answered', () => {
  const {queue, sent, sentTexts, ends} = queueOf('a', 'b');
  assert.equal(sentTexts(), '');
  ends();
  assert.equal(sentTexts(), 'a');
  queue.answered(sent[0]!);
  assert.equal(sentTexts(), 'a b');
});

it('after a turn that did not complete nothing goes by itself until the reader says so', () => {
  const {queue, sentTexts, ends} = queueOf('a');
  ends('cancelled');
  assert.deepEqual([queue.pause, sentTexts()], ['unfinished', '']);
  queue.resume();
  assert.equal(sentTexts(), 'a');
});

it('a turn that began and failed in one notice, while its prompt was on its way, counts too', () => {
  const {queue, sent, ends} = queueOf('a', 'b');
  ends();
  queue.hear(homes.a, turn('2', 'error'));
  queue.answered(sent[0]!);
  assert.deepEqual([queue.pause, sent.length], ['unfinished', 1]);
});

it('what was refused stands first again and waits, and goes into a free box only where nothing waits', () => {
  const {queue, sent, texts, ends} = queueOf('a', 'b');
  ends();
  assert.equal(queue.refused(sent[0]!, 'Full.', true), null);
  assert.deepEqual([texts(), queue.pause, queue.prompts[0]!.reason], ['a b', 'refused', 'Full.']);
  for (const free of [true, false]) {
    const one = queueOf('a');
    one.ends();
    assert.equal(one.queue.refused(one.sent[0]!, 'Full.', free)?.text, free ? 'a' : undefined);
    assert.equal(one.texts(), free ? '' : 'a');
  }
});

it('stop and send: it goes first, although the run was stopped', () => {
  const {queue, sent, ids, texts, sentTexts, ends} = queueOf('a', 'b', 'c');
  queue.expedite(ids[1]!);
  assert.equal(texts(), 'b a c');
  ends('cancelled');
  assert.deepEqual([queue.pause, sentTexts()], [null, 'b']);
  // The next ones were not asked for.
  queue.hear(homes.a, turn('2'));
  queue.answered(sent[0]!);
  queue.hear(homes.a, turn('2', 'cancelled'));
  assert.deepEqual([queue.pause, sentTexts()], ['unfinished', 'b']);
});

it('an empty queue is held back by nothing, nor is what is written into it afterwards', () => {
  const emptied: Record<string, (one: ReturnType<typeof queueOf>) => void> = {
    'a run that failed': ({ends}) => ends('error'),
    'a conversation that was left': ({queue, ends}) => {
      ends();
      queue.hear(homes.b, undefined);
      queue.hear(homes.a, turn('1', 'completed'));
    },
    'the last one taken out': ({queue, ends}) => {
      queue.add('x', []);
      ends('error');
      queue.remove(queue.prompts[0]!.id);
    },
    'the last one sent': ({queue, sent, ends}) => {
      queue.add('x', []);
      ends('error');
      queue.resume();
      queue.answered(sent.pop()!);
    },
  };
  for (const [name, empty] of Object.entries(emptied)) {
    const one = queueOf();
    empty(one);
    assert.equal(one.queue.pause, null, name);
    one.queue.add('new', []);
    assert.equal(one.sentTexts(), 'new', name);
  }
});

it('what was written in one session goes to no other by itself, and holds nothing up there', () => {
  const {queue, sentTexts, texts} = queueOf('a');
  queue.hear(homes.b, undefined);
  assert.deepEqual([queue.pause, sentTexts()], ['elsewhere', '']);
  queue.add('b', []);
  assert.deepEqual([texts(), sentTexts()], ['a', 'b']);
});

it('back in its session it goes when what runs there has completed, else when the reader says so', () => {
  for (const terminal of ['completed', 'error'] as const) {
    const {queue, sentTexts} = queueOf('a');
    queue.hear(homes.b, undefined);
    // Shown anew, its history is not there yet.
    const again = {...homes.a, session: {}};
    queue.hear(again, undefined);
    assert.deepEqual([queue.pause, sentTexts()], ['away', '']);
    queue.hear(again, turn('1'));
    queue.hear(again, turn('1', terminal));
    assert.equal(sentTexts(), terminal === 'completed' ? 'a' : '');
  }
});

it('a session that gets its name with the first prompt stays the same', () => {
  const {queue, sent, sentTexts} = queueOf();
  const unnamed = {session: {}, base: '/gw', id: undefined};
  queue.hear(unnamed, undefined);
  queue.add('a', []);
  queue.add('b', []);
  queue.hear({...unnamed, id: 'x'}, turn('2'));
  queue.answered(sent[0]!);
  queue.hear({...unnamed, id: 'x'}, turn('2', 'completed'));
  assert.equal(sentTexts(), 'a b');
  // The same object, opened for another.
  queue.refused(sent[1]!, 'Full.', false);
  queue.hear({...unnamed, id: 'y'}, undefined);
  assert.equal(queue.pause, 'elsewhere');
});

/** What can happen, with a number that chooses among those it can happen to. */
const happenings = [
  'add',
  'edit',
  'remove',
  'expedite',
  'resume',
  'type',
  'run begins',
  'run completes',
  'run fails',
  'context is made',
  'answered',
  'answered after the run',
  'refused',
  'taken back',
  'to a',
  'to b',
  'to nothing',
  'off',
  'on',
] as const;

type Happening = readonly [(typeof happenings)[number], number];
type Name = keyof typeof homes;

/** A page with two conversations, and beside the queue a plain account of what must be so. */
class Page {
  box = '';
  #count = 0;
  #isOff = false;
  #shown: Name | null = 'a';
  #latest: Name = 'a';
  #runs: Record<Name, NewestTurn | undefined> = {a: undefined, b: undefined};
  /** Attempts that are not answered, also those the reader took back. */
  #open: {sending: Sending; to: Name | null; isAsked: boolean}[] = [];
  /** What each session's queue must be. */
  #waits = new Map<Name | null, string[]>();
  /** Sessions whose queue a failure holds back, until the reader says so or it is empty. */
  readonly #held = new Set<Name | null>();
  /** The prompt that the reader wants to go as soon as the run has stopped. */
  #next: string | null = null;
  readonly #removed = new Set<string>();
  readonly #arrived = new Map<string, number>();
  readonly #takenBack = new Set<string>();
  readonly queue = new PromptQueue({send: (sending) => this.#sent(sending), isOff: () => this.#isOff});

  constructor() {
    this.#tell();
  }

  do([what, n]: Happening) {
    const {queue} = this;
    const waiting = queue.prompts[n % Math.max(1, queue.prompts.length)];
    const isNamed = this.#shown !== null;
    const run = this.#shown === null ? undefined : this.#runs[this.#shown];
    const isRunning = run?.terminal === null;
    switch (what) {
      case 'type':
        if (this.box === '') this.box = this.#word();
        break;
      case 'add':
        this.#write(this.box === '' ? this.#word() : this.box);
        break;
      case 'edit':
        if (waiting) this.#edit(waiting);
        break;
      case 'remove':
        if (!waiting) break;
        this.#leave(waiting.text);
        this.#removed.add(waiting.text);
        queue.remove(waiting.id);
        break;
      case 'expedite':
        if (!waiting || !isRunning) break;
        this.#leave(waiting.text);
        this.#at(this.#shown).unshift(waiting.text);
        this.#held.delete(this.#shown);
        this.#next = waiting.text;
        queue.expedite(waiting.id);
        break;
      case 'resume':
        if (isRunning) break;
        this.#resume();
        break;
      case 'run begins':
        if (isNamed && !isRunning) this.#run(null);
        break;
      case 'run completes':
        if (isRunning) this.#run('completed');
        break;
      case 'run fails':
        if (isRunning) this.#run('error');
        break;
      case 'context is made':
      case 'answered':
      case 'answered after the run':
      case 'refused':
      case 'taken back':
        this.#settle(what, n);
        break;
      case 'to a':
      case 'to b':
      case 'to nothing':
        this.#shown = what === 'to nothing' ? null : (what.slice(3) as Name);
        if (this.#shown !== null && this.#shown !== this.#latest) this.#next = null;
        this.#latest = this.#shown ?? this.#latest;
        this.#tell();
        break;
      case 'off':
        this.#isOff = true;
        break;
      case 'on':
        this.#isOff = false;
        queue.advance();
        break;
    }
    this.check();
  }

  check() {
    const {queue} = this;
    const names = [this.#shown, ...(['a', 'b', null] as const).filter((name) => name !== this.#shown)];
    // Here first; the order between other sessions is free.
    for (const name of names)
      assert.deepEqual(
        queue.prompts.filter(({home}) => nameOf(home) === name).map(({text}) => text),
        this.#at(name),
        `what waits for ${name}`,
      );
    const here = this.#at(this.#shown).length;
    assert.deepEqual(
      queue.prompts.slice(0, here).map(({text}) => text),
      this.#at(this.#shown),
    );
    const known = [
      ...(this.box === '' ? [] : [this.box]),
      ...queue.prompts.map(({text}) => text),
      ...queue.sending.map(({prompt}) => prompt.text),
      ...this.#removed,
      ...[...this.#arrived.keys()].filter((text) => !this.#takenBack.has(text)),
    ];
    assert.equal(new Set(known).size, known.length, `nothing is in two places: ${known.join(' ')}`);
    for (let n = 1; n <= this.#count; n++)
      assert.ok(known.includes(`p${n}`) || this.#arrived.has(`p${n}`), `p${n} is lost`);
    for (const [text, times] of this.#arrived)
      assert.ok(times === 1 || this.#takenBack.has(text), `${text} arrived ${times} times`);
    const isBusy = queue.isRunning || queue.sending.some(({prompt}) => queue.isHere(prompt));
    // Who waits knows for what.
    if (here > 0) assert.ok(isBusy || this.#isOff || queue.pause !== null, 'nothing waits without a reason');
    else assert.ok(queue.pause === null || queue.pause === 'elsewhere', 'an empty queue is not held back');
  }

  #word() {
    return `p${++this.#count}`;
  }

  #at(name: Name | null): string[] {
    if (!this.#waits.has(name)) this.#waits.set(name, []);
    return this.#waits.get(name)!;
  }

  /** Out of the account of its queue. */
  #leave(text: string) {
    for (const [name, texts] of this.#waits) {
      const left = texts.filter((each) => each !== text);
      this.#waits.set(name, left);
      if (left.length === 0) this.#held.delete(name);
    }
    if (this.#next === text) this.#next = null;
  }

  #write(text: string) {
    this.box = '';
    this.#at(this.#shown).push(text);
    this.queue.add(text, []);
  }

  #edit({id, text}: QueuedPrompt) {
    const draft = this.box;
    this.#leave(text);
    if (draft !== '') this.#at(this.#shown).unshift(draft);
    this.box = text;
    this.queue.edit(id, {text: draft, attachments: []});
  }

  #resume() {
    const [first] = this.queue.prompts;
    if (!first) return;
    this.#held.delete(this.#shown);
    if (this.queue.pause === 'elsewhere') {
      this.#leave(first.text);
      this.#at(this.#shown).unshift(first.text);
    }
    this.queue.resume();
  }

  #run(terminal: NewestTurn['terminal']) {
    const name = this.#shown!;
    if (terminal !== null && terminal !== 'completed' && this.#next === null && this.#at(name).length > 0)
      this.#held.add(name);
    const id = terminal === null ? `${name}${Math.random()}` : this.#runs[name]!.id;
    this.#runs[name] = turn(id, terminal);
    this.#tell();
  }

  #tell() {
    const name = this.#shown;
    this.queue.hear(name === null ? null : homes[name], name === null ? undefined : this.#runs[name]);
  }

  /** The queue sends: it must be the first that was written here, and nothing must stand against it. */
  #sent(sending: Sending) {
    const {text, home} = sending.prompt;
    assert.equal(nameOf(home), this.#shown, `${text} goes where it was written`);
    assert.equal(text, this.#at(this.#shown)[0], 'the first one goes');
    assert.ok(!this.#isOff, 'nothing goes while nothing can be sent');
    assert.ok(
      this.#shown === null || this.#runs[this.#shown]?.terminal !== null,
      'nothing goes during a run',
    );
    assert.ok(!this.#held.has(this.#shown), `${text} waits for the reader`);
    assert.ok(
      !this.queue.sending.some((each) => each !== sending && nameOf(each.prompt.home) === this.#shown),
      'one at a time',
    );
    this.#leave(text);
    this.#open.push({sending, to: this.#shown, isAsked: false});
  }

  #settle(
    how: 'context is made' | 'answered' | 'answered after the run' | 'refused' | 'taken back',
    n: number,
  ) {
    const {queue} = this;
    const open = this.#open[n % Math.max(1, this.#open.length)];
    if (!open) return;
    const {sending} = open;
    const {text} = sending.prompt;
    const isOnItsWay = queue.sending.some(({attempt}) => attempt === sending.attempt);
    if (how === 'context is made') {
      if (open.isAsked) return;
      open.isAsked = true;
      if (isOnItsWay && open.to !== this.#shown) this.#at(open.to).unshift(text);
      if (queue.mayAsk(sending)) assert.equal(open.to, this.#shown, 'asked where it was written');
      else this.#open = this.#open.filter((each) => each !== open);
      return;
    }
    if (how !== 'taken back' && !open.isAsked) return;
    if (how === 'taken back') {
      if (!isOnItsWay) return;
      if (open.isAsked) this.#takenBack.add(text);
      const prompt = queue.takeBack(sending, 'Perhaps.', this.box === '');
      return this.#cameBack(text, open.to, prompt);
    }
    this.#open = this.#open.filter((each) => each !== open);
    if (how === 'refused') {
      const prompt = queue.refused(sending, 'Full.', this.box === '');
      if (isOnItsWay) this.#cameBack(text, open.to, prompt);
      else assert.equal(prompt, null, 'it came back once');
      return;
    }
    this.#arrived.set(text, (this.#arrived.get(text) ?? 0) + 1);
    // One that was edited since is another.
    if (queue.prompts.some(({id}) => id === sending.prompt.id)) this.#leave(text);
    if (open.to !== null && open.to === this.#shown && this.#runs[open.to]?.terminal !== null) {
      this.#run(null);
      if (how === 'answered after the run') this.#run('completed');
    }
    queue.answered(sending);
  }

  #cameBack(text: string, to: Name | null, prompt: QueuedPrompt | null) {
    if (prompt) {
      assert.deepEqual([this.box, to, this.#at(to).length], ['', this.#shown, 0], 'the box was free for it');
      this.box = text;
    } else {
      this.#at(to).unshift(text);
      this.#held.add(to);
    }
  }
}

function nameOf(home: SessionHome | null): Name | null {
  return (home?.id as Name | undefined) ?? null;
}

it('whatever happens, nothing is lost or doubled, the order is kept, and nothing goes elsewhere unasked', () => {
  const happening = fc.tuple(fc.constantFrom(...happenings), fc.nat(5));
  fc.assert(
    fc.property(fc.array(happening, {minLength: 1, maxLength: 60, size: 'max'}), (all) => {
      const page = new Page();
      for (const each of all) page.do(each);
    }),
    {numRuns: 2000},
  );
});
