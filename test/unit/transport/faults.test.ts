/** Faults of servers, proxies and networks: each a typed state, none an endless loop. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {encodeComment} from '../../../src/protocol/index.js';
import {END, Heard, LONG, token} from './heard.js';
import {down, HandBody, pieces, status, stream, type Answer} from './scripted-fetch.js';

const hanging: Answer = () => new Promise<Response>(() => undefined);
const silent: Answer = () => stream(new HandBody().stream);
const refused =
  (code: number, headers: Record<string, string>, body = ''): Answer =>
  () =>
    new Response(body, {status: code, headers});

// Silence.

test('a connection without any byte for 45 s is dropped and resumed', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream), pieces([END])]).run();
  body.write(token(1));
  await heard.run(44_999);
  assert.equal(heard.phase, 'open');
  await heard.run(1);
  assert.deepEqual([heard.phase, heard.code, body.cancelled], ['waiting', 'stalled', true]);
  await heard.run(LONG);
  assert.deepEqual([heard.asked(1).header, heard.ids, heard.phase], ['r:1', ['r:1', 'r:99'], 'ended']);
  heard.assertReleased();
});

test('any byte is life: a heartbeat, or a piece of a frame', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream)]).run();
  for (const piece of [encodeComment('heartbeat'), ':', ' slow', '\n\n', ...token(1)]) {
    await heard.run(40_000);
    body.write(piece);
  }
  await heard.run(44_000);
  assert.deepEqual([heard.phases, heard.ids], ['connecting open', ['r:1']]);
  heard.stream.close();
  heard.assertReleased();
});

test('a server that takes the request and never answers is dropped too', async () => {
  const heard = await new Heard([hanging, pieces([END])]).run(45_000);
  assert.deepEqual([heard.phase, heard.code], ['waiting', 'stalled']);
  await heard.run(LONG);
  assert.equal(heard.phase, 'ended');
});

for (const [fact, answer] of [
  ['never answers', hanging],
  ['answers and is silent', silent],
] as const) {
  test(`a server that ${fact} is given up, after a number of attempts that wait longer`, async () => {
    const heard = await new Heard([answer]).run(10 * LONG);
    assert.deepEqual([heard.phase, heard.code, heard.server.asked.length], ['lost', 'gave-up', 8]);
    assert.equal((heard.stream.state.error!.cause as {code?: string}).code, 'stalled');
    heard.assertReleased();
  });
}

test('the longest silence is the host’s to choose', async () => {
  const heard = await new Heard([silent], {longestSilence: 2000}).run(2000);
  assert.equal(heard.code, 'stalled');
});

test('a wire without ids and heartbeats is not dropped for being silent', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream)]).run();
  body.write('data: {"event":"message.delta"}\n\n');
  await heard.run(LONG);
  assert.equal(heard.phase, 'open');
  body.write(encodeComment('heartbeat'));
  await heard.run(LONG);
  assert.deepEqual([heard.phase, heard.code], ['lost', 'not-resumable'], 'once it had heartbeats, it is');
});

// Refusals that say more.

test('Retry-After is kept to, in seconds and as a date, within five minutes', async () => {
  const date = new Date(1_000_000 + 60_000).toUTCString();
  for (const [header, waits] of [
    ['30', 30_000],
    [date, 60_000],
    ['99999', 300_000],
    ['soon', 1000],
    ['-5', 1000],
  ] as const) {
    const heard = await new Heard([refused(503, {'retry-after': header}), pieces([END])]).run();
    assert.equal(heard.stream.state.retryAt! - heard.clock.now(), waits, header);
    await heard.run(LONG);
    assert.equal(heard.phase, 'ended');
  }
});

test('401 asks once more at once when headers are made anew, then is a state', async () => {
  let tokens = 0;
  const headers = () => ({authorization: `t${++tokens}`});
  const heard = await new Heard([pieces([token(1)], 'breaks'), status(401), pieces([END])], {headers}).run(
    LONG,
  );
  assert.deepEqual(
    heard.phases.split(' ').slice(-4),
    ['waiting', 'connecting', 'connecting', 'open', 'ended'].slice(-4),
  );
  assert.deepEqual(
    [heard.asked(2).header, heard.server.asked.at(-1)!.headers.get('authorization')],
    ['r:1', 't3'],
  );

  const refusedTwice = await new Heard([status(401)], {headers}).run(LONG);
  assert.deepEqual(
    [refusedTwice.phase, refusedTwice.code, refusedTwice.server.asked.length],
    ['lost', 'unauthorized', 2],
  );
  refusedTwice.stream.reconnect();
  await refusedTwice.run(LONG);
  assert.equal(refusedTwice.server.asked.length, 4, 'and each try of the reader is again two');
});

test('401 with fixed headers is a state at once', async () => {
  const heard = await new Heard([status(401)], {headers: {authorization: 'old'}}).run(LONG);
  assert.equal(heard.server.asked.length, 1);
});

test('409 carries what is in the way', async () => {
  const json = {'content-type': 'application/json'};
  const body = JSON.stringify({error: 'busy', active_stream_id: 'other'});
  const heard = await new Heard([refused(409, json, body)]).run(LONG);
  assert.deepEqual(
    [heard.code, heard.stream.state.error!.body],
    ['conflict', {error: 'busy', active_stream_id: 'other'}],
  );
  const plain = await new Heard([refused(409, {}, '<h1>Conflict</h1>')]).run(LONG);
  assert.deepEqual([plain.code, plain.stream.state.error!.body], ['conflict', null]);
});

test('an error page of a proxy is a failure of the server, and passes', async () => {
  const page = refused(502, {'content-type': 'text/html'}, '<html>Bad gateway</html>');
  const heard = await new Heard([page, page, pieces([END])]).run(LONG);
  assert.deepEqual([heard.phase, heard.code, heard.ids], ['ended', null, ['r:99']]);
});

// Held back on the way.

test('a first chunk that comes late and in a burst is said to be held back', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream)]).run(9000);
  body.write(Array.from({length: 20}, (_, n) => token(n + 1)).join(''));
  await heard.run();
  assert.deepEqual([heard.phase, heard.code, heard.ids.length], ['open', 'buffered', 20]);
  assert.match(heard.stream.state.error!.message, /buffering/);
  body.write(END);
  await heard.run();
  assert.deepEqual([heard.phase, heard.code], ['ended', null]);
});

test('a burst at once is a replay, and a late start with heartbeats is a slow model', async () => {
  const burst = Array.from({length: 20}, (_, n) => token(n + 1)).join('');
  const replay = await new Heard([pieces([burst])]).run();
  assert.ok(replay.states.every(({error}) => error?.code !== 'buffered'));

  const body = new HandBody();
  const slow = await new Heard([() => stream(body.stream)]).run();
  for (let n = 0; n < 4; n++) {
    body.write(encodeComment('heartbeat'));
    await slow.run(5000);
  }
  body.write(burst);
  await slow.run();
  assert.deepEqual([slow.phase, slow.code], ['open', null]);
});

// Pausing and networks.

test('a paused stream holds nothing, keeps its cursor, and resumes after it', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream), pieces([END])]).run();
  body.write(token(1));
  await heard.run();
  heard.stream.pause();
  heard.stream.pause();
  await heard.run(LONG);
  assert.deepEqual([heard.phase, body.cancelled, heard.server.asked.length], ['paused', true, 1]);
  heard.assertReleased();
  heard.stream.resume();
  await heard.run();
  assert.deepEqual([heard.asked(1).header, heard.phase, heard.code], ['r:1', 'ended', null]);
});

test('pausing after the end of the turn ends, and what is over is not resumed', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream)]).run();
  body.write('id: r:1\nevent: done\ndata: {}\n\n');
  await heard.run();
  heard.stream.pause();
  assert.deepEqual([heard.phase, heard.code], ['ended', null]);
  heard.stream.resume();
  await heard.run(LONG);
  assert.equal(heard.server.asked.length, 1);
  heard.assertReleased();
});

test('offline burns no attempts, and coming back asks at once', async () => {
  const heard = await new Heard([pieces([token(1)], 'breaks'), down]).run();
  heard.stream.offline();
  assert.deepEqual([heard.phase, heard.code], ['waiting', 'offline']);
  await heard.run(10 * LONG);
  assert.deepEqual([heard.phase, heard.code], ['waiting', 'offline'], 'it is never given up');
  assert.equal(heard.stream.state.attempt, 1);
  const before = heard.server.asked.length;
  heard.stream.resume();
  await heard.run();
  assert.equal(heard.server.asked.length, before + 1);
  await heard.run(LONG);
  assert.equal(heard.code, 'gave-up', 'online again, attempts count');
  heard.stream.resume();
  await heard.run();
  assert.equal(heard.phase, 'waiting', 'and what was given up is tried again');
  heard.stream.close();
  heard.assertReleased();
});

test('an open connection survives a wrong word about the network', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream)]).run();
  heard.stream.offline();
  body.write(token(1));
  heard.stream.resume();
  body.write(END);
  await heard.run();
  assert.deepEqual([heard.ids, heard.server.asked.length], [['r:1', 'r:99'], 1]);
});

test('after a sleep the first look at the clock finds a dead connection', async () => {
  const heard = await new Heard([silent, pieces([END])]).run();
  // The machine slept: time has passed, and no timer has fired.
  heard.clock.skip(LONG);
  heard.stream.resume();
  await heard.run();
  assert.deepEqual([heard.phase, heard.server.asked.length], ['ended', 2]);
});

test('a refusal that stands is not undone by coming back', async () => {
  const heard = await new Heard([status(403)]).run();
  heard.stream.resume();
  heard.stream.pause();
  await heard.run(LONG);
  assert.deepEqual([heard.phase, heard.server.asked.length], ['lost', 1]);
});
