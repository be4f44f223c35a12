import assert from 'node:assert/strict';
import {encodeComment, encodeFrame} from '../../../src/protocol/index.js';
import {
  openEventStream,
  requestJson,
  type EventStreamOptions,
  type RequestError,
} from '../../../src/transport/index.js';
import {ManualClock, settled} from '../transport/manual-clock.js';
import {
  down,
  HandBody,
  pieces,
  ScriptedFetch,
  status,
  stream,
  type Answer,
} from '../transport/scripted-fetch.js';
import {family} from './family.js';
import {answerOf, hear, run} from './wire.js';

const LONG = 600_000;
const token = (seq: number, id = 'r1') =>
  encodeFrame({id: `${id}:${seq}`, name: 'token', data: {text: `t${seq} `}});
const named = (name: string, id: string | null, data: object = {}) => encodeFrame({id, name, data});
const END = named('stream_end', 'r1:9');

/** A stream read from a server that answers by script, folded as it comes. */
async function read(answers: readonly Answer[], options: Partial<EventStreamOptions> = {}, ms = LONG) {
  const clock = new ManualClock();
  const server = new ScriptedFetch(...answers);
  let transcript = hear([]);
  const opened = openEventStream({
    url: '/api/chat/stream?stream_id=r1',
    fetch: server.fetch,
    clock,
    random: () => 1,
    onBatch: (events) => (transcript = hear(events, transcript)),
    ...options,
  });
  await clock.pass(ms);
  return {
    clock,
    opened,
    asked: () => server.asked.map(({headers}) => headers.get('last-event-id')),
    count: () => server.asked.length,
    answer: () => answerOf(transcript),
    transcript: () => transcript,
  };
}

family(4, 'the cursor advances with the ids of live frames: a reconnect asks for the rest only', async () => {
  const {asked, answer} = await read([pieces([token(1), token(2)], 'breaks'), pieces([token(3) + END])]);
  assert.deepEqual(asked(), [null, 'r1:2']);
  assert.equal(answer(), 't1 t2 t3 ');
});

family(5, 'a frame that was cut in two moves no cursor, though its id was read', async () => {
  const cut = token(3).indexOf('data:');
  const {asked, answer} = await read([
    pieces([token(1) + token(2) + token(3).slice(0, cut)], 'breaks'),
    pieces([token(3) + END]),
  ]);
  assert.deepEqual(asked(), [null, 'r1:2']);
  assert.equal(answer(), 't1 t2 t3 ');
});

family(5, 'an id that is borrowed moves no cursor', async () => {
  const task = named('bg_task_complete', 'r1:7', {task_id: 'p', event_id: 'e'});
  const {asked} = await read([pieces([token(1) + task], 'breaks'), pieces([token(2) + END])]);
  assert.deepEqual(asked(), [null, 'r1:1']);
});

family(5, 'behind a hole the cursor of the turn stays before it', () => {
  const {turns} = hear(run().says('a').at(3, 'token', {text: 'c'}));
  assert.equal(turns[0]!.cursor, 'r1:1');
});

family(5, 'frames the page failed on are asked for again', async () => {
  let fails = true;
  const heard: (string | null)[] = [];
  const session = await read(
    [pieces([token(1)], 'breaks'), pieces([token(2) + token(3)]), pieces([token(2) + token(3) + END])],
    {
      onBatch: (events) => {
        if (heard.length > 0 && fails) throw new Error('fold failed');
        heard.push(...events.map(({id}) => id));
      },
    },
  );
  assert.equal(session.opened.state.error?.code, 'handler-failed');
  fails = false;
  session.opened.reconnect();
  await session.clock.pass(LONG);
  assert.equal(session.opened.state.phase, 'ended');
  assert.deepEqual(session.asked(), [null, 'r1:1', 'r1:1']);
  assert.deepEqual(heard, ['r1:1', 'r1:2', 'r1:3', 'r1:9']);
});

family(
  6,
  'a server that cannot use the cursor and begins anew, or elsewhere, doubles and skips nothing',
  async () => {
    const whole = token(1) + token(2) + token(3);
    for (const second of [whole, token(2) + token(3), token(3)]) {
      const {answer} = await read([pieces([token(1) + token(2)], 'breaks'), pieces([second + END])]);
      assert.equal(answer(), 't1 t2 t3 ');
    }
  },
);

family(6, 'a finished run that answers nothing to the newest cursor is not asked for ever', async () => {
  const {opened, count, answer} = await read([pieces([token(1)]), pieces([])]);
  assert.deepEqual([opened.state.phase, opened.state.error?.code], ['ended', 'no-terminal']);
  assert.equal(count(), 3);
  assert.equal(answer(), 't1 ');
});

family(6, 'a stale cursor in the address is never sent twice', async () => {
  const urls: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    urls.push(input as string);
    return answers.fetch(input, init);
  };
  const answers = new ScriptedFetch(pieces([token(2)], 'breaks'), pieces([token(3) + END]));
  await read([down], {url: '/s?stream_id=r1&after_seq=1', fetch, cursor: {afterParam: 'after_seq'}});
  assert.deepEqual(urls, ['/s?stream_id=r1&after_seq=1', '/s?stream_id=r1&after_seq=2']);
});

family(12, 'while a broken stream is tried again, all that was shown stays as it is', async () => {
  const session = await read([pieces([token(1) + token(2)], 'breaks'), down], {}, 500);
  const before = session.transcript();
  assert.equal(session.opened.state.phase, 'waiting');
  await session.clock.pass(30_000);
  assert.equal(session.transcript(), before);
  assert.equal(answerOf(before), 't1 t2 ');
});

family(12, 'one failed probe decides nothing: it is tried in stages', async () => {
  const {opened, answer} = await read([
    pieces([token(1)], 'breaks'),
    down,
    status(502),
    pieces([token(2) + END]),
  ]);
  assert.deepEqual([opened.state.phase, answer()], ['ended', 't1 t2 ']);
});

family(13, 'apperror, cancel and error close the stream at once, though the body stays open', async () => {
  for (const name of ['apperror', 'cancel', 'error']) {
    const body = new HandBody();
    const session = await read([() => stream(body.stream)], {}, 0);
    body.write(token(1) + named(name, 'r1:2'));
    await settled();
    assert.equal(session.opened.state.phase, 'ended', name);
    assert.equal(body.cancelled, true, name);
    await session.clock.pass(LONG);
    assert.equal(session.count(), 1, name);
  }
});

family(14, 'heartbeats alone are a living stream: an hour of them ends and repeats nothing', async () => {
  const body = new HandBody();
  const session = await read([() => stream(body.stream)], {}, 0);
  for (let beat = 0; beat < 720; beat++) {
    body.write(encodeComment('heartbeat'));
    await session.clock.pass(5000);
  }
  body.write(token(1) + END);
  await settled();
  assert.deepEqual([session.count(), session.answer(), session.opened.state.phase], [1, 't1 ', 'ended']);
});

family(14, 'a server that is down is asked less and less often, and not for ever', async () => {
  const waits: number[] = [];
  const session = await read([down], {
    onState({retryAt, attempt}) {
      if (retryAt !== null) waits[attempt] = retryAt;
    },
  });
  const gaps = waits.slice(3).map((at, n) => at - waits[n + 2]!);
  assert.ok(
    gaps.every((gap, n) => n === 0 || gap >= gaps[n - 1]!),
    `delays grow: ${gaps.join()}`,
  );
  assert.equal(session.opened.state.phase, 'lost');
  assert.equal(session.count(), 8);
  assert.equal(session.clock.waiting, 0, 'no timer is left');
});

family(14, 'closing lets go of the connection, so that hidden pages can give theirs back', async () => {
  const body = new HandBody();
  const session = await read([() => stream(body.stream)], {}, 0);
  session.opened.close();
  await settled();
  assert.deepEqual([body.cancelled, session.clock.waiting], [true, 0]);
});

family(61, 'a session that is gone is asked for once: 404 and 410 are final', async () => {
  for (const code of [404, 410]) {
    const {opened, count} = await read([pieces([token(1)], 'breaks'), status(code)]);
    assert.deepEqual([opened.state.phase, opened.state.error?.code, count()], ['lost', 'not-found', 2]);
  }
});

family(54, 'a conflict is final: the answer is not sent again, and says what is in the way', async () => {
  const server = new ScriptedFetch(() => Response.json({ok: false, stale: true}, {status: 409}));
  const answer = requestJson('/api/clarify/respond', {
    body: {clarify_id: 'q1', response: 'a'},
    fetch: server.fetch,
  });
  await assert.rejects(answer, (error: RequestError) => {
    assert.deepEqual([error.code, error.body], ['conflict', {ok: false, stale: true}]);
    return true;
  });
  assert.equal(server.asked.length, 1);
});
