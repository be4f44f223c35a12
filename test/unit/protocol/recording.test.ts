import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {encodeFrame, readRecording, recordingFormat} from '../../../src/protocol/index.js';

const fixtures = join(import.meta.dirname, '../../fixtures');
const files = (ending: string) =>
  readdirSync(fixtures, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith(ending));

test('every .sse recording has frames, unless it is empty', () => {
  for (const name of files('.sse')) {
    const text = readFileSync(join(fixtures, name), 'utf8');
    const {events, malformed} = readRecording(text, 'sse');
    assert.equal(malformed, 0);
    assert.equal(events.length, text.match(/^data:.*\n\n/gm)?.length ?? 0, name);
  }
});

test('every .jsonl recording has one event a line', () => {
  const names = files('.jsonl');
  assert.ok(names.length > 0);
  for (const name of names) {
    const text = readFileSync(join(fixtures, name), 'utf8');
    const {events, malformed, torn} = readRecording(text, 'jsonl');
    assert.deepEqual([events.length, malformed, torn], [text.trimEnd().split('\n').length, 0, false], name);
    assert.ok(
      events.every(({name, data}) => name !== null && typeof data === 'object'),
      name,
    );
  }
});

test('a line is {id, event, data}', () => {
  const text = '{"id":"r:1","event":"token","data":{"text":"a\u2028b"}}\r\n\r\n{"data":"raw"}\n';
  assert.deepEqual(readRecording(text, 'jsonl').events, [
    {id: 'r:1', name: 'token', data: {text: 'a\u2028b'}},
    {id: null, name: null, data: 'raw'},
  ]);
});

test('a line may be a row of a run journal', () => {
  const row = {
    version: 1,
    event_id: 'r:2',
    seq: 2,
    run_id: 'r',
    session_id: 's',
    event: 'done',
    type: 'done',
    terminal: true,
    payload: {session: {}},
  };
  const older = {run_id: 'r', seq: 3, type: 'stream_end', payload: null};
  assert.deepEqual(
    readRecording([row, older].map((each) => JSON.stringify(each)).join('\n'), 'jsonl').events,
    [
      {id: 'r:2', name: 'done', data: {session: {}}},
      {id: 'r:3', name: 'stream_end', data: 'null'},
    ],
  );
});

test('malformed lines are skipped and counted', () => {
  const text =
    '\uFEFF{"id":"r:1","event":"token","data":{}}\n{"id":"r:2","event\n[]\n7\nnull\n{"id":"r:3"}\n{"id":4,"data":{}}';
  const {events, malformed} = readRecording(text, 'jsonl');
  assert.deepEqual([events.map(({id}) => id), malformed], [['r:1', null], 5]);
});

test('an .sse recording that ends inside a frame is torn', () => {
  const text = encodeFrame({id: 'r:1', name: 'token', data: {}}) + 'id: r:2\nevent: tok';
  const {events, torn} = readRecording(text, 'sse');
  assert.deepEqual([events.length, torn], [1, true]);
});

test('the format is told by the ending of the file name', () => {
  assert.deepEqual(['a/b.SSE', 'b.x.jsonl', 'c.ndjson'].map(recordingFormat), ['sse', 'jsonl', 'ndjson']);
  for (const name of ['a.txt', 'sse', 'a.constructor', '']) {
    if (name === 'sse') continue;
    assert.throws(() => recordingFormat(name), {name: 'RecordingError', code: 'unknown-format'});
  }
});

test('ACP lines become the frames of their run events; what is no line is counted', () => {
  const message = {jsonrpc: '2.0', id: 0, method: 'session/prompt', params: {sessionId: 'one', prompt: []}};
  const answer = {jsonrpc: '2.0', id: 0, result: {stopReason: 'end_turn'}};
  const text = [
    JSON.stringify({t: 1, dir: 'out', msg: message}),
    'noise on stdout',
    JSON.stringify({t: 2, dir: 'in', msg: answer}),
  ].join('\n');
  const {events, malformed, torn} = readRecording(text, 'ndjson');
  assert.deepEqual(
    events.map(({id, data}) => [id, (data as {event: string}).event]),
    [
      ['one.1:1', 'run.started'],
      ['one.1:2', 'run.completed'],
    ],
  );
  assert.deepEqual({malformed, torn}, {malformed: 1, torn: false});
});
