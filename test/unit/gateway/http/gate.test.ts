/** The gate: names, origins, preflights and tokens, asked on a real socket as browsers and strangers would. */
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';
import {Gate} from '../../../../src/gateway/http/gate.js';
import {BASE, startApp, type AppServer} from './app-server.js';

const listed = 'https://notes.example';

describe('on loopback', () => {
  let server: AppServer;

  before(async () => {
    server = await startApp({corsOrigins: [listed], hosts: ['gateway.example'], boundHost: '127.0.0.1'});
    await server.service.make('s1');
  });
  after(() => server.close());

  const hosts: readonly (readonly [string, 200 | 403])[] = [
    ['localhost', 200],
    ['localhost:8787', 200],
    ['LOCALHOST', 200],
    ['notes.localhost:3000', 200],
    ['127.0.0.1', 200],
    ['127.1.2.3:80', 200],
    ['[::1]:8787', 200],
    ['gateway.example', 200],
    ['gateway.example:443', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['gateway.example.evil.example', 403],
    ['192.168.1.7', 403],
  ];
  for (const [host, status] of hosts) {
    test(`the name ${host} is answered with ${status}`, async () => {
      assert.equal((await server.ask('sessions', {headers: {host}})).status, status);
      const stream = await server.ask('events/none', {headers: {host}});
      assert.equal(stream.status, status === 200 ? 404 : 403);
    });
  }

  const host = 'localhost:8787';
  const origins: readonly (readonly [string, Record<string, string>, boolean])[] = [
    ['no page', {}, true],
    ['our own page', {origin: 'http://localhost:8787'}, true],
    ['our own page behind TLS', {origin: 'https://localhost:8787'}, true],
    ['our own page, by its own word', {'sec-fetch-site': 'same-origin'}, true],
    ['a typed address', {'sec-fetch-site': 'none'}, true],
    ['a listed page', {origin: listed, 'sec-fetch-site': 'cross-site'}, true],
    ['another port', {origin: 'http://localhost:5173'}, false],
    ['another page', {origin: 'https://evil.example'}, false],
    ['a sandboxed page', {origin: 'null'}, false],
    ['an image of another page', {'sec-fetch-site': 'cross-site'}, false],
    ['an image of a neighbour', {'sec-fetch-site': 'same-site'}, false],
    ['a page that is nearly listed', {origin: `${listed}.evil.example`}, false],
    ['a listed page without TLS', {origin: 'http://notes.example'}, false],
  ];
  for (const [what, headers, isServed] of origins) {
    test(`${what} is ${isServed ? 'served' : 'refused'}`, async () => {
      const asking = {headers: {host, ...headers}};
      const read = await server.ask('sessions', asking);
      const stream = await server.ask('events/none', asking);
      const write = await server.ask('sessions/s1/mode', {...asking, method: 'POST', body: {mode: 'm'}});
      const statuses = [read.status, stream.status, write.status];
      assert.deepEqual(statuses, isServed ? [200, 404, 200] : [403, 403, 403]);
      assert.equal(
        read.headers['access-control-allow-origin'],
        headers['origin'] === listed ? listed : undefined,
      );
      assert.equal(read.headers.vary, 'origin');
    });
  }

  test('a listed page may read refusals too', async () => {
    const {headers} = await server.ask('events/none', {headers: {host, origin: listed}});
    assert.equal(headers['access-control-allow-origin'], listed);
  });

  const preflight = (origin: string, more: Record<string, string> = {}) =>
    server.ask('runs', {
      method: 'OPTIONS',
      headers: {
        ...{host, origin, 'access-control-request-method': 'POST'},
        'access-control-request-headers': 'authorization,content-type, x-csrf',
        ...more,
      },
    });

  test("a listed page's preflight is answered", async () => {
    const {status, headers} = await preflight(listed, {'access-control-request-private-network': 'true'});
    assert.equal(status, 204);
    assert.equal(headers['access-control-allow-origin'], listed);
    assert.equal(headers['access-control-allow-headers'], 'authorization,content-type, x-csrf');
    assert.match(headers['access-control-allow-methods']!, /\bPUT\b/);
    assert.equal(headers['access-control-allow-private-network'], 'true');
  });

  test("another page's preflight is refused, and names no origin", async () => {
    const {status, headers} = await preflight('https://evil.example');
    assert.equal(status, 403);
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  test('every answer has the safe headers', async () => {
    for (const path of ['sessions', 'nothing', 'health', '/']) {
      const {headers} = await server.ask(path);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
    }
  });
});

test('bound to every address, addresses are answered and strange names are not', async () => {
  const server = await startApp({boundHost: '0.0.0.0'});
  for (const [host, status] of [
    ['192.168.1.7:8787', 200],
    ['[fd00::7]:8787', 200],
    ['evil.example', 403],
  ] as const) {
    assert.equal((await server.ask('sessions', {headers: {host}})).status, status, host);
  }
  await server.close();
});

test('bound to one address, that one is answered', async () => {
  const server = await startApp({boundHost: '192.168.1.7'});
  assert.equal((await server.ask('sessions', {headers: {host: '192.168.1.7:80'}})).status, 200);
  assert.equal((await server.ask('sessions', {headers: {host: '192.168.1.8:80'}})).status, 403);
  await server.close();
});

test('where a proxy checks names, any is answered', async () => {
  const server = await startApp({hosts: 'any'});
  assert.equal((await server.ask('sessions', {headers: {host: 'whatever.example'}})).status, 200);
  await server.close();
});

test('an origin is written as scheme and host', () => {
  for (const corsOrigins of [['notes.example'], ['*'], ['null']]) {
    assert.throws(() => new Gate({corsOrigins}), /is no origin\. Give scheme and host/);
  }
});

describe('with a token', () => {
  let server: AppServer;

  before(async () => {
    server = await startApp({token: 'secret', corsOrigins: [listed]});
    await server.service.make('s1');
  });
  after(() => server.close());

  const tokens: readonly (readonly [string | null, 200 | 401])[] = [
    ['Bearer secret', 200],
    ['bearer secret', 200],
    ['Bearer  secret', 200],
    [null, 401],
    ['', 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['Bearer secre', 401],
    ['Bearer secrets', 401],
    ['Bearer SECRET', 401],
    ['Basic secret', 401],
    ['secret', 401],
  ];
  for (const [authorization, status] of tokens) {
    test(`authorization ${authorization ?? 'not sent'} is answered with ${status}`, async () => {
      const headers = authorization === null ? {} : {authorization};
      const answer = await server.ask('sessions', {headers});
      assert.equal(answer.status, status);
      assert.equal(answer.headers['www-authenticate'] === undefined, status === 200);
      const stream = await server.ask('events/none', {headers});
      assert.equal(stream.status, status === 200 ? 404 : 401);
    });
  }

  test('without a token a path tells nothing, not even whether it is there', async () => {
    assert.equal((await server.ask('nothing')).status, 401);
    assert.equal((await server.ask('runs', {method: 'POST', body: '{'})).status, 401);
    assert.equal((await server.ask('sessions?access_token=secret')).status, 401);
  });

  test('health says to everybody that we live, and only to callers what runs', async () => {
    assert.deepEqual((await server.ask('health')).json, {status: 'ok'});
    const {json} = await server.ask('health', {headers: {authorization: 'Bearer secret'}});
    assert.deepEqual(json, {runtimes: {demo: 'ready'}, streams: 0, status: 'ok'});
  });

  test('a preflight needs no token', async () => {
    const headers = {origin: listed, 'access-control-request-method': 'GET'};
    assert.equal((await server.ask('sessions', {method: 'OPTIONS', headers})).status, 204);
  });
});

describe("with the host's own hook", () => {
  let server: AppServer;
  let fails = false;

  before(async () => {
    server = await startApp({
      async authorize(request) {
        await Promise.resolve();
        if (fails) throw new Error('the user store is down');
        const user = request.headers.get('cookie')?.match(/user=(\w+)/)?.[1];
        return user === undefined ? null : {subject: user};
      },
    });
    await server.service.make('of-ann', 'ann');
  });
  after(() => server.close());

  test('each subject sees its own sessions', async () => {
    const as = (user: string) => ({headers: {cookie: `user=${user}`}});
    assert.equal((await server.ask('sessions/of-ann', as('ann'))).status, 200);
    assert.equal((await server.ask('sessions/of-ann', as('ben'))).status, 404);
    assert.equal((await server.ask('sessions/of-ann/events', as('ben'))).status, 404);
    assert.equal((await server.ask('sessions/of-ann')).status, 401);
    assert.deepEqual((await server.ask('sessions', as('ben'))).json, {sessions: []});
  });

  test('a hook that fails is a fault of ours, and lets nobody in', async () => {
    fails = true;
    const answer = await server.ask('sessions', {headers: {cookie: 'user=ann'}});
    fails = false;
    assert.equal(answer.status, 500);
    assert.match(String(server.faults.pop()), /user store is down/);
  });
});

test('another base path can be chosen', async () => {
  const server = await startApp({basePath: '/agents'});
  assert.equal((await server.ask('/agents/sessions')).status, 200);
  assert.equal((await server.ask('/agents/health')).status, 200);
  assert.equal((await server.ask(`${BASE}/sessions`)).status, 404);
  await server.close();
});
