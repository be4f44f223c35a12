import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {adapterFor} from '../../../src/adapters/index.js';
import {applySnapshot, applyTurnEvents, createTranscript, toSnapshot} from '../../../src/anchor/index.js';
import type {Journal, JournalFrame} from '../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../src/gateway/journal/sqlite-journal.js';
import {Recorder} from '../../../src/gateway/recorder.js';
import {SettledHistory} from '../../../src/gateway/settled.js';
import {
  createAcpState,
  readAcpLine,
  type AcpObservation,
  type RunEvent,
} from '../../../src/protocol/index.js';
import {entry, refuses} from './journal/contract.js';
import {sessionRecord, Speaker} from './journal/run-events.js';

const recordings = join(import.meta.dirname, '../../fixtures/acp');
const adapter = adapterFor('hermes-runs');

const observations = (name: string): AcpObservation[] =>
  readFileSync(join(recordings, name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => readAcpLine(JSON.parse(line)))
    .filter((observation) => observation !== null);

const turnEvents = (frames: readonly JournalFrame[]) =>
  frames.map(({run, seq, data}) => adapter.normalize({id: `${run}:${seq}`, name: null, data}));

/** What a reader is shown: no counters, nothing of how it was folded. */
function shown(transcript: object | null): unknown {
  return JSON.parse(
    JSON.stringify(transcript, (key, value: unknown) =>
      ['stats', 'applied', 'resume', 'cursor'].includes(key) ? undefined : value,
    ),
  );
}

async function openJournal(): Promise<Journal> {
  const journal = await openSqliteJournal({file: ':memory:'});
  await journal.createSession(sessionRecord('s1'));
  return journal;
}

/** History after each append, then: that history and the frames after its cursor are what all frames are. */
async function check(
  append: (settle: () => Promise<void>) => Promise<unknown>,
  journal: Journal,
): Promise<void> {
  const history = new SettledHistory(journal);
  const steps: Awaited<ReturnType<SettledHistory['of']>>[] = [];
  await append(async () => void steps.push(await history.of('s1')));
  const all = await journal.read({session: 's1'}, null, 100_000);
  const whole = toSnapshot(applyTurnEvents(createTranscript({sessionId: 's1'}), turnEvents(all)));
  for (const {transcript, cursor} of steps) {
    const rest = await journal.read({session: 's1'}, cursor, 100_000);
    let folded = createTranscript({sessionId: 's1'});
    if (transcript !== null) {
      folded = applySnapshot(folded, JSON.parse(JSON.stringify(transcript)), 'history');
    }
    folded = applyTurnEvents(folded, turnEvents(rest));
    assert.deepEqual(shown(toSnapshot(folded)), shown(whole), `after ${cursor}`);
  }
  assert.deepEqual(shown((await history.of('s1')).transcript), shown(all.length > 0 ? whole : null));
  await journal.close();
}

for (const name of readdirSync(recordings).filter((file) => file.endsWith('.ndjson'))) {
  test(`${name}: history at any moment and the frames after it are the whole`, async () => {
    const journal = await openJournal();
    const state = createAcpState({sessionId: 's1'});
    const recorder = new Recorder({journal, fence: await journal.claim('s1'), state});
    await check(async (settle) => {
      await settle();
      for (const observation of observations(name)) {
        void recorder.observe(observation);
        await recorder.flushed();
        await settle();
      }
      void recorder.observe({from: 'gateway', fact: {type: 'grace-over'}, at: 9e9});
      await recorder.flushed();
    }, journal);
  });
}

test('events of the session itself, between and inside runs, are in the history and after it', async () => {
  const journal = await openJournal();
  const fence = await journal.claim('s1');
  const own = new Speaker('s1', 's.s1');
  const [one, two] = ['r1', 'r2'].map((run) => new Speaker('s1', run));
  const events: RunEvent[] = [
    own.tell({event: 'notice', text: 'The agent was started anew.', topic: 'agent'}),
    own.tell({event: 'session.info', title: 'First title'}),
    one!.tell({event: 'run.started', prompt: 'Hello', turn_id: 't1'}),
    one!.say('Good '),
    own.tell({event: 'session.info', title: 'Second title'}),
    one!.say('morning.'),
    one!.end(),
    own.tell({event: 'notice', text: 'Late.', topic: 'agent'}),
    own.tell({event: 'commands.updated', commands: []}),
    two!.tell({event: 'run.started', prompt: 'Again', turn_id: 't2'}),
    two!.say('Hello '),
    own.tell({event: 'session.info', title: 'Third title'}),
    two!.say('again.'),
    two!.end(),
  ];
  await check(async (settle) => {
    for (const event of events) {
      await settle();
      await journal.append(fence, entry([event]));
    }
  }, journal);
});

test('any window of the turns is that part of the whole, with how many there are before it', async () => {
  const journal = await openJournal();
  const fence = await journal.claim('s1');
  const runs = ['r0', 'r1', 'r2', 'r3'];
  for (const run of runs) {
    const speaker = new Speaker('s1', run);
    const begun = speaker.tell({event: 'run.started', prompt: run, turn_id: `t${run}`});
    const said = [begun, speaker.say(`Said by ${run}.`)];
    // The last one goes on.
    await journal.append(fence, entry(run === 'r3' ? said : [...said, speaker.end()]));
  }
  const history = new SettledHistory(journal);
  const whole = await history.of('s1');
  const {turns, ...session} = whole.transcript!;
  const counts = [undefined, 0, 1, 2, 4, 9];
  for (const from of counts)
    for (const before of counts)
      for (const limit of counts) {
        const part = await history.of('s1', {from, before, limit});
        const within = turns.slice(from ?? 0, before ?? 4);
        const last = within.slice(Math.max(0, within.length - (limit ?? 4)));
        const said = `${from} to ${before}, ${limit}`;
        assert.deepEqual(part.transcript, {...session, turns: last}, said);
        assert.equal(part.cursor, whole.cursor);
        if (last.length > 0) assert.equal(turns[part.earlier], last[0], said);
      }
  assert.equal((await history.of('s1', {limit: 0})).earlier, 4);
  assert.equal((await history.of('s1', {from: 9})).earlier, 4);
  await journal.close();
});

test('folds are kept for a bounded number of frames, and a forgotten session is folded anew', async (context) => {
  const journal = await openJournal();
  const history = new SettledHistory(journal, 10);
  for (let n = 0; n < 5; n++) {
    const id = `t${n}`;
    await journal.createSession(sessionRecord(id));
    const run = new Speaker(id, `r.${n}`);
    const said = entry(Array.from({length: 6}, () => run.say('x')));
    await journal.append(await journal.claim(id), said);
  }
  for (const n of [0, 1, 2, 3, 4, 0, 4]) {
    const {transcript, cursor} = await history.of(`t${n}`);
    assert.equal(cursor, `r.${n}:6`);
    assert.equal(transcript!.turns[0]!.answer, 'xxxxxx');
  }
  const reads = context.mock.method(journal, 'read');
  const small = new SettledHistory(journal, 3);
  await small.of('t4');
  const once = reads.mock.callCount();
  await small.of('t4');
  const [, cursor] = reads.mock.calls.at(-1)!.arguments;
  assert.deepEqual(
    [reads.mock.callCount(), cursor],
    [once + 1, 'r.4:6'],
    'the last one is kept, however long',
  );
  const first = await history.of('t4');
  assert.equal(await history.of('t4'), first, 'unchanged');
  await journal.close();
});

test('two who ask at once get the same; a session that is not there is refused', async () => {
  const journal = await openJournal();
  const run = new Speaker('s1', 'r1');
  const said = entry(Array.from({length: 3000}, () => run.say('x')));
  await journal.append(await journal.claim('s1'), said);
  const history = new SettledHistory(journal);
  const [one, two] = await Promise.all([history.of('s1'), history.of('s1')]);
  assert.equal(one, two);
  assert.equal(one.transcript!.turns[0]!.answer.length, 3000);
  await assert.rejects(history.of('s9'), refuses('unknown-session'));
  await journal.removeSession('s1');
  await assert.rejects(history.of('s1'), refuses('unknown-session'));
  await journal.createSession(sessionRecord('s1'));
  assert.deepEqual(await history.of('s1'), {transcript: null, earlier: 0, cursor: null});
  await journal.close();
});
