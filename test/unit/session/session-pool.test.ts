import assert from 'node:assert/strict';
import {test} from 'node:test';
import {acquireSession, type SessionSource} from '../../../src/session/index.js';
import {settled} from '../transport/manual-clock.js';
import {FakeServer, frame} from './fake-server.js';

const server = () => new FakeServer().streams('/events/r1').streams('/events/r2');
const headers = () => ({});

test('one source is one session and one connection, however many hold it', async () => {
  const {fetch, asked} = server();
  const source: SessionSource = {src: '/events/r1', fetch, headers};
  const held = [
    acquireSession(source),
    acquireSession({...source}),
    acquireSession({...source, cache: undefined}),
  ];
  await settled();
  assert.equal(new Set(held.map(({session}) => session)).size, 1);
  assert.equal(asked.length, 1);
  held[0]!.release();
  held[0]!.release();
  held[1]!.release();
  await settled();
  assert.equal(asked[0]?.signal?.aborted, false, 'one still holds it');
  held[2]!.release();
  await settled();
  assert.equal(asked[0]?.signal?.aborted, true);
});

test('whoever differs in an address, a wire, or the identity of headers, fetch or credentials has its own', async () => {
  const {fetch} = server();
  const source: SessionSource = {src: '/events/r1', fetch, headers};
  const others: SessionSource[] = [
    source,
    {...source, src: '/events/r2'},
    {...source, wire: 'hermes-webui'},
    {...source, headers: () => ({})},
    {...source, headers: undefined},
    {...source, fetch: server().fetch},
    {...source, credentials: 'include'},
    {...source, history: '/h'},
    {...source, cache: 'none'},
    {fetch, headers, base: '/api', sessionId: 's1'},
    {fetch, headers, base: '/api', sessionId: 's2'},
  ];
  const held = others.map((other) => acquireSession(other));
  assert.equal(new Set(held.map(({session}) => session)).size, others.length);
  for (const {release} of held) release();
  await settled();
});

test('released and taken again within a microtask, the stream is kept', async () => {
  const fake = server();
  const source: SessionSource = {src: '/events/r1', fetch: fake.fetch};
  const first = acquireSession(source);
  await settled();
  await fake.write('/events/r1', frame('token', {text: 'Hello'}, 'r1:1'));
  first.release();
  const second = acquireSession(source);
  await settled();
  assert.equal(second.session, first.session);
  assert.equal(fake.asked.length, 1);
  assert.equal(String(second.session.transcript.turns[0]?.answer), 'Hello');
  second.release();
  await settled();
  const third = acquireSession(source);
  assert.notEqual(third.session, first.session, 'after it, a new one');
  third.release();
  await settled();
});

test('relative and absolute addresses of a page are one', async () => {
  const {fetch} = server();
  Object.assign(globalThis, {document: {baseURI: 'https://notes.example/a/b'}});
  try {
    const held = ['/events/r1', 'https://notes.example/events/r1', '../events/r1'].map((src) =>
      acquireSession({src, fetch}),
    );
    assert.equal(new Set(held.map(({session}) => session)).size, 1);
    for (const {release} of held) release();
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
  await settled();
});
