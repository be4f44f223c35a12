/**
 * Faults of the full form: `base` and `session-id` at both servers. The session finds its stream by itself, loses it in
 * the ways a network and a server know, and ends as undisturbed.
 */
import '../../../src/define.js';
import {loadModel, Session} from '../../../src/index.js';
import {encodeFrame, parseEventId} from '../../../src/protocol/index.js';
import * as assert from '../../support/assert.js';
import {facts, inSight, rowsInAllModes} from '../journeys/stage.js';
import {JumpingClock, until} from './stage.js';

const RUN = 'r1';
const json = (value: object, status = 200) => Response.json(value, {status});
const frame = (seq: number, name: string | null, data: object) =>
  encodeFrame({id: `${RUN}:${seq}`, name, data});

/** One of the two servers: the frames of its run, and what it answers beside them. */
interface Wire {
  readonly wire: string | undefined;
  readonly frames: readonly string[];
  isStream(path: string): boolean;
  /** What is asked besides the stream; `over` once the run has ended. */
  answer(path: string, over: boolean): Response;
}

const said = {role: 'user', content: 'Build it', timestamp: 50};
const messages = [said, {role: 'assistant', content: 'It is built.', timestamp: 60}];
const webuiSession = (over: boolean) => ({
  session: {
    session_id: 's1',
    updated_at: over ? 60 : 50,
    message_count: over ? 2 : 0,
    messages: over ? messages : [],
    active_stream_id: over ? null : RUN,
    ...(!over && {pending_user_message: 'Build it', pending_started_at: 50}),
  },
});

const webui: Wire = {
  wire: 'hermes-webui',
  frames: [
    frame(1, 'reasoning', {text: 'How? '}),
    frame(2, 'token', {text: 'It '}),
    frame(3, 'token', {text: 'is '}),
    frame(4, 'token', {text: 'built.'}),
    frame(5, 'done', webuiSession(true)),
    frame(6, 'stream_end', {session_id: 's1'}),
  ],
  isStream: (path) => path === '/api/chat/stream',
  answer(path, over) {
    if (path === '/api/session') return json(webuiSession(over));
    if (path === '/api/chat/stream/status') return json({active: !over, replay_available: !over});
    if (path === '/api/session/status') return json({message_count: over ? 2 : 0, active_stream_id: null});
    if (path === '/api/session/stream')
      return new Response(new ReadableStream(), {headers: {'content-type': 'text/event-stream'}});
    return json({pending: null, pending_count: 0});
  },
};

const event = (seq: number, name: string, more: object) =>
  frame(seq, null, {event: name, run_id: RUN, session_id: 's1', seq, timestamp: 50 + seq, ...more});
const gateway: Wire = {
  wire: undefined,
  frames: [
    event(1, 'run.started', {turn_id: RUN, prompt: 'Build it'}),
    event(2, 'thought.delta', {delta: 'How? '}),
    event(3, 'message.delta', {delta: 'It '}),
    event(4, 'message.delta', {delta: 'is '}),
    event(5, 'message.delta', {delta: 'built.'}),
    event(6, 'run.completed', {output: 'It is built.', stop_reason: 'end_turn'}),
  ],
  isStream: (path) => path.endsWith('/events') || path.includes('/events/'),
  answer: (_path, over) =>
    json({transcript: null, cursor: null, activeRunId: over ? null : RUN, pendingPermissions: []}),
};

/** What the stream does at an attempt, from 1; null to go on to the end. */
type Fault = (attempt: number, fresh: boolean) => 'cut' | 'down' | 'made-up-end' | 502 | 401 | null;

const faults: Record<string, Fault> = {
  'a cut behind each frame': () => 'cut',
  'a 502 first, and after a cut thrice more': (attempt) =>
    attempt === 2 ? 'cut' : attempt <= 5 ? 502 : null,
  'a cut, 401, then a fresh token': (attempt, fresh) => (attempt === 1 ? 'cut' : fresh ? null : 401),
  'a restart: cut, nobody there, and the same run again': (attempt) =>
    attempt === 1 ? 'cut' : attempt < 4 ? 'down' : null,
};

class Server {
  readonly clock = new JumpingClock();
  readonly session = new Session({clock: this.clock, random: () => 0});
  readonly element = document.createElement('hermes-transcript');
  attempts = 0;
  over = false;
  #refused = false;
  /** Whether the last frame will be heard. */
  #tellsAll = true;

  constructor(
    readonly wire: Wire,
    readonly fault: Fault,
  ) {
    this.element.session = this.session;
    inSight(this.element);
    // A reader at the end, whatever else is in the page: what they see stays open where they have scrolled away.
    this.element.style.cssText = 'position: fixed; inset: 0; block-size: 100vh';
    document.body.append(this.element);
    this.session.open({
      base: '/full',
      sessionId: 's1',
      wire: wire.wire,
      cache: 'none',
      fetch: this.#fetch,
      headers: () => ({authorization: this.#refused ? 'fresh' : 'stale'}),
    });
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    const path = new URL(input as string, document.baseURI).pathname.replace('/full', '');
    const headers = new Headers(init?.headers);
    await Promise.resolve();
    if (!this.wire.isStream(path)) return this.wire.answer(path, this.over);
    const fault = this.fault(++this.attempts, headers.get('authorization') === 'fresh');
    this.#refused ||= fault === 401;
    if (typeof fault === 'number') return json({error: 'No.'}, fault);
    if (fault === 'down') throw new TypeError('fetch failed');
    const rest = this.wire.frames.slice(parseEventId(headers.get('last-event-id') ?? '')?.seq ?? 0);
    const told = fault === null ? rest : rest.slice(0, fault === 'cut' ? 1 : 2);
    const guess = {type: 'interrupted', recovery_control: true, message: 'The worker stopped.'};
    if (fault === 'made-up-end') {
      told.push(encodeFrame({id: `${RUN}:3`, name: 'apperror', data: guess}));
      this.over = true;
      this.#tellsAll = false;
    }
    if (told.length === rest.length) this.over = true;
    return new Response(told.join(''), {headers: {'content-type': 'text/event-stream'}});
  };

  /** Until the turn has ended, as its server knows it; time that is waited for passes at once. */
  async ended(): Promise<void> {
    const {session} = this;
    await until(
      () => {
        this.clock.jump(2000);
        const turn = session.transcript.turns.at(-1);
        const isHeard = !this.#tellsAll || turn?.cursor === `${RUN}:${this.wire.frames.length}`;
        return turn?.status === 'settled' && turn.answerComplete && isHeard;
      },
      () => `the end; ${session.connection.phase} ${session.connection.error?.code} ${this.attempts}`,
    );
  }

  remove(): void {
    this.session.disconnect();
    this.element.remove();
  }
}

const servers: Server[] = [];
async function told(wire: Wire, fault: Fault) {
  const server = new Server(wire, fault);
  servers.push(server);
  await server.ended();
  return {server, facts: facts(server.element), rows: await rowsInAllModes(server.element)};
}

before(() => loadModel());
afterEach(() => {
  for (const server of servers.splice(0)) server.remove();
});

for (const [name, wire] of Object.entries({webui, gateway})) {
  describe(`the full form at ${name}`, () => {
    for (const [what, fault] of Object.entries(faults)) {
      it(`${what}: ends as if undisturbed`, async () => {
        const calm = await told(wire, () => null);
        const spoilt = await told(wire, fault);
        assert.ok(spoilt.server.attempts > 1, 'asked again');
        assert.deepEqual(spoilt.facts, calm.facts);
        assert.deepEqual(spoilt.rows, calm.rows);
      });
    }
  });
}

it('a restart of Hermes WebUI with a made-up end: the session that repairs itself tells the true one', async () => {
  const {server} = await told(webui, (attempt) => (attempt === 1 ? 'made-up-end' : null));
  const {turns} = server.session.transcript;
  assert.deepEqual(
    turns.map(({prompt, answer, terminal}) => [prompt, String(answer), terminal]),
    [['Build it', 'It is built.', 'completed']],
  );
});
