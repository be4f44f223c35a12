/**
 * The fault page's server, as middleware: one recorded turn at `/fault/NAME/events/RUN?play=…`, told with the fault of
 * that name. `/fault/PLAY/go` lets a fault that waits go on, `/fault/PLAY/heal` ends it for good, `/fault/PLAY/asked`
 * says which cursors were asked for. `/monkey` says how long the random clicks go on.
 */
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const fixture = fileURLToPath(
  new URL('../../fixtures/hermes-webui/02-reasoning-tools-answer', import.meta.url),
);
// With characters of several bytes, so that there is something to tear.
const read = (ending) =>
  readFileSync(`${fixture}${ending}`, 'utf8').replaceAll('three headings', 'drei Überschriften 🌱');
const frames = read('.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const history = read('.settled.json');
/** The session as it was when the turn had just begun. */
const {session} = JSON.parse(history);
const beginning = {session: {...session, message_count: 1, messages: session.messages.slice(0, 1)}};
const RUN = frames[0].id.split(':')[0];
const STRANGER = 'f'.repeat(32);

const seqOf = (id) => Number(String(id ?? '').split(':')[1] ?? 0);
const encode = ({id, event, data}, end = '\n') =>
  [id && `id: ${id}`, `event: ${event}`, `data: ${JSON.stringify(data)}`, '', '']
    .filter((line) => line !== undefined)
    .join(end);
const frame = (event, data, id) => encode({id, event, data});
const texts = (some) => some.map((each) => encode(each));
const half = (text) => text.slice(0, text.length / 2);

/** One connection of a play, and what a fault may do with it. */
class Turn {
  constructor(play, response, {headers}) {
    this.play = play;
    this.response = response;
    this.headers = headers;
    this.attempt = play.asked.length;
    this.after = seqOf(headers['last-event-id']);
  }

  /** The frames that were asked for. */
  get rest() {
    return frames.filter(({id}) => seqOf(id) > this.after);
  }

  open(headers = {}) {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      ...headers,
    });
    this.response.flushHeaders();
    return this;
  }

  write(...chunks) {
    if (!this.response.headersSent) this.open();
    this.response.write(typeof chunks[0] === 'string' ? chunks.join('') : chunks[0]);
    return this;
  }

  end() {
    this.response.end();
  }

  /** Breaks the socket. */
  destroy() {
    this.response.destroy();
  }

  calm() {
    this.write(...texts(this.rest)).end();
  }

  refuse(status, headers = {}, body = '{"error": "No."}') {
    this.response.writeHead(status, {'content-type': 'application/json', ...headers});
    this.response.end(body);
  }

  /** Until the test says so. */
  go() {
    return new Promise((resolve) => this.play.waiting.push(resolve));
  }
}

const once = (fault) => (turn) => (turn.attempt === 1 ? fault(turn) : turn.calm());
const always = (status, headers, body) => (turn) => turn.refuse(status, headers, body);
/** The first frames, then what happens; from the second attempt on all is well. */
const after = (count, fault) => once((turn) => fault(turn.write(...texts(frames.slice(0, count)))));
const silence = () => undefined;

const faults = {
  none: (turn) => turn.calm(),
  'cut-each': (turn) => turn.write(...texts(turn.rest.slice(0, 1))).end(),
  'break-each-third': async (turn) => {
    turn.write(...texts(turn.rest.slice(0, 3)));
    await turn.go();
    turn.destroy();
  },
  'cut-inside-each': (turn) => {
    const [first, second] = texts(turn.rest);
    turn.write(first, half(second ?? '')).end();
  },
  'cut-inside-character': (turn) => {
    const bytes = Buffer.from(texts(turn.rest).join(''));
    const at = bytes.indexOf(Buffer.from('🌱'));
    if (turn.attempt > 1) return turn.calm();
    turn.write(bytes.subarray(0, at + 2)).end();
  },
  '502-first': once(always(502, {'content-type': 'text/html'}, '<h1>Bad gateway</h1>')),
  '502-middle': (turn) =>
    turn.attempt === 1
      ? turn.write(...texts(frames.slice(0, 6))).end()
      : turn.attempt < 5
        ? turn.refuse(502)
        : turn.calm(),
  '502-always': always(502),
  html: always(200, {'content-type': 'text/html'}, '<h1>Sign in</h1>'),
  401: (turn) => (turn.headers.authorization === 'fresh' ? turn.calm() : turn.refuse(401)),
  '401-middle': (turn) => {
    if (turn.attempt === 1) turn.write(...texts(frames.slice(0, 6))).end();
    else if (turn.headers.authorization === 'fresh') turn.calm();
    else turn.refuse(401);
  },
  403: always(403),
  404: always(404),
  409: always(409, {}, '{"active_stream_id": "other"}'),
  429: once(always(429, {'retry-after': '120'})),
  204: (turn) => turn.response.writeHead(204).end(),
  empty: (turn) => turn.open().end(),
  'empty-middle': (turn) =>
    turn.attempt === 1 ? turn.write(...texts(frames.slice(0, 6))).end() : turn.open().end(),
  buffered: async (turn) => {
    turn.open();
    await turn.go();
    turn.calm();
  },
  'stall-middle': after(6, silence),
  'stall-open': once((turn) => void turn.open()),
  'stall-request': once(silence),
  heartbeats: once(async (turn) => {
    turn.write(...texts(frames.slice(0, 6)));
    for (;;) {
      await turn.go();
      turn.write(': heartbeat\n\n');
    }
  }),
  'cut-when-told': once(async (turn) => {
    turn.write(...texts(frames.slice(0, 6)));
    await turn.go();
    turn.end();
  }),
  'replays-all': (turn) =>
    turn.attempt < 6
      ? turn.write(...texts(frames.slice(0, turn.attempt * 3))).end()
      : turn.write(...texts(frames)).end(),
  'cursor-ahead': (turn) =>
    turn.attempt === 1
      ? turn.write(...texts(frames.slice(0, 6))).end()
      : turn.write(...texts(turn.rest.slice(3))).end(),
  'foreign-run': (turn) => {
    const foreign = [
      frame('reasoning', {text: 'Somebody else’s thought.'}, `${STRANGER}:1`),
      frame('token', {text: 'Somebody else’s answer.'}, `${STRANGER}:2`),
    ];
    const own = texts(turn.rest);
    turn.write(...own.slice(0, 8), ...foreign, ...own.slice(8)).end();
  },
  'body-twice': (turn) => turn.write(...texts(frames.slice(0, -1)), ...texts(frames)).end(),
  'frames-doubled': (turn) => turn.write(...texts(turn.rest.flatMap((each) => [each, each]))).end(),
  'replay-reordered': (turn) =>
    turn.attempt === 1
      ? turn.write(...texts(frames.slice(0, 8))).end()
      : turn.write(...texts(frames.slice(0, 8).reverse()), ...texts(frames.slice(8))).end(),
  'synthetic-end': after(8, (turn) => {
    const message = 'The worker stopped.';
    turn.write(frame('apperror', {type: 'interrupted', recovery_control: true, message})).end();
  }),
  'synthetic-then-true': (turn) => {
    const message = 'The worker stopped.';
    const own = texts(turn.rest);
    const guess = frame('apperror', {type: 'interrupted', recovery_control: true, message}, `${RUN}:8`);
    turn.write(...own.slice(0, 8), guess, ...own.slice(8)).end();
  },
  'end-without-done': (turn) => turn.write(...texts(turn.rest.filter(({event}) => event !== 'done'))).end(),
  crlf: (turn) => turn.write(...turn.rest.map((each) => encode(each, '\r\n'))).end(),
  cr: (turn) => turn.write(...turn.rest.map((each) => encode(each, '\r'))).end(),
  bom: (turn) => turn.write('\uFEFF', ...texts(turn.rest)).end(),
  noise: (turn) =>
    turn.write(...texts(turn.rest).map((text) => `: noise\nunknown: field\n${text}\n\n`)).end(),
  retry: after(6, (turn) => turn.write('retry: 70\n\n').end()),
  'retry-endless': after(6, (turn) => turn.write('retry: 999999999\n\n').end()),
  oversized: (turn) => {
    turn.write(...texts(frames.slice(0, 6)), 'event: token\ndata: ');
    const megabyte = 'x'.repeat(2 ** 20);
    for (let n = 0; n < 34; n++) turn.write(megabyte);
    turn.write('\n\n').end();
  },
  'not-json': (turn) => {
    const own = texts(turn.rest);
    turn.write(...own.slice(0, 8), 'event: token\ndata: {"text": "torn\n\n', ...own.slice(8)).end();
  },
};

/** From the environment: the first seed, how many runs, how long each, in ms. */
const {HERMES_MONKEY_SEED = '1', HERMES_MONKEY_RUNS = '10', HERMES_MONKEY_MS = '2000'} = process.env;
const monkey = {
  seed: Number(HERMES_MONKEY_SEED),
  runs: Number(HERMES_MONKEY_RUNS),
  ms: Number(HERMES_MONKEY_MS),
};

const plays = new Map();
const playOf = (id) => {
  if (!plays.has(id)) plays.set(id, {asked: [], waiting: [], healed: false});
  return plays.get(id);
};

const json = (response, value) => {
  response.writeHead(200, {'content-type': 'application/json', 'cache-control': 'no-store'});
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};

export const faultPage = (context, next) => {
  if (context.path === '/monkey') return void (context.body = monkey);
  const [, root, name, what] = context.path.split('/');
  if (root !== 'fault' || !what) return next();
  const {req, res} = context;
  // Faults write by themselves; Koa stays out.
  context.respond = false;
  if (what === 'history') return json(res, playOf(context.query.play).asked.length > 0 ? history : beginning);
  if (what === 'events') return answer(faults[name], playOf(context.query.play), req, res);
  const play = playOf(name);
  if (what === 'heal') play.healed = true;
  for (const go of what === 'asked' ? [] : play.waiting.splice(0)) go();
  return json(res, play.asked);
};

function answer(fault, play, request, response) {
  play.asked.push(request.headers['last-event-id'] ?? null);
  const turn = new Turn(play, response, request);
  response.on('error', () => undefined);
  return play.healed ? turn.calm() : fault(turn);
}
