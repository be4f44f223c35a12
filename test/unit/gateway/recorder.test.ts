import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {JournalError, type Journal} from '../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../src/gateway/journal/sqlite-journal.js';
import {Recorder} from '../../../src/gateway/recorder.js';
import {createAcpState, readAcpLine, step, type AcpObservation} from '../../../src/protocol/index.js';
import {sessionRecord} from './journal/run-events.js';

const lines = readFileSync(join(import.meta.dirname, '../../fixtures/acp/reasonix-tool-allow.ndjson'), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '');
const observations = lines.map((line) => readAcpLine(JSON.parse(line))).filter((seen) => seen !== null);

async function openRecorder(
  onFailure?: (error: Error) => void,
): Promise<{readonly journal: Journal; readonly recorder: Recorder}> {
  const journal = await openSqliteJournal({file: ':memory:'});
  await journal.createSession(sessionRecord('s1'));
  const fence = await journal.claim('s1');
  const state = createAcpState({sessionId: 's1'});
  return {journal, recorder: new Recorder({journal, fence, state, ...(onFailure && {onFailure})})};
}

test('what is observed becomes the events of the fold, in order, each kept with its message', async () => {
  const {journal, recorder} = await openRecorder();
  for (const observation of observations) void recorder.observe(observation);
  await recorder.flushed();
  let state = createAcpState({sessionId: 's1'});
  const expected = observations.flatMap((observation) => {
    const [next, events] = step(state, observation);
    state = next;
    return events.map((event) => JSON.stringify(event));
  });
  const frames = await journal.read({session: 's1'}, null, 10_000);
  assert.deepEqual(
    frames.map(({data}) => data),
    expected,
  );
  assert.deepEqual(recorder.state, state);
  const sources = await journal.sources('s1', 10_000);
  assert.equal(sources.length, observations.length);
  await journal.close();
});

test('the sources are a recording that folds to the same events', async () => {
  const {journal, recorder} = await openRecorder();
  for (const observation of observations) void recorder.observe(observation);
  await recorder.flushed();
  const sources = await journal.sources('s1', 10_000);
  assert.deepEqual(
    sources.map(({source}) => readAcpLine(JSON.parse(source))),
    observations,
  );
  await journal.close();
});

test('no reader sees an event before it is journaled', async () => {
  const {journal, recorder} = await openRecorder();
  for (const observation of observations) void recorder.observe(observation);
  assert.ok(recorder.state.runs > 0);
  assert.deepEqual(await journal.read({session: 's1'}, null, 10), []);
  await recorder.flushed();
  assert.ok((await journal.read({session: 's1'}, null, 10)).length > 0);
  await journal.close();
});

test('a journal that fails ends the recorder once and loudly, and nothing follows what was lost', async () => {
  const failures: Error[] = [];
  const {journal, recorder} = await openRecorder((error) => failures.push(error));
  const half = observations.length >> 1;
  for (const observation of observations.slice(0, half)) void recorder.observe(observation);
  await recorder.flushed();
  const before = await journal.read({session: 's1'}, null, 10_000);
  await journal.claim('s1');
  for (const observation of observations.slice(half)) void recorder.observe(observation);
  const fenced = (error: unknown) => error instanceof JournalError && error.code === 'fenced';
  await assert.rejects(recorder.flushed(), fenced);
  for (const observation of observations.slice(half)) void recorder.observe(observation);
  await assert.rejects(recorder.flushed(), fenced);
  assert.equal(failures.length, 1);
  assert.deepEqual(await journal.read({session: 's1'}, null, 10_000), before);
  await journal.close();
});

test('who brings too much at once is asked to wait', async () => {
  const {journal, recorder} = await openRecorder();
  const observation: AcpObservation = {from: 'agent', message: {jsonrpc: '2.0', method: '_noise'}, at: 1};
  const asked: unknown[] = [];
  for (let n = 0; n < 1000; n++) asked.push(recorder.observe(observation));
  assert.equal(asked[0], undefined);
  assert.ok(asked.at(-1) instanceof Promise);
  await asked.at(-1);
  assert.equal(recorder.observe(observation), undefined);
  await recorder.flushed();
  await journal.close();
});
