import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RequestError, requestJson, type RequestErrorCode} from '../../../src/transport/index.js';
import {ManualClock} from './manual-clock.js';
import {down, HandBody, ScriptedFetch, type Answer} from './scripted-fetch.js';

const json =
  (body: unknown, init?: ResponseInit): Answer =>
  () =>
    Response.json(body, init);

test('without a body it is a GET, and the answer is parsed', async () => {
  const server = new ScriptedFetch(json({session: {}}));
  assert.deepEqual(await requestJson('/api/session', {fetch: server.fetch}), {session: {}});
  const {init, headers} = server.asked[0]!;
  assert.deepEqual(
    [init.method, init.body, headers.get('accept'), headers.get('content-type')],
    ['GET', undefined, 'application/json', null],
  );
});

test('with a body it is a POST of JSON, with the headers of the moment', async () => {
  const server = new ScriptedFetch(json({ok: true}));
  const headers = () => Promise.resolve({'x-hermes-csrf-token': 't'});
  await requestJson('/runs', {fetch: server.fetch, body: {prompt: 'hi'}, headers, credentials: 'include'});
  const asked = server.asked[0]!;
  assert.deepEqual(
    [asked.init.method, asked.init.body, asked.init.credentials],
    ['POST', '{"prompt":"hi"}', 'include'],
  );
  assert.deepEqual(
    [asked.headers.get('content-type'), asked.headers.get('x-hermes-csrf-token')],
    ['application/json', 't'],
  );
});

test('an empty answer is null', async () => {
  for (const answer of [() => new Response(null, {status: 204}), () => new Response('')]) {
    assert.equal(await requestJson('/x', {fetch: new ScriptedFetch(answer).fetch}), null);
  }
});

const refusals: readonly [
  fact: string,
  answer: Answer,
  code: RequestErrorCode,
  status: number | null,
  body: unknown,
][] = [
  [
    'a conflict says what is in the way',
    json({active_stream_id: 'r'}, {status: 409}),
    'conflict',
    409,
    {active_stream_id: 'r'},
  ],
  [
    '401',
    json({error: 'Authentication required'}, {status: 401}),
    'unauthorized',
    401,
    {error: 'Authentication required'},
  ],
  ['403', json({}, {status: 403}), 'forbidden', 403, {}],
  ['404', json({}, {status: 404}), 'not-found', 404, {}],
  [
    'a server error page',
    () => new Response('<h1>Bad gateway', {status: 502}),
    'server-error',
    502,
    '<h1>Bad gateway',
  ],
  ['an empty refusal', () => new Response('', {status: 400}), 'refused', 400, ''],
  ['a sign-in page', () => new Response('<!doctype html>'), 'not-json', 200, '<!doctype html>'],
  ['a network that is down', down, 'connection-failed', null, null],
];

for (const [fact, answer, code, status, body] of refusals) {
  test(`${fact} is a typed error: ${code}`, async () => {
    await assert.rejects(requestJson('/x', {fetch: new ScriptedFetch(answer).fetch}), (error) => {
      assert.ok(error instanceof RequestError);
      assert.deepEqual([error.code, error.status, error.body], [code, status, body]);
      assert.match(error.message, /\. .+\.$/, 'says what to do');
      return true;
    });
  });
}

test('an aborted request fails with the reason of its signal', async () => {
  const reason = new Error('moved on');
  const signal = AbortSignal.abort(reason);
  await assert.rejects(requestJson('/x', {fetch: new ScriptedFetch(down).fetch, signal}), reason);
});

const isLate = (error: unknown) => error instanceof RequestError && error.code === 'timed-out';

test('an answer that does not come is waited for as long as was said; one that has begun, four times as long', async () => {
  const clock = new ManualClock();
  const never = () => new Promise<Response>(() => undefined);
  const body = new HandBody();
  for (const [answer, ms] of [
    [never, 1000],
    [() => new Response(body.stream), 4000],
  ] as const) {
    const {fetch} = new ScriptedFetch(answer);
    const late = assert.rejects(requestJson('/x', {fetch, clock, longestSilence: 1000}), isLate);
    await clock.pass(ms - 1);
    assert.equal(clock.waiting, 1);
    await clock.pass(1);
    await late;
    assert.equal(clock.waiting, 0);
  }
});

test('an answer in time, and one nobody gave a time for, leave no timer behind', async () => {
  const clock = new ManualClock();
  const {fetch} = new ScriptedFetch(json({}));
  await requestJson('/x', {fetch, clock, longestSilence: 1000});
  await requestJson('/x', {fetch, clock});
  assert.equal(clock.waiting, 0);
});
