import assert from 'node:assert/strict';
import {test} from 'node:test';
import {settled} from '../transport/manual-clock.js';
import {FakeServer, frame, openSession} from './fake-server.js';

const history = (id: string) => ({
  transcript: {format: 'hermes.transcript.v1', session: {id, aliases: [], notices: []}, turns: []},
  cursor: null,
  activeRunId: null,
  pendingPermissions: [],
});

test('a session that is opened while another is told of has none of its runs', async () => {
  const server = new FakeServer();
  for (const id of ['s1', 's2'])
    server.on(`/api/sessions/${id}`, history(id)).streams(`/api/sessions/${id}/events`);
  server.on('/api/runs/r1/abort', {});
  const {session} = await openSession(server, {base: '/api', sessionId: 's1'});
  session.subscribe(() => {
    if (session.transcript.turns.length > 0 && session.source.sessionId === 's1')
      session.open({...session.source, sessionId: 's2'});
  });
  const started = {event: 'run.started', run_id: 'r1', seq: 1, session_id: 's1', timestamp: 1, prompt: 'A'};
  await server.write('/api/sessions/s1/events', frame(null, started, 'r1:1'));
  await settled();
  assert.equal(session.source.sessionId, 's2');
  await assert.rejects(session.cancel());
  assert.ok(!server.paths.includes('/api/runs/r1/abort'), server.paths.join());
  session.disconnect();
});
