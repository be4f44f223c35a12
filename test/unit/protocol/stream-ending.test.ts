import assert from 'node:assert/strict';
import {test} from 'node:test';
import {streamEnding, type SourceEvent, type StreamEnding} from '../../../src/protocol/index.js';

const json = (value: object) => JSON.stringify(value);

const rows: readonly [
  fact: string,
  name: string | null,
  data: string | object,
  ending: StreamEnding | null,
][] = [
  ['stream_end closes', 'stream_end', '{}', 'close'],
  ['cancel closes', 'cancel', '{}', 'close'],
  ['apperror without an id is made up', 'apperror', '{}', 'doubt'],
  ['error with data closes', 'error', '{"error":"runner unreachable"}', 'close'],
  ['done leaves time for a title', 'done', '{}', 'grace'],
  ['run.completed closes, named by its JSON', null, json({event: 'run.completed'}), 'close'],
  ['run.failed closes, with spaces in its JSON', null, '{"run_id": "r", "event": "run.failed"}', 'close'],
  ['run.cancelled closes, already parsed', null, {event: 'run.cancelled'}, 'close'],
  ['a named gateway frame closes', 'run.completed', '{}', 'close'],
  ['the name message is no name', 'message', json({event: 'run.completed'}), 'close'],
  ['run.started does not', null, json({event: 'run.started'}), null],
  ['a token does not', 'token', '{"text":"done"}', null],
  [
    'text that quotes a terminal does not',
    null,
    json({event: 'message.delta', delta: '{"event":"run.completed"}'}),
    null,
  ],
  ['broken JSON does not', null, '{"event":"run.completed"', null],
  ['data that is no object does not', null, '"run."', null],
  ['null does not', null, 'null "run.', null],
  ['a member of every object does not', 'constructor', '{}', null],
  ['a name that is no text does not', null, {event: 7}, null],
];

for (const [fact, name, data, ending] of rows) {
  test(fact, () => assert.equal(streamEnding({id: null, name, data} satisfies SourceEvent), ending));
}

for (const [fact, data, ending] of [
  ['apperror closes', '{}', 'close'],
  ['apperror of a server that recovers is made up', '{"recovery_control": true}', 'doubt'],
] as const) {
  test(fact, () => assert.equal(streamEnding({id: 'r:1', name: 'apperror', data}), ending));
}
