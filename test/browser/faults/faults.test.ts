/**
 * Faults: one live turn, told in every way a server, a proxy, a network and a page can spoil. Each ends as the turn of
 * an undisturbed run, or says honestly what is wrong and has a way out.
 */
import {loadModel} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {facts, rowsInAllModes} from '../journeys/stage.js';
import {settled} from '../elements/feed.js';
import {RUN, Stage, until, type StageOptions} from './stage.js';

/** How a fault ends. */
type End =
  /** As the undisturbed run, in every fact and row. */
  | {readonly as: 'undisturbed'; readonly breaks?: number}
  /** With the answer and the end that the history has. */
  | {readonly as: 'history'}
  /** As the undisturbed run, and beside it a turn of another run that says that it is not whole. */
  | {readonly as: 'beside'}
  /** With this error and its sentence, and then as the undisturbed run once the reader connects again. */
  | {readonly as: 'reconnect'; readonly error: string};

interface Row extends StageOptions {
  readonly name: string;
  /** What the page or the time does meanwhile. */
  readonly meanwhile?: (stage: Stage) => Promise<void>;
  readonly end: End;
}

const undisturbed = (breaks?: number): End => ({as: 'undisturbed', ...(breaks !== undefined && {breaks})});
const reconnect = (error: string): End => ({as: 'reconnect', error});

/** A token that has expired until it is asked for again. */
function expiring(uses: number): () => Record<string, string> {
  let asked = 0;
  return () => ({authorization: ++asked > uses ? 'fresh' : 'stale'});
}

const say = (target: EventTarget, name: string, init: object = {}) =>
  target.dispatchEvent(Object.assign(new Event(name), init));

function pretend(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {configurable: true, get: () => value});
}

function hide(hidden: boolean): void {
  if (hidden) pretend(document, 'visibilityState', 'hidden');
  else delete (document as {visibilityState?: unknown}).visibilityState;
  say(document, 'visibilitychange');
}

function network(online: boolean): void {
  if (online) delete (navigator as {onLine?: unknown}).onLine;
  else pretend(navigator, 'onLine', false);
  say(window, online ? 'online' : 'offline');
}

const MINUTE = 60_000;
/** How many frames the turn has. */
const FRAMES = 19;

const rows: readonly Row[] = [
  {name: 'a cut behind each frame', fault: 'cut-each', end: undisturbed(FRAMES - 1)},
  {
    name: 'a broken socket behind each third frame',
    fault: 'break-each-third',
    async meanwhile(stage) {
      // Chromium drops what has arrived and is not read yet when the socket breaks.
      for (let heard = 3; heard < FRAMES; heard += 3) {
        await stage.heard(heard);
        await stage.server('go');
      }
    },
    end: undisturbed(),
  },
  {name: 'a cut inside each frame', fault: 'cut-inside-each', end: undisturbed(FRAMES - 1)},
  {name: 'a cut inside a character', fault: 'cut-inside-character', end: undisturbed(1)},
  {name: 'a 502 first', fault: '502-first', end: undisturbed(1)},
  {name: 'a cut, and 502 thrice', fault: '502-middle', end: undisturbed(4)},
  {name: '502 for ever', fault: '502-always', end: reconnect('gave-up')},
  {name: 'a sign-in page with 200', fault: 'html', end: reconnect('not-a-stream')},
  {name: '401, then a fresh token', fault: '401', headers: expiring(1), end: undisturbed(0)},
  {name: 'a cut, 401, then a fresh token', fault: '401-middle', headers: expiring(2), end: undisturbed(1)},
  {
    name: '401 for good',
    fault: '401',
    headers: () => ({authorization: 'stale'}),
    end: reconnect('unauthorized'),
  },
  {name: '403', fault: '403', end: reconnect('forbidden')},
  {name: '404', fault: '404', end: reconnect('not-found')},
  {name: '404 where there is a history', fault: '404', history: true, end: {as: 'history'}},
  {name: '409', fault: '409', end: reconnect('conflict')},
  {
    name: '429 with Retry-After',
    fault: '429',
    async meanwhile(stage) {
      await stage.phase('waiting');
      const {clock, session} = stage;
      const wait = session.connection.retryAt! - clock.now();
      assert.ok(wait > MINUTE && wait <= 2 * MINUTE, `waits ${wait} ms`);
      assert.deepEqual(await stage.server('asked'), [null]);
      clock.jump(2 * MINUTE);
    },
    end: undisturbed(1),
  },
  {name: '204', fault: '204', end: reconnect('no-terminal')},
  {name: '204 where there is a history', fault: '204', history: true, end: {as: 'history'}},
  {name: 'empty bodies', fault: 'empty', end: reconnect('no-terminal')},
  {name: 'a cut, and then empty bodies', fault: 'empty-middle', end: reconnect('no-terminal')},
  {name: 'empty bodies where there is a history', fault: 'empty', history: true, end: {as: 'history'}},
  {
    name: 'a proxy that holds the stream back',
    fault: 'buffered',
    async meanwhile(stage) {
      await stage.asked(1);
      stage.clock.jump(MINUTE / 4);
      await stage.server('go');
      await stage.settled();
      assert.ok(stage.codes.includes('buffered'), `only ${stage.codes.join()}`);
    },
    end: undisturbed(0),
  },
  {
    name: 'a silence of 60 s in the middle',
    fault: 'stall-middle',
    async meanwhile(stage) {
      await stage.heard(6);
      stage.clock.jump(MINUTE);
      assert.equal(stage.session.connection.error?.code, 'stalled');
    },
    end: undisturbed(1),
  },
  {
    name: 'a silence of 60 s before the first frame',
    fault: 'stall-open',
    async meanwhile(stage) {
      // Firefox calls an answer one when its first byte is here.
      await stage.asked(1);
      stage.clock.jump(MINUTE);
      assert.equal(stage.session.connection.error?.code, 'stalled');
    },
    end: undisturbed(1),
  },
  {
    name: 'a server that takes the request and says nothing',
    fault: 'stall-request',
    async meanwhile(stage) {
      await stage.asked(1);
      stage.clock.jump(MINUTE);
      assert.equal(stage.session.connection.error?.code, 'stalled');
    },
    end: undisturbed(1),
  },
  {
    name: 'heartbeats only for minutes, then not even those',
    fault: 'heartbeats',
    async meanwhile(stage) {
      await stage.heard(6);
      for (let beat = 0; beat < 6; beat++) {
        const {chunks} = stage;
        await stage.server('go');
        await until(
          () => stage.chunks > chunks,
          () => 'a heartbeat',
        );
        await settled();
        stage.clock.jump(MINUTE / 2);
        assert.equal(stage.session.connection.phase, 'open');
      }
      stage.clock.jump(MINUTE);
    },
    end: undisturbed(1),
  },
  {
    name: 'a tab hidden for long',
    fault: 'stall-middle',
    async meanwhile(stage) {
      await stage.heard(6);
      hide(true);
      // Alive until the page has been hidden for long enough.
      assert.equal(stage.session.connection.phase, 'open');
      stage.clock.jump(6 * MINUTE);
      hide(false);
    },
    end: undisturbed(),
  },
  {
    name: 'freeze and resume',
    fault: 'stall-middle',
    async meanwhile(stage) {
      await stage.heard(6);
      say(document, 'freeze');
      assert.equal(stage.session.connection.phase, 'paused');
      stage.clock.jump(60 * MINUTE);
      assert.equal(stage.session.connection.phase, 'paused');
      say(document, 'resume');
    },
    end: undisturbed(0),
  },
  {
    name: 'put aside for the back button',
    fault: 'stall-middle',
    async meanwhile(stage) {
      await stage.heard(6);
      say(window, 'pagehide', {persisted: true});
      assert.equal(stage.session.connection.phase, 'paused');
      say(window, 'pageshow', {persisted: true});
    },
    end: undisturbed(0),
  },
  {
    name: 'offline, cut, and online again',
    fault: 'cut-when-told',
    async meanwhile(stage) {
      await stage.heard(6);
      network(false);
      assert.equal(stage.session.connection.phase, 'open');
      await stage.server('go');
      await stage.phase('waiting');
      assert.equal(stage.session.connection.error?.code, 'offline');
      network(true);
    },
    end: undisturbed(1),
  },
  {
    name: 'another network under an open connection',
    fault: 'stall-middle',
    async meanwhile(stage) {
      await stage.heard(6);
      network(false);
      network(true);
    },
    end: undisturbed(0),
  },
  {name: 'a server that replays all after each cut', fault: 'replays-all', end: undisturbed(5)},
  {name: 'a server that goes on too far ahead', fault: 'cursor-ahead', history: true, end: {as: 'history'}},
  {name: 'frames of a foreign run in the middle', fault: 'foreign-run', end: {as: 'beside'}},
  {name: 'the whole body twice', fault: 'body-twice', end: undisturbed(0)},
  {name: 'each frame twice', fault: 'frames-doubled', end: undisturbed(0)},
  {name: 'a replay in another order', fault: 'replay-reordered', end: undisturbed(1)},
  {name: 'an end without done', fault: 'end-without-done', history: true, end: {as: 'history'}},
  {name: 'one byte at a time', fault: 'none', pieces: 1, end: undisturbed(0)},
  {name: 'CRLF line ends', fault: 'crlf', end: undisturbed(0)},
  {name: 'CRLF line ends, one byte at a time', fault: 'crlf', pieces: 1, end: undisturbed(0)},
  {name: 'CR line ends', fault: 'cr', end: undisturbed(0)},
  {name: 'a byte order mark', fault: 'bom', end: undisturbed(0)},
  {name: 'comments, unknown fields and empty frames', fault: 'noise', end: undisturbed(0)},
  {name: 'a frame that is no JSON', fault: 'not-json', end: undisturbed(0)},
  {
    name: 'a server that says when to come back',
    fault: 'retry',
    random: 1,
    async meanwhile(stage) {
      await stage.phase('waiting');
      const {clock, session} = stage;
      assert.ok(session.connection.retryAt! - clock.now() <= 70);
    },
    end: undisturbed(1),
  },
  {
    name: 'a server that says to come back in eleven days',
    fault: 'retry-endless',
    random: 1,
    async meanwhile(stage) {
      await stage.phase('waiting');
      stage.clock.jump(20_000);
    },
    end: undisturbed(1),
  },
  {name: 'a frame over the limit', fault: 'oversized', end: reconnect('frame-too-large')},
];

before(() => loadModel());

const stages: Stage[] = [];
const staged = (options: StageOptions) => {
  const stage = new Stage(options);
  stages.push(stage);
  return stage;
};
afterEach(() => {
  for (const stage of stages.splice(0)) stage.remove();
  delete (document as {visibilityState?: unknown}).visibilityState;
  delete (navigator as {onLine?: unknown}).onLine;
});

interface Shown {
  readonly facts: unknown;
  readonly rows: unknown;
}

async function shown({element}: Stage): Promise<Shown> {
  return {facts: facts(element), rows: await rowsInAllModes(element)};
}

/** The turn as it is undisturbed, read once. */
let calm: Promise<Shown> | undefined;

async function readCalm(): Promise<Shown> {
  const stage = staged({fault: 'none'});
  await stage.phase('ended');
  return shown(stage);
}

/** What is left of a turn in a history: what was asked, what was done, what was said, how it ended. */
function outcome({element}: Stage) {
  return element.snapshot!.turns.map(({answer, terminal, items}) => ({
    answer,
    terminal,
    tools: items.flatMap(({tool}) => (tool ? [tool.name] : [])),
  }));
}

const ANSWER = {
  answer: 'The file has drei Überschriften 🌱.',
  terminal: 'completed',
  tools: ['read_file', 'terminal'],
};

/** The error is one sentence that says what to do; the page shows it, and nothing claims that all is well. */
async function saysSo(stage: Stage, code: string): Promise<void> {
  await stage.phase('lost', 'ended');
  const {connection, transcript} = stage.session;
  assert.equal(connection.error?.code, code);
  assert.ok(/^[A-Z].{20,}\.$/.test(connection.error.message), connection.error.message);
  assert.ok(transcript.turns.every(({terminal}) => terminal !== 'completed'));
  await stage.element.updateComplete;
  const line = stage.element.shadowRoot!.querySelector('[part=status] .line');
  assert.equal(line?.textContent.trim(), connection.error.message);
}

for (const {name, meanwhile, end, ...options} of rows) {
  it(`${name}: ${end.as === 'undisturbed' ? 'ends as if undisturbed' : `ends by ${end.as}`}`, async () => {
    const expected = await (calm ??= readCalm());
    const stage = staged(options);
    await meanwhile?.(stage);
    if (end.as === 'undisturbed') {
      await stage.phase('ended');
      assert.equal(stage.session.connection.error, null);
      if (end.breaks !== undefined) assert.equal(stage.breaks, end.breaks, 'breaks');
      assert.deepEqual(await shown(stage), expected);
      return;
    }
    if (end.as === 'beside') {
      await stage.phase('ended');
      const [turn, ...others] = (facts(stage.element) as {turns: {runIds: string[]; degraded: boolean}[]})
        .turns;
      assert.deepEqual(turn, (expected.facts as {turns: unknown[]}).turns[0]);
      // Another run is another turn, and is not taken for a whole one.
      assert.ok(others.every(({runIds, degraded}) => runIds[0] !== RUN && degraded));
      await rowsInAllModes(stage.element);
      return;
    }
    if (end.as === 'history') {
      await stage.phase('ended', 'lost');
      await stage.settled();
    } else {
      await saysSo(stage, end.error);
      await stage.server('heal');
      stage.session.connect();
      await stage.settled();
      await stage.phase('ended');
      assert.deepEqual(await shown(stage), expected);
      return;
    }
    assert.deepEqual(outcome(stage), [ANSWER]);
    await rowsInAllModes(stage.element);
  });
}

it('makes thirty faults and more', () => {
  assert.ok(rows.length >= 30);
});
