/** Streams: every reader is a cursor into the journal; what is replayed is what was live, byte for byte. */
import assert from 'node:assert/strict';
import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {after, before, describe, test} from 'node:test';
import {setImmediate as turn, setTimeout as delay} from 'node:timers/promises';
import type {Clock} from '../../../../src/gateway/clock.js';
import {createFrameDecoder, type SourceEvent} from '../../../../src/protocol/index.js';
import {BASE, startApp, type AppServer} from './app-server.js';

function framesIn(bytes: string): SourceEvent[] {
  const events: SourceEvent[] = [];
  const decoder = createFrameDecoder({onEvent: (event) => void events.push(event)});
  decoder.push(bytes);
  assert.equal(decoder.end(), false, 'the body ends with a whole frame');
  return events;
}

const idsIn = (bytes: string) => framesIn(bytes).map(({id}) => id);
const delta = (text: string) => ({event: 'message.delta', delta: text});
const completed = {event: 'run.completed', output: 'Done.'};

/** Reads a body until something stands in it. */
async function readUntil(response: IncomingMessage, wanted: string): Promise<string> {
  let read = '';
  response.setEncoding('utf8');
  while (!read.includes(wanted)) {
    const piece = response.read() as string | null;
    if (piece !== null) read += piece;
    else if (response.readableEnded) assert.fail(`the stream ended without ${wanted}: ${read}`);
    else await Promise.race([once(response, 'readable'), once(response, 'end')]);
  }
  return read;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

for (const web of [false, true]) {
  describe(web ? 'as a web stream' : "on Node's raw response", () => {
    let server: AppServer;
    let made = 0;

    before(async () => {
      server = await startApp({}, {web});
    });
    after(() => server.close());

    /** A session of two runs, the first over: a:1–a:4, s:1, b:1–b:2. */
    async function session(): Promise<{id: string; a: string; b: string}> {
      const id = `s${++made}`;
      const [a, b] = [`a${made}`, `b${made}`];
      await server.service.make(id);
      await server.service.say(id, a, {event: 'run.started'}, delta('Two\nlines, one é.'));
      await server.service.say(id, a, delta('More.'), completed);
      await server.service.say(id, `s.${id}`, {event: 'session.info', title: 'T'});
      await server.service.say(id, b, {event: 'run.started'}, delta('Second.'));
      return {id, a, b};
    }

    test('a run is sent to its end, with headers that keep proxies from gathering it', async () => {
      const {a} = await session();
      const {status, headers, body} = await server.ask(`events/${a}`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-store, no-transform');
      assert.equal(headers['x-accel-buffering'], 'no');
      assert.match(body, /^retry: 2000\n\n/);
      const frames = framesIn(body);
      assert.deepEqual(idsIn(body), [`${a}:1`, `${a}:2`, `${a}:3`, `${a}:4`]);
      assert.ok(frames.every(({name}) => name === null));
      assert.equal((JSON.parse(frames[1]!.data as string) as {delta: string}).delta, 'Two\nlines, one é.');
    });

    test('frames are named for readers who ask for it', async () => {
      const {a} = await session();
      const names = framesIn((await server.ask(`events/${a}?named=1`)).body).map(({name}) => name);
      assert.deepEqual(names, ['run.started', 'message.delta', 'message.delta', 'run.completed']);
    });

    const cursors: readonly (readonly [string, (a: string) => string, (a: string) => string, number])[] = [
      ['no cursor', () => '', () => '', 1],
      ['the header', (a) => `${a}:2`, () => '', 3],
      ['after_seq', () => '', () => '?after_seq=3', 4],
      ['after_event_id', () => '', (a) => `?after_event_id=${a}:1`, 2],
      ['the query before the header', (a) => `${a}:3`, (a) => `?after_event_id=${a}:1`, 2],
      ['a query that cannot be read, before the header', (a) => `${a}:3`, () => '?after_seq=x', 1],
      ['zero', () => '', () => '?after_seq=0', 1],
      ['less than zero', () => '', () => '?after_seq=-4', 1],
      ['an id beyond the end', () => '', (a) => `?after_event_id=${a}:99`, 1],
      ['an id of another run', () => '', () => '?after_event_id=other:2', 1],
      ['no id at all', () => 'nonsense', () => '', 1],
      ['a number beyond all numbers', () => '', () => '?after_seq=99999999999999999999', 1],
    ];
    for (const [what, header, query, first] of cursors) {
      test(`a run continues after ${what}`, async () => {
        const {a} = await session();
        const lastId = header(a);
        const headers = lastId === '' ? {} : {'last-event-id': lastId};
        const {body} = await server.ask(`events/${a}${query(a)}`, {headers});
        const expected = [1, 2, 3, 4].filter((seq) => seq >= first).map((seq) => `${a}:${seq}`);
        assert.deepEqual(idsIn(body), expected);
      });
    }

    test('who has read all of a run is told to come no more', async () => {
      const {a} = await session();
      const {status, body} = await server.ask(`events/${a}`, {headers: {'last-event-id': `${a}:4`}});
      assert.deepEqual({status, body}, {status: 204, body: ''});
    });

    test('a session is one order of all its runs, and goes on after any of its frames', async () => {
      const {id, a, b} = await session();
      const whole = await server.open(`sessions/${id}/events`);
      const rest = await server.open(`sessions/${id}/events`, {headers: {'last-event-id': `${a}:3`}});
      await server.service.say(id, b, delta('Live.'));
      const all = [`${a}:1`, `${a}:2`, `${a}:3`, `${a}:4`, `s.${id}:1`, `${b}:1`, `${b}:2`, `${b}:3`];
      assert.deepEqual(idsIn(await readUntil(whole, 'Live.')), all);
      assert.deepEqual(idsIn(await readUntil(rest, 'Live.')), all.slice(3));
      whole.destroy();
      rest.destroy();
    });

    test('a replay from any cursor is the bytes that were live', async () => {
      const {id, b} = await session();
      const live = await server.open(`events/${b}?after_seq=0`);
      for (let n = 0; n < 20; n++) {
        await server.service.say(id, b, delta(`${n} – \u2028 "quoted" \r\n`), delta('x'.repeat(n * 500)));
        if (n % 3 === 0) await turn();
      }
      await server.service.say(id, b, completed);
      const bytes = await text(live);
      const frames = bytes.split('\n\n').slice(1, -1);
      assert.equal(frames.length, 43);
      for (const seq of [0, 1, 7, 20, 41, 42]) {
        const {body} = await server.ask(`events/${b}?after_seq=${seq}`);
        assert.equal(body, ['retry: 2000', ...frames.slice(seq), ''].join('\n\n'));
      }
    });

    test('a reader that leaves is let go of at once', async () => {
      const {id} = await session();
      const response = await server.open(`sessions/${id}/events`);
      await until(() => server.app.openStreams === 1);
      assert.equal(server.service.readers, 1);
      response.destroy();
      await until(() => server.app.openStreams === 0);
      assert.equal(server.service.readers, 0);
    });

    test('a reader that left before its stream began is not served', async () => {
      const {id} = await session();
      const {service} = server;
      let allow = () => {};
      const allowed = new Promise<void>((resolve) => (allow = resolve));
      let isAsked = false;
      service.readable = async (_caller, scope) => {
        isAsked = true;
        await allowed;
        return scope;
      };
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`GET ${BASE}/sessions/${id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      await until(() => isAsked);
      socket.destroy();
      await once(socket, 'close');
      await delay(50);
      allow();
      await delay(50);
      delete (service as {readable?: unknown}).readable;
      assert.equal(server.app.openStreams, 0);
      assert.deepEqual(server.faults, []);
    });

    test('a connection is used again after a run, and an old client is served too', async () => {
      const {a} = await session();
      const socket = connect(server.port, '127.0.0.1');
      const request = (version: string) =>
        `GET ${BASE}/events/${a} HTTP/${version}\r\nhost: localhost\r\n\r\n`;
      socket.write(request('1.1'));
      let read = '';
      socket.setEncoding('utf8').on('data', (piece: string) => (read += piece));
      await until(() => read.endsWith('0\r\n\r\n'));
      socket.write(request('1.0'));
      await once(socket, 'end');
      assert.equal(read.match(/"run.completed"/g)?.length, 2);
    });

    test('a HEAD opens no stream', async () => {
      const {id} = await session();
      const {status, headers, body} = await server.ask(`sessions/${id}/events`, {method: 'HEAD'});
      assert.deepEqual(
        [status, headers['content-type'], body],
        [200, 'text/event-stream; charset=utf-8', ''],
      );
      assert.equal(server.app.openStreams, 0);
    });

    test('two hundred readers of one run all get all of it, soon', async () => {
      const {id, b} = await session();
      const readers = await Promise.all(Array.from({length: 200}, () => server.open(`events/${b}`)));
      const bodies = readers.map((reader) => text(reader));
      const began = performance.now();
      for (let n = 0; n < 50; n++) {
        await server.service.say(id, b, delta(`word ${n}`));
        await turn();
      }
      await server.service.say(id, b, completed);
      const [first, ...others] = await Promise.all(bodies);
      assert.equal(idsIn(first!).length, 53);
      assert.ok(others.every((body) => body === first));
      assert.ok(performance.now() - began < 20_000);
      await until(() => server.app.openStreams === 0);
    });

    test('a removed session ends its streams cleanly, after the terminal event of its run', async () => {
      const {id, b} = await session();
      const streams = await Promise.all([server.open(`sessions/${id}/events`), server.open(`events/${b}`)]);
      const bodies = streams.map(
        async (stream) => (await readUntil(stream, 'Second.')) + (await text(stream)),
      );
      await until(() => server.app.openStreams === 2);
      // Both at once: no reader has seen the event when the session goes.
      const said = server.service.say(id, b, {event: 'run.failed', error: 'The session was removed.'});
      await Promise.all([said, server.journal.removeSession(id)]);
      for (const body of await Promise.all(bodies)) assert.equal(idsIn(body).at(-1), `${b}:3`);
      assert.ok(streams.every(({complete}) => complete));
      assert.equal((await server.ask(`sessions/${id}/events`)).status, 404);
      assert.deepEqual(server.faults, []);
    });

    test('streams end after what the journal holds, and new ones are refused, when the gateway stops', async () => {
      const ending = await startApp({}, {web});
      await ending.service.make('s');
      await ending.service.say('s', 'r', {event: 'run.started'});
      const streams = await Promise.all([ending.open('sessions/s/events'), ending.open('events/r')]);
      const bodies = streams.map((stream) => text(stream));
      ending.app.refuseNew();
      const said = ending.service.say('s', 'r', {event: 'run.failed', error: 'Stopped.'});
      await said;
      await ending.app.endStreams(5000);
      for (const body of await Promise.all(bodies)) assert.deepEqual(idsIn(body), ['r:1', 'r:2']);
      assert.equal((await ending.ask('sessions/s/events')).json['code'], 'stopping');
      const refused = await ending.ask('runs', {method: 'POST', body: {sessionId: 's', prompt: 'Hi'}});
      assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5']);
      assert.equal((await ending.ask('health')).status, 503);
      await ending.close();
    });
  });
}

/** A clock that stands until it is moved. */
class HandClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Map<object, {readonly at: number; readonly callback: () => void}>();

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): object {
    const timer = {};
    this.#timers.set(timer, {at: this.#now + ms, callback});
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as object);
  }

  get timers(): number {
    return this.#timers.size;
  }

  forward(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, {at}]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = due[1].at;
      due[1].callback();
    }
    this.#now = end;
  }
}

test('a silent stream says that it lives, and one that speaks does not', async () => {
  const clock = new HandClock();
  const server = await startApp({clock});
  await server.service.make('s');
  await server.service.say('s', 'r', {event: 'run.started'});
  const stream = await server.open('events/r');
  await readUntil(stream, 'run.started');
  clock.forward(10_000);
  await server.service.say('s', 'r', delta('Ten.'));
  assert.doesNotMatch(await readUntil(stream, 'Ten.'), /heartbeat/);
  clock.forward(14_000);
  await server.service.say('s', 'r', delta('Soon.'));
  assert.doesNotMatch(await readUntil(stream, 'Soon.'), /heartbeat/);
  clock.forward(15_000);
  assert.equal(await readUntil(stream, 'heartbeat\n\n'), ': heartbeat\n\n');
  clock.forward(15_000);
  assert.equal(await readUntil(stream, 'heartbeat\n\n'), ': heartbeat\n\n');
  stream.destroy();
  await until(() => server.app.openStreams === 0);
  assert.equal(clock.timers, 0);
  await server.close();
});

for (const web of [false, true]) {
  test(`a reader that does not read is not fed, holds nobody back, and is cut (${web ? 'web' : 'raw'})`, async () => {
    const clock = new HandClock();
    const server = await startApp({clock, limits: {stallMs: 20_000}}, {web});
    await server.service.make('s');
    await server.service.say('s', 'r', {event: 'run.started'});
    const lazy = connect(server.port, '127.0.0.1');
    lazy.pause();
    lazy.on('error', () => undefined);
    lazy.write(`GET ${BASE}/events/r HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await until(() => server.app.openStreams === 1);
    const before = process.memoryUsage().rss;
    const long = 'x'.repeat(500_000);
    for (let n = 0; n < 60; n++) await server.service.say('s', 'r', delta(long));
    const eager = await server.open('events/r?after_seq=55');
    await server.service.say('s', 'r', completed);
    assert.equal(idsIn(await text(eager)).length, 7);
    assert.equal(server.app.openStreams, 1, 'the lazy reader still stands');
    assert.ok(process.memoryUsage().rss - before < 200e6);
    clock.forward(19_000);
    assert.equal(server.app.openStreams, 1);
    clock.forward(2000);
    await until(() => server.app.openStreams === 0);
    await server.close();
    lazy.destroy();
  });
}

test('a subject has so many streams and no more, and so has the gateway', async () => {
  const authorize = ({headers}: Request) => ({subject: headers.get('x-user') ?? 'local'});
  const server = await startApp({authorize, limits: {perSubject: 2, total: 3}});
  const open = (user: string) => server.open(`sessions/${user}/events`, {headers: {'x-user': user}});
  const ask = (user: string) => server.ask(`sessions/${user}/events`, {headers: {'x-user': user}});
  for (const user of ['ann', 'ben']) await server.service.make(user, user);
  const streams = [await open('ann'), await open('ann')];
  const third = await ask('ann');
  assert.deepEqual([third.status, third.json['code'], third.json['limit']], [429, 'too-many-connections', 2]);
  streams.push(await open('ben'));
  const fourth = await ask('ben');
  assert.deepEqual(
    [fourth.status, fourth.json['code'], fourth.headers['retry-after']],
    [503, 'overloaded', '5'],
  );
  streams[0]!.destroy();
  await until(() => server.app.openStreams === 2);
  streams.push(await open('ann'));
  for (const stream of streams) stream.destroy();
  await until(() => server.app.openStreams === 0);
  await server.close();
});
