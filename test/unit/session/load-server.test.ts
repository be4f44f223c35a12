import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadModel, Session} from '../../../src/session/index.js';
import {loadedServer} from '../../../src/session/load-server.js';

await loadModel();

// In a file of its own: here what follows servers is not loaded yet when a session begins.
test('a run that is begun before what follows its server is here is followed once it is, and the server is asked', async () => {
  const asked: string[] = [];
  let streamed: (() => void) | undefined;
  const isStreamed = new Promise<void>((resolve) => (streamed = resolve));
  const fetch = (input: string, init: RequestInit) => {
    const [path = ''] = input.split('?', 1);
    asked.push(path);
    if (path === '/api/session') return Promise.resolve(Response.json({session: {messages: []}}));
    if (path !== '/api/chat/stream') return Promise.resolve(Response.json({ok: true, cancelled: true}));
    streamed?.();
    return new Promise<Response>((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(new Error('closed'))),
    );
  };
  const session = new Session();
  const source = {base: '', sessionId: 's1', wire: 'hermes-webui'};
  session.open({...source, fetch: fetch as typeof globalThis.fetch});
  session.begin({runId: 'r1', prompt: 'Hi'});
  assert.equal(loadedServer(), null, 'so the test can fail');
  assert.deepEqual(
    session.transcript.turns.map(({prompt}) => prompt),
    ['Hi'],
    'what is known is shown at once',
  );
  await isStreamed;
  await session.cancel();
  // The channel of a session in which nothing runs was not opened: the run came first.
  assert.deepEqual(asked, ['/api/session', '/api/chat/stream', '/api/chat/cancel']);
  session.disconnect();
});
