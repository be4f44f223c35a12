import assert from 'node:assert/strict';
import {test} from 'node:test';
import {encodeComment, encodeFrame} from '../../../src/protocol/index.js';
import {END, Heard, LONG, named, token} from './heard.js';
import {settled} from './manual-clock.js';
import {down, HandBody, pieces, status, stream, type Answer} from './scripted-fetch.js';

test('a stream that says its end is read once, and ends without an error', async () => {
  const heard = await new Heard([pieces([token(1), token(2) + END])]).run(LONG);
  assert.deepEqual(heard.ids, ['r:1', 'r:2', 'r:99']);
  assert.equal(heard.phases, 'connecting open ended');
  assert.equal(heard.code, null);
  assert.equal(heard.server.asked.length, 1);
  heard.assertReleased();
});

test('a network chunk is one batch with all frames it completes', async () => {
  const [a, b, c] = [token(1), token(2), token(3)];
  const heard = await new Heard([
    pieces([a + b.slice(0, 9), b.slice(9, 12), b.slice(12) + c + ': beat\n\n', END]),
  ]).run();
  assert.deepEqual(
    heard.batches.map((batch) => batch.map(({id}) => id)),
    [['r:1'], ['r:2', 'r:3'], ['r:99']],
  );
});

test('nothing is called before the caller holds the stream', async () => {
  const heard = new Heard([pieces([END])]);
  assert.deepEqual(
    [heard.stream.state.phase, heard.states.length, heard.server.asked.length],
    ['idle', 0, 0],
  );
  await heard.run();
  assert.equal(heard.stream.state.phase, 'ended');
});

test('states are frozen data', async () => {
  const heard = await new Heard([pieces([END])]).run();
  assert.ok(heard.states.every((state) => Object.isFrozen(state)));
});

// How a body that breaks is resumed.

test('a body that breaks is resumed after the last frame read', async () => {
  const heard = await new Heard([
    pieces([token(1), token(2), token(3).slice(0, -1)], 'breaks'),
    pieces([token(3) + END]),
  ]).run(LONG);
  assert.deepEqual(heard.ids, ['r:1', 'r:2', 'r:3', 'r:99']);
  assert.deepEqual(heard.asked(0), {url: '/stream?stream_id=r', header: null});
  assert.deepEqual(heard.asked(1), {url: '/stream?stream_id=r', header: 'r:2'});
  assert.equal(heard.phases, 'connecting open waiting connecting open ended');
  assert.equal(heard.stream.tornFrames, 1);
});

test('a body that ends without a terminal is resumed too', async () => {
  const heard = await new Heard([pieces([token(1)]), pieces([END])]).run(LONG);
  assert.deepEqual([heard.ids, heard.asked(1).header], [['r:1', 'r:99'], 'r:1']);
});

test('the cursor may travel in the query, fresh on each attempt', async () => {
  for (const [afterParam, second, third] of [
    ['after_seq', 'after_seq=1', 'after_seq=2'],
    ['after_event_id', 'after_event_id=r%3A1', 'after_event_id=r%3A2'],
  ] as const) {
    const heard = await new Heard([pieces([token(1)]), pieces([token(2)]), pieces([END])], {
      cursor: {afterParam},
    }).run(LONG);
    assert.deepEqual(heard.asked(0), {url: '/stream?stream_id=r', header: null});
    assert.deepEqual(heard.asked(1), {url: `/stream?stream_id=r&${second}`, header: null});
    assert.deepEqual(heard.asked(2), {url: `/stream?stream_id=r&${third}`, header: null});
  }
});

test('a stale cursor in a fixed URL is used once and then dropped', async () => {
  const url = '/stream?after_seq=4&stream_id=r&replay=1';
  const heard = await new Heard([pieces([token(5)]), pieces([END])], {url}).run(LONG);
  assert.deepEqual(heard.asked(0), {url, header: null});
  assert.deepEqual(heard.asked(1), {url: '/stream?stream_id=r', header: 'r:5'});
});

test('a stream may begin after an event', async () => {
  const heard = await new Heard([pieces([END])], {cursor: {lastEventId: 'r:7'}}).run();
  assert.equal(heard.asked(0).header, 'r:7');
});

test('url and headers are asked again on every attempt', async () => {
  let count = 0;
  const heard = await new Heard([pieces([token(1)]), pieces([END])], {
    url: () => `/stream/${count}`,
    headers: () => Promise.resolve({authorization: `token ${++count}`}),
    credentials: 'include',
  }).run(LONG);
  assert.deepEqual(
    heard.server.asked.map(({url, headers, init}) => [
      url,
      headers.get('authorization'),
      headers.get('accept'),
      init.credentials,
    ]),
    [
      ['/stream/1', 'token 1', 'text/event-stream', 'include'],
      ['/stream/2', 'token 2', 'text/event-stream', 'include'],
    ],
  );
});

test('headers that fail are tried again', async () => {
  let count = 0;
  const headers = () => {
    if (count++ === 0) throw new Error('no token yet');
    return {};
  };
  const heard = await new Heard([pieces([END])], {headers}).run(LONG);
  assert.equal(heard.phases, 'connecting waiting connecting open ended');
});

test('an id of any letters travels as its UTF-8 bytes', async () => {
  const heard = await new Heard([pieces([token(1, 'läuft→')]), pieces([END])]).run(LONG);
  assert.equal(Buffer.from(heard.asked(1).header!, 'latin1').toString('utf8'), 'läuft→:1');
});

test('an id that belongs to another frame moves no cursor', async () => {
  const borrowed = named('bg_task_complete', 'r:9') + named('apperror', 'r:10', {recovery_control: true});
  const heard = await new Heard([pieces([token(1) + borrowed])], {isTerminal: () => null}).run();
  assert.equal(heard.stream.lastEventId, 'r:1');
});

test('a frame with an id and no data of its own, or none, leaves the cursor', async () => {
  const heard = await new Heard([pieces([token(1) + named('x')])]).run();
  assert.equal(heard.stream.lastEventId, 'r:1');
});

// When a stream ends.

for (const [fact, frame] of [
  ['stream_end', END],
  ['cancel', named('cancel', 'r:1')],
  ['apperror', named('apperror', 'r:3')],
  ['error with data', named('error')],
  ['run.completed', encodeFrame({id: 'r:3', name: null, data: {event: 'run.completed'}})],
  ['run.failed', encodeFrame({id: 'r:3', name: null, data: {event: 'run.failed'}})],
  ['run.cancelled', encodeFrame({id: 'r:3', name: null, data: {event: 'run.cancelled'}})],
] as const) {
  test(`${fact} closes the stream though the body stays open`, async () => {
    const body = new HandBody();
    const heard = new Heard([() => stream(body.stream)]);
    await heard.run();
    body.write(token(1));
    body.write(frame + token(50));
    await heard.run(LONG);
    assert.equal(heard.stream.state.phase, 'ended');
    assert.equal(heard.code, null);
    assert.equal(heard.ids.at(-1), 'r:50', 'the rest of the chunk is delivered');
    assert.ok(body.cancelled);
    heard.assertReleased();
  });
}

test('a made-up end is read on in the same body, and the true end stands', async () => {
  const body = new HandBody();
  const heard = new Heard([() => stream(body.stream)]);
  await heard.run();
  body.write(token(1) + named('apperror', 'r:2', {recovery_control: true}));
  await heard.run(9_000);
  assert.equal(heard.stream.state.phase, 'open');
  body.write(token(2));
  await heard.run(20_000);
  assert.equal(heard.stream.state.phase, 'open', 'the run goes on');
  body.write(named('done', 'r:3') + named('stream_end', 'r:4'));
  await heard.run();
  assert.equal(heard.stream.state.phase, 'ended');
  assert.equal(heard.code, null);
  heard.assertReleased();
});

test('a made-up end is the end of a body that ends, and of one that says nothing more for ten seconds', async () => {
  const guess = named('apperror', null, {message: 'Gone.'});
  const ends = await new Heard([pieces([token(1) + guess])]).run();
  assert.deepEqual([ends.stream.state.phase, ends.code], ['ended', null]);
  const body = new HandBody();
  const stays = new Heard([() => stream(body.stream)]);
  await stays.run();
  body.write(token(1) + guess);
  await stays.run(10_000);
  assert.deepEqual([stays.stream.state.phase, stays.code], ['ended', null]);
  stays.assertReleased();
});

test('after done a title is still read, until stream_end', async () => {
  const body = new HandBody();
  const heard = new Heard([() => stream(body.stream)]);
  await heard.run();
  body.write(named('done', 'r:1'));
  await heard.run(9_000);
  assert.equal(heard.stream.state.phase, 'open');
  body.write(named('title', 'r:2') + named('stream_end', 'r:3'));
  await heard.run();
  assert.deepEqual([heard.ids, heard.stream.state.phase], [['r:1', 'r:2', 'r:3'], 'ended']);
  heard.assertReleased();
});

test('after done a stream that says nothing more ends in ten seconds', async () => {
  const body = new HandBody();
  const heard = new Heard([() => stream(body.stream)]);
  await heard.run();
  body.write(named('done', 'r:1'));
  await heard.run(9_999);
  body.write(named('metering', 'r:2') + encodeComment('heartbeat'));
  await heard.run(0);
  assert.equal(heard.stream.state.phase, 'open');
  await heard.run(1);
  assert.deepEqual([heard.stream.state.phase, heard.code, body.cancelled], ['ended', null, true]);
  heard.assertReleased();
});

test('a break after done is resumed for the title', async () => {
  const heard = await new Heard([
    pieces([named('done', 'r:1')], 'breaks'),
    pieces([named('title', 'r:2') + END]),
  ]).run(LONG);
  assert.deepEqual([heard.ids, heard.code], [['r:1', 'r:2', 'r:99'], null]);
});

test('after done one empty body is enough', async () => {
  const heard = await new Heard([pieces([named('done', 'r:1')]), pieces([])]).run(LONG);
  assert.deepEqual([heard.code, heard.server.asked.length], [null, 2]);
});

for (const [fact, answer] of [
  ['an empty body', pieces([])],
  ['404', status(404)],
  ['204', status(204)],
  ['a network that is down', down],
] as const) {
  test(`after done, ${fact} is an end without an error`, async () => {
    const heard = await new Heard([pieces([named('done', 'r:1')]), answer]).run(LONG);
    assert.deepEqual([heard.stream.state.phase, heard.code], ['ended', null]);
    heard.assertReleased();
  });
}

test('204 ends a stream, and says that no terminal came', async () => {
  const heard = await new Heard([status(204)]).run(LONG);
  assert.deepEqual([heard.phases, heard.code], ['connecting ended', 'no-terminal']);
});

test('two empty bodies in a row end a stream, and say that no terminal came', async () => {
  const heard = await new Heard([pieces([token(1)]), pieces([])]).run(LONG);
  assert.deepEqual(
    [heard.stream.state.phase, heard.code, heard.server.asked.length],
    ['ended', 'no-terminal', 3],
  );
  assert.match(heard.stream.state.error!.message, /history/);
});

test('one empty body is no end', async () => {
  const heard = await new Heard([pieces([]), pieces([token(1)]), pieces([]), pieces([END])]).run(LONG);
  assert.deepEqual([heard.ids, heard.code], [['r:1', 'r:99'], null]);
});

test('who ends a stream can be decided by the caller', async () => {
  const heard = new Heard([pieces([END, named('bye')])], {
    isTerminal: ({name}) => (name === 'bye' ? 'close' : null),
  });
  await heard.run();
  assert.deepEqual([heard.batches.length, heard.stream.state.phase], [2, 'ended']);
});

// Refusals.

for (const [code, expected] of [
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [410, 'not-found'],
  [409, 'conflict'],
  [400, 'refused'],
  [301, 'refused'],
] as const) {
  test(`${code} is final: ${expected}`, async () => {
    const heard = await new Heard([status(code)]).run(LONG);
    assert.deepEqual(
      [heard.phases, heard.code, heard.stream.state.error!.status],
      ['connecting lost', expected, code],
    );
    assert.equal(heard.server.asked.length, 1);
    heard.assertReleased();
  });
}

for (const code of [500, 502, 503, 408, 425, 429]) {
  test(`${code} is tried again`, async () => {
    const heard = await new Heard([status(code), pieces([END])]).run(LONG);
    assert.equal(heard.phases, 'connecting waiting connecting open ended');
    assert.equal(heard.states[1]!.error!.code, 'server-error');
  });
}

for (const type of ['text/html', 'application/json', '']) {
  test(`an answer of type ${JSON.stringify(type)} is not parsed`, async () => {
    const answer = () => stream(END, {headers: type ? {'content-type': type} : {}});
    const heard = await new Heard([answer]).run(LONG);
    assert.deepEqual([heard.phases, heard.code, heard.ids], ['connecting lost', 'not-a-stream', []]);
  });
}

test('an oversized frame is refused, and what stood before it is delivered', async () => {
  const heard = await new Heard([pieces([token(1) + named('token', 'r:2', {text: 'x'.repeat(3000)})])], {
    maxFrameLength: 1000,
  }).run(LONG);
  assert.deepEqual([heard.ids, heard.stream.state.phase, heard.code], [['r:1'], 'lost', 'frame-too-large']);
});

test('a frame that grows without end is refused before it fills the memory', async () => {
  const body = new HandBody();
  const heard = new Heard([() => stream(body.stream)], {maxFrameLength: 10_000});
  await heard.run();
  body.write('data: ');
  for (let i = 0; i < 20; i++) body.write('x'.repeat(1000));
  await heard.run();
  assert.deepEqual([heard.code, body.cancelled], ['frame-too-large', true]);
});

test('a wire without ids cannot be resumed, and says so', async () => {
  const heard = await new Heard([pieces(['data: {"event":"message.delta"}\n\n'], 'breaks')]).run(LONG);
  assert.deepEqual(
    [heard.stream.state.phase, heard.code, heard.server.asked.length],
    ['lost', 'not-resumable', 1],
  );
});

test('a wire without ids that has said nothing yet is tried again', async () => {
  const heard = await new Heard([
    pieces([': hello\n\n'], 'breaks'),
    pieces(['data: {"event":"run.completed"}\n\n']),
  ]).run(LONG);
  assert.deepEqual([heard.stream.state.phase, heard.code, heard.server.asked.length], ['ended', null, 2]);
});

test('a channel that begins with what is current is asked again', async () => {
  const initial = named('initial');
  const heard = await new Heard([pieces([initial]), pieces([initial]), status(404)], {
    withoutIds: 'reconnect',
  }).run(LONG);
  assert.deepEqual([heard.batches.length, heard.code], [2, 'not-found']);
});

test('a page that fails on a batch loses the stream, with the cause', async () => {
  const cause = new Error('fold failed');
  const heard = new Heard([pieces([token(1), token(2)])], {
    onBatch() {
      throw cause;
    },
  });
  await heard.run(LONG);
  assert.deepEqual(
    [heard.batches.length, heard.stream.state.phase, heard.code],
    [1, 'lost', 'handler-failed'],
  );
  assert.equal(heard.stream.state.error!.cause, cause);
  heard.assertReleased();
});

// How long it waits, and when it gives up.

test('delays double up to twenty seconds, and after eight attempts the stream is lost', async () => {
  const heard = await new Heard([down]).run(LONG);
  const waits = heard.states.filter(({phase}) => phase === 'waiting');
  const began = waits.map(({retryAt}, n) => retryAt! - (n === 0 ? 1_000_000 : waits[n - 1]!.retryAt!));
  assert.deepEqual(began, [1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
  assert.deepEqual([heard.server.asked.length, heard.stream.state.phase, heard.code], [8, 'lost', 'gave-up']);
  assert.deepEqual(
    heard.states.filter(({phase}) => phase === 'connecting').map(({attempt}) => attempt),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  assert.match(heard.stream.state.error!.message, /reconnect/);
  heard.assertReleased();
});

test('jitter spreads a delay over its whole length', async () => {
  const heard = await new Heard([down], {random: () => 0.25}).run();
  assert.equal(heard.stream.state.retryAt! - heard.clock.now(), 250);
});

test('the server can ask for another delay, within bounds', async () => {
  for (const [asked, waited] of [
    [3000, 3000],
    [99_999_999, 20_000],
  ] as const) {
    const heard = await new Heard([pieces([`retry: ${asked}\n\n${token(1)}`]), down]).run();
    assert.equal(heard.stream.state.retryAt! - heard.clock.now(), waited);
  }
});

test('an attempt that brings something new starts the count again', async () => {
  const answers = Array.from({length: 40}, (_, n) => (n % 4 === 3 ? pieces([token(n)], 'breaks') : down));
  const heard = await new Heard([...answers, pieces([END])]).run(10 * LONG);
  assert.deepEqual([heard.stream.state.phase, heard.code, heard.batches.length], ['ended', null, 11]);
});

test('a server that repeats itself for ever is given up', async () => {
  const heard = await new Heard([pieces([token(1) + token(2)])]).run(10 * LONG);
  assert.deepEqual([heard.code, heard.server.asked.length], ['gave-up', 9]);
});

test('a server that repeats itself and breaks at any place is given up', async () => {
  const all = [1, 2, 3, 4, 5].map((seq) => token(seq));
  const answers = Array.from({length: 200}, (_, n) => pieces(all.slice(0, 1 + ((n * 7) % 5)), 'breaks'));
  const heard = await new Heard(answers).run(100 * LONG);
  assert.equal(heard.code, 'gave-up');
  assert.ok(heard.server.asked.length < 50);
});

test('a long silence is not a dead server', async () => {
  let asked = 0;
  const heard = new Heard([
    () => {
      const body = new HandBody();
      if (asked++ === 0) body.write(token(1));
      heard.clock.setTimeout(() => body.write(encodeComment('heartbeat')), 30_000);
      heard.clock.setTimeout(() => body.cut(), 60_000);
      return stream(body.stream);
    },
  ]);
  await heard.run(3 * LONG);
  assert.notEqual(heard.stream.state.phase, 'lost');
  assert.ok(asked > 20);
  heard.stream.close();
});

test('a long life is forgotten when the server then stays away', async () => {
  const body = new HandBody();
  const heard = new Heard([() => stream(body.stream), down]);
  await heard.run(30_000);
  body.cut();
  await heard.run(LONG);
  assert.deepEqual([heard.code, heard.server.asked.length], ['gave-up', 9]);
});

// Ways out.

test('reconnect() asks again at once while waiting, and starts the count again', async () => {
  const heard = await new Heard([down, down, pieces([END])]).run(1000);
  assert.deepEqual([heard.stream.state.phase, heard.stream.state.attempt], ['waiting', 3]);
  heard.stream.reconnect();
  assert.equal(heard.stream.state.attempt, 1);
  await heard.run();
  assert.equal(heard.stream.state.phase, 'ended');
  heard.assertReleased();
});

test('reconnect() revives a lost stream from where it stands', async () => {
  const heard = await new Heard([pieces([token(1)]), status(401), pieces([END])]).run(LONG);
  assert.equal(heard.code, 'unauthorized');
  heard.stream.reconnect();
  await heard.run();
  assert.deepEqual([heard.asked(2).header, heard.ids, heard.code], ['r:1', ['r:1', 'r:99'], null]);
});

test('reconnect() of an open stream lets go of the old body', async () => {
  const body = new HandBody();
  const heard = await new Heard([() => stream(body.stream), pieces([END])]).run();
  heard.stream.reconnect();
  await heard.run();
  assert.deepEqual([body.cancelled, heard.stream.state.phase], [true, 'ended']);
});

test('reconnect() before the first attempt makes only one', async () => {
  const heard = new Heard([pieces([END])]);
  heard.stream.reconnect();
  await heard.run(LONG);
  assert.equal(heard.server.asked.length, 1);
});

// Closing.

test('after close() nothing is called and nothing is held, in every phase', async () => {
  const body = new HandBody();
  const cases: [string, Answer[]][] = [
    ['connecting', [() => new Promise<Response>(() => undefined)]],
    ['open', [() => stream(body.stream)]],
    ['waiting', [down]],
    ['lost', [status(404)]],
    ['ended', [pieces([END])]],
  ];
  for (const [phase, answers] of cases) {
    const heard = await new Heard(answers).run();
    assert.equal(heard.stream.state.phase, phase);
    const before = [heard.states.length, heard.batches.length, heard.server.asked.length];
    heard.stream.close();
    heard.stream.close();
    heard.stream.reconnect();
    await heard.run(LONG);
    assert.deepEqual([heard.states.length, heard.batches.length, heard.server.asked.length], before, phase);
    assert.equal(heard.stream.state.phase, 'ended');
    heard.assertReleased();
  }
  assert.ok(body.cancelled);
});

test('an answer that comes after close() is let go of', async () => {
  const body = new HandBody();
  let answer!: (response: Response) => void;
  const heard = await new Heard([() => new Promise((resolve) => (answer = resolve))]).run();
  heard.stream.close();
  answer(stream(body.stream));
  await settled();
  assert.deepEqual([body.cancelled, heard.phases], [true, 'connecting']);
});

test('close() from within a batch is the last thing that happens', async () => {
  const heard: Heard = new Heard([pieces([token(1), token(2), END])], {onBatch: () => heard.stream.close()});
  await heard.run(LONG);
  assert.deepEqual([heard.ids, heard.phases], [['r:1'], 'connecting open']);
  heard.assertReleased();
});

test('close() from within a state is the last thing that happens', async () => {
  for (const phase of ['connecting', 'open', 'waiting', 'ended']) {
    const heard: Heard = new Heard([pieces([token(1)]), pieces([END])], {
      onState(state) {
        heard.states.push(state);
        if (state.phase === phase) heard.stream.close();
      },
    });
    await heard.run(LONG);
    assert.equal(heard.states.at(-1)!.phase, phase);
    heard.assertReleased();
  }
});

test('close() before the first attempt prevents it', async () => {
  const heard = new Heard([pieces([END])]);
  heard.stream.close();
  await heard.run(LONG);
  assert.deepEqual([heard.states, heard.server.asked], [[], []]);
});

test('a signal closes the stream, also one that is aborted already', async () => {
  const body = new HandBody();
  const owner = new AbortController();
  const heard = await new Heard([() => stream(body.stream)], {signal: owner.signal}).run();
  owner.abort();
  await heard.run(LONG);
  assert.deepEqual([body.cancelled, heard.phases], [true, 'connecting open']);

  const late = await new Heard([pieces([END])], {signal: owner.signal}).run(LONG);
  assert.deepEqual([late.stream.state.phase, late.server.asked.length], ['ended', 0]);
});
