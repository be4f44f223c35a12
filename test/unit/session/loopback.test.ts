/** The real recordings of Hermes WebUI, served by a real socket with faults: every session ends as an undisturbed one. */
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import fc from 'fast-check';
import {
  encodeFrame,
  parseEventId,
  readRecording,
  streamEnding,
  type SourceEvent,
} from '../../../src/protocol/index.js';
import {loadModel, Session} from '../../../src/session/index.js';
import type {Clock} from '../../../src/transport/index.js';

await loadModel();

const fixtures = join(import.meta.dirname, '../../fixtures/hermes-webui-real');
const read = (name: string) => readFileSync(join(fixtures, name), 'utf8');

/** What happens to one request of the stream. */
type Fault =
  | {readonly kind: 'cut'; readonly bytes: number}
  | {readonly kind: 'status'; readonly code: 502 | 503 | 404}
  | {readonly kind: 'reset'}
  /** The reader reloads the page. */
  | {readonly kind: 'reload'; readonly bytes: number};

let events: readonly SourceEvent[] = [];
let settledBody = '';
let sessionId = '';
let run = '';
let faults: Fault[] = [];
let reload: () => void = () => undefined;
let round = 0;
/** True once somebody is sent the run to its end. */
let over = false;

const server = createServer((request, response) => {
  const {pathname: path, searchParams} = new URL(request.url!, 'http://a');
  // What an earlier round still asks is not of this one.
  if (!path.startsWith(`/${round}/`)) return void response.writeHead(404).end();
  const pathname = path.slice(`/${round}`.length);
  const json = (value: unknown) =>
    response
      .setHeader('content-type', 'application/json')
      .end(typeof value === 'string' ? value : JSON.stringify(value));
  switch (pathname) {
    case '/api/session':
      return void json(over ? settledBody : pending());
    case '/api/chat/stream/status':
      return void json({active: !over, stream_id: run, replay_available: true});
    case '/api/approval/pending':
    case '/api/clarify/pending':
      return void json({pending: null, pending_count: 0});
    case '/api/session/status':
      return void json({message_count: 0, active_stream_id: over ? null : run});
    case '/api/chat/stream':
      return void stream(searchParams, request.headers['last-event-id'], response);
    default:
      response.writeHead(404).end();
  }
});

before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close().closeAllConnections());

function pending() {
  const {session} = JSON.parse(settledBody) as {
    session: {messages: {role: string; timestamp: number; content: string}[]};
  };
  const asked = session.messages.findLast(({role}) => role === 'user')!;
  return {
    session: {
      ...session,
      updated_at: asked.timestamp,
      messages: session.messages.slice(0, session.messages.indexOf(asked)),
      message_count: session.messages.indexOf(asked),
      active_stream_id: run,
      pending_user_message: asked.content,
      pending_started_at: asked.timestamp,
    },
  };
}

async function stream(
  query: URLSearchParams,
  header: string | string[] | undefined,
  response: ServerResponse,
) {
  const fault = faults.shift();
  const asked = round;
  over = fault === undefined;
  if (fault?.kind === 'reset') return void response.destroy();
  if (fault?.kind === 'status')
    return void response.writeHead(fault.code, {'content-type': 'text/html'}).end('<h1>Sorry</h1>');
  const after = query.has('replay') || typeof header !== 'string' ? 0 : (parseEventId(header)?.seq ?? 0);
  const rest = events.filter(({id}) => (parseEventId(id ?? '')?.seq ?? 0) > after);
  const bytes = Buffer.from(rest.map(encodeFrame).join(''));
  response.writeHead(200, {'content-type': 'text/event-stream'});
  response.write(bytes.subarray(0, fault ? Math.min(fault.bytes, bytes.length) : bytes.length));
  // What was written is read before the connection goes.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  if (fault?.kind === 'reload' && asked === round) reload();
  if (fault) response.destroy();
  else response.end();
}

/** Waits for another attempt are over at once; those for more of an open body, or to write a copy, last. */
const impatient: Clock = {
  now: () => 0,
  setTimeout: (go, ms) => (ms === 45_000 || ms === 10_000 || ms === 1000 ? undefined : setImmediate(go)),
  clearTimeout: (timer) => clearImmediate(timer as NodeJS.Immediate),
};

/** The turns of a session that goes through these faults, as its reader ends up seeing them. */
async function readThrough(planned: readonly Fault[]): Promise<object[]> {
  faults = [...planned];
  over = false;
  round++;
  const source = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${round}`,
    sessionId,
    wire: 'hermes-webui',
  };
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const page = () => ({
    document: Object.assign(new EventTarget(), {visibilityState: 'visible'}),
    window: new EventTarget(),
    navigator: {onLine: true},
  });
  return new Promise((resolve, reject) => {
    let last: Session | null = null;
    const late = setTimeout(
      () => reject(new Error(JSON.stringify([planned, last?.connection, last?.problem, last?.snapshot]))),
      10_000,
    );
    const open = () => {
      const at = page();
      const session = new Session({clock: impatient, random: () => 0, storage, page: at});
      last = session;
      reload = () => {
        at.window.dispatchEvent(new Event('pagehide'));
        session.disconnect();
        open();
      };
      session.subscribe(() => {
        const {turns} = session.snapshot;
        if (turns.at(-1)?.status !== 'settled' || session.connection.phase !== 'ended') return;
        clearTimeout(late);
        reload = () => undefined;
        session.disconnect();
        resolve(turns.map(({stats: _stats, applied: _applied, cursor: _cursor, ...turn}) => turn));
      });
      session.open(source);
    };
    open();
  });
}

const someFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({kind: fc.constant('cut' as const), bytes: fc.nat({max: 4000})}),
  fc.record({kind: fc.constant('reload' as const), bytes: fc.nat({max: 4000})}),
  fc.record({
    kind: fc.constant('status' as const),
    code: fc.constantFrom(502 as const, 503 as const, 404 as const),
  }),
  fc.record({kind: fc.constant('reset' as const)}),
);

for (const name of ['plain', 'tools', 'reasoning', 'todo', 'error']) {
  test(`${name}: cut, refused, reset and reloaded anywhere, it ends as undisturbed`, async () => {
    const live = name === 'error' ? 'error/plain-live.sse' : `${name}/live.sse`;
    const all = readRecording(read(live), 'sse').events;
    events = all.slice(0, all.findIndex((event) => streamEnding(event) === 'close') + 1);
    settledBody = read(name === 'error' ? 'error/plain-session.json' : `${name}/session.json`);
    sessionId = (JSON.parse(settledBody) as {session: {session_id: string}}).session.session_id;
    run = parseEventId(events[0]!.id!)!.run;
    const undisturbed = await readThrough([]);
    assert.equal(undisturbed.length, 1);
    await fc.assert(
      fc.asyncProperty(fc.array(someFault, {maxLength: 6}), async (planned) => {
        assert.deepEqual(await readThrough(planned), undisturbed);
      }),
      {numRuns: 30, endOnFailure: true},
    );
  });
}
