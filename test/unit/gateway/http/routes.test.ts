/** Routes: what can be asked, what reaches the service, and how each refusal looks. */
import assert from 'node:assert/strict';
import {after, before, beforeEach, test} from 'node:test';
import {GatewayError} from '../../../../src/gateway/gateway-error.js';
import {refusalStatus} from '../../../../src/gateway/http/refusals.js';
import {startApp, type AppServer} from './app-server.js';

let server: AppServer;

before(async () => {
  server = await startApp({limits: {body: 2000}});
  await server.service.make('s1');
  await server.service.make('of another', 'somebody');
});
after(() => server.close());
beforeEach(() => {
  server.service.asked.length = 0;
  server.faults.length = 0;
});

const asked: readonly (readonly [string, string, object | undefined, number, unknown])[] = [
  ['GET', 'sessions', undefined, 200, ['list']],
  ['POST', 'sessions', {pageContext: 'A page.'}, 201, ['create', {pageContext: 'A page.'}]],
  ['GET', 'sessions/s1', undefined, 200, ['get', 's1']],
  ['GET', 'sessions/s1/', undefined, 200, ['get', 's1']],
  ['GET', 'sessions/s1?turn_limit=0', undefined, 200, ['get', 's1', {limit: 0}]],
  [
    'GET',
    'sessions/s1?turn_from=1&turn_before=40&turn_limit=20',
    undefined,
    200,
    ['get', 's1', {from: 1, before: 40, limit: 20}],
  ],
  ['GET', 'sessions/s1/diagnostics', undefined, 200, ['diagnostics', 's1']],
  ['POST', 'sessions/s1/mode', {mode: 'plan'}, 200, ['setMode', 's1', 'plan']],
  ['POST', 'sessions/s1/config', {id: 'model', value: 'm'}, 200, ['setOption', 's1', 'model', 'm']],
  ['POST', 'sessions/s1/config', {id: 'fast', value: true}, 200, ['setOption', 's1', 'fast', true]],
  ['POST', 'runs/r9/abort', undefined, 202, ['abort', 'r9']],
  ['POST', 'runs/r9/abort', {}, 202, ['abort', 'r9']],
  ['POST', 'runs/r%3A9/steer', {text: 'Left.'}, 202, ['steer', 'r:9', 'Left.']],
  ['POST', 'runs/r9/permissions/p1', {optionId: 'yes'}, 200, ['answer', 'r9', 'p1', 'yes']],
  ['PUT', 'profiles/active', {profile: 'demo'}, 200, ['selectProfile', 'demo']],
];

for (const [method, path, body, status, call] of asked) {
  test(`${method} ${path} ${JSON.stringify(body) ?? ''} reaches the service`, async () => {
    const answer = await server.ask(path, {method, body});
    assert.equal(answer.status, status);
    assert.deepEqual(server.service.asked, [call]);
  });
}

for (const [name, said] of [
  ['turn_limit', '-1'],
  ['turn_before', 'all'],
  ['turn_from', ''],
  ['turn_limit', '1e9'],
] as const)
  test(`${name}=${said} is refused by name`, async () => {
    const answer = await server.ask(`sessions/s1?${name}=${said}`);
    assert.equal(answer.status, 400);
    assert.match(JSON.stringify(answer.json), new RegExp(`${name} has to be a whole number`));
    assert.deepEqual(server.service.asked, []);
  });

test('profiles, tools and health are answered', async () => {
  assert.deepEqual((await server.ask('profiles')).json, {profiles: []});
  assert.deepEqual((await server.ask('tools')).json, {tools: []});
  assert.deepEqual((await server.ask('health')).json, {
    runtimes: {demo: 'ready'},
    streams: 0,
    status: 'ok',
  });
});

test('a started run is answered, and the next one refused while it goes on', async () => {
  const blocks = [
    {type: 'text', text: 'Hi'},
    {type: 'resource_link', uri: 'file:///a', name: 'a'},
  ];
  const started = await server.ask('runs', {method: 'POST', body: {sessionId: 's1', prompt: blocks}});
  assert.equal(started.status, 202);
  assert.deepEqual(started.json, {
    ...{runId: 'r1', sessionId: 's1', turnId: 'r1'},
    events: '/events/r1',
  });
  assert.deepEqual(server.service.asked, [['start', {sessionId: 's1', prompt: blocks}]]);

  const busy = await server.ask('runs', {method: 'POST', body: {sessionId: 's1', prompt: 'Again'}});
  assert.equal(busy.status, 409);
  assert.equal(busy.json['activeRunId'], 'r1');
  assert.equal(busy.json['code'], 'busy');
});

test('the second answer to a permission hears of the first', async () => {
  const answer = (optionId: string) =>
    server.ask('runs/r1/permissions/p7', {method: 'POST', body: {optionId}});
  assert.equal((await answer('yes')).status, 200);
  const second = await answer('no');
  assert.equal(second.status, 409);
  const {outcome, optionId, code} = second.json;
  assert.deepEqual(
    {outcome, optionId, code},
    {outcome: 'selected', optionId: 'yes', code: 'already-answered'},
  );
});

test('a session can be removed', async () => {
  await server.service.make('s2');
  assert.equal((await server.ask('sessions/s2', {method: 'DELETE'})).status, 200);
  assert.equal((await server.ask('sessions/s2')).status, 404);
});

const post = (body: unknown, headers = {}) => ({method: 'POST', body, headers});
const refused: readonly (readonly [string, string, Parameters<AppServer['ask']>[1], number, string])[] = [
  ['an unknown path', 'nothing', {}, 404, 'not-found'],
  ['a path outside of the base', '/api/other', {}, 404, 'not-found'],
  ['an unknown session', 'sessions/none', {}, 404, 'not-found'],
  ['a session of somebody else', 'sessions/of%20another', {}, 404, 'not-found'],
  ['a long id', `sessions/${'x'.repeat(201)}`, {}, 404, 'not-found'],
  ['an id that is half encoded', 'sessions/%E0%A4%A', {}, 404, 'not-found'],
  ['the stream of an unknown run', 'events/none', {}, 404, 'not-found'],
  ['the wrong method', 'runs', {}, 405, 'method-not-allowed'],
  ['a method nobody knows', 'profiles', {method: 'PATCH'}, 405, 'method-not-allowed'],
  ['a body that is not JSON', 'runs', post('{'), 400, 'invalid-request'],
  ['a body that is no object', 'runs', post('[]'), 400, 'invalid-request'],
  ['a missing field', 'runs', post({prompt: 'Hi'}), 400, 'invalid-request'],
  ['an empty prompt', 'runs', post({sessionId: 's1', prompt: ''}), 400, 'invalid-request'],
  ['a prompt of no blocks', 'runs', post({sessionId: 's1', prompt: []}), 400, 'invalid-request'],
  ['a block without a type', 'runs', post({sessionId: 's1', prompt: [{}]}), 400, 'invalid-request'],
  ['a value of another type', 'sessions/s1/config', post({id: 'a', value: 1}), 400, 'invalid-request'],
  [
    'a form',
    'runs',
    post('a=b', {'content-type': 'application/x-www-form-urlencoded'}),
    415,
    'unsupported-media-type',
  ],
  ['plain text', 'runs', post('{}', {'content-type': 'text/plain'}), 415, 'unsupported-media-type'],
  ['an empty form', 'runs/r1/abort', post('', {'content-type': 'text/plain'}), 415, 'unsupported-media-type'],
  ['a long body', 'runs', post({sessionId: 's1', prompt: 'x'.repeat(2000)}), 413, 'too-large'],
  [
    'a long body of unsaid length',
    'runs',
    post('x'.repeat(3000), {'transfer-encoding': 'chunked'}),
    413,
    'too-large',
  ],
  ['after_seq in a session', 'sessions/s1/events?after_seq=3', {}, 400, 'invalid-request'],
];

for (const [what, path, asking, status, code] of refused) {
  test(`${what} is refused with ${status} and a sentence`, async () => {
    const answer = await server.ask(path, asking);
    assert.equal(answer.status, status, answer.body);
    assert.equal(answer.json['code'], code);
    assert.match(answer.json['error'] as string, /^[^a-z].*\.$/);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.deepEqual(server.faults, []);
  });
}

test('a refused method is told which are possible', async () => {
  const answer = await server.ask('sessions/s1', {method: 'POST', body: {}});
  assert.equal(answer.headers.allow, 'GET, DELETE');
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
for (const [method, path, body] of asked) {
  if (body === undefined || path.endsWith('abort')) continue;
  test(`${method} ${path} takes no body that is nested without end`, async () => {
    const asking = (depth: number) => ({
      method,
      body: `${JSON.stringify(body).slice(0, -1)}${Object.keys(body).length > 0 ? ',' : ''}"more":${nested(depth)}}`,
    });
    assert.notEqual((await server.ask(path, asking(99))).status, 400);
    const answer = await server.ask(path, asking(100));
    assert.deepEqual([answer.status, answer.json['code']], [400, 'invalid-request']);
    assert.match(answer.json['error'] as string, /more than 100 objects and lists within each other/);
  });
}

test('a content block that is nested 50,000 deep is refused with 400 and a sentence', async () => {
  const roomy = await startApp();
  const body = `{"sessionId":"s1","prompt":[{"type":"text","text":"Hi","_meta":{"x":${nested(50_000)}}}]}`;
  const answer = await roomy.ask('runs', post(body));
  assert.deepEqual([answer.status, answer.json['code'], roomy.faults.length], [400, 'invalid-request', 0]);
  await roomy.close();
});

test('a refused field is named', async () => {
  const {json} = await server.ask('runs', post({sessionId: 's1', prompt: [{type: 'text'}, {type: 7}]}));
  assert.match(json['error'] as string, /prompt/);
});

for (const [code, status] of Object.entries(refusalStatus)) {
  test(`a service that refuses with ${code} is heard with ${status}`, async () => {
    server.service.failWith = new GatewayError(code as keyof typeof refusalStatus, 'No.', {why: 1});
    const answer = await server.ask('sessions');
    assert.equal(answer.status, status);
    assert.deepEqual(answer.json, {error: 'No.', code, why: 1});
  });
}

test('what was not meant for readers is told to whoever runs the gateway', async () => {
  const secret = new Error('password is 1234');
  server.service.failWith = secret;
  const answer = await server.ask('sessions');
  assert.equal(answer.status, 500);
  assert.equal(answer.json['code'], 'internal');
  assert.doesNotMatch(answer.body, /1234/);
  assert.deepEqual(server.faults, [secret]);
});
