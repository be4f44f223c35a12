import assert from 'node:assert/strict';
import {test} from 'node:test';
import {birthOf, routesOf} from '../../../src/session/source.js';

const births = [
  ['/api/hermes/client/events/run_1', {runId: 'run_1', streamId: null}],
  ['https://a.example/x/events/run%201?after_seq=3#x', {runId: 'run 1', streamId: null}],
  ['/api/chat/stream?stream_id=ab%3A1', {runId: 'ab:1', streamId: 'ab:1'}],
  ['/v1/runs/run_9/events', {runId: 'run_9', streamId: null}],
  ['/a/%zz', {runId: '%zz', streamId: null}],
  ['/', null],
] as const;

for (const [url, birth] of births) {
  test(`the birth that ${url} tells`, () => assert.deepEqual(birthOf(url), birth));
}

test('a bare stream is read as it is', () => {
  const {history, wire, stream} = routesOf({src: '/e/r1'});
  assert.deepEqual([history, wire, stream('other')], [undefined, 'auto', '/e/r1']);
});

test('with a base the gateway is asked', () => {
  const {history, wire, stream} = routesOf({base: '/api/', sessionId: 's/1'});
  assert.deepEqual(
    [history, wire, stream('r 1'), stream()],
    ['/api/sessions/s%2F1', 'hermes-runs', '/api/events/r%201', undefined],
  );
});

test('with a base and its wire Hermes WebUI is asked', () => {
  const {history, wire, stream} = routesOf({base: '', sessionId: 's1', wire: 'hermes-webui'});
  assert.deepEqual(
    [history, wire, stream('r1')],
    ['/api/session?session_id=s1', 'hermes-webui', '/api/chat/stream?stream_id=r1'],
  );
});
