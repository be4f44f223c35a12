/** Retention: what is removed when, and what never is. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {openSqliteJournal} from '../../../src/gateway/journal/sqlite-journal.js';
import {ConfigError} from '../../../src/gateway/profiles/profile-config.js';
import {Retention} from '../../../src/gateway/retention.js';
import {ManualClock, settled} from '../transport/manual-clock.js';
import {entry} from './journal/contract.js';
import {sessionRecord, Speaker} from './journal/run-events.js';

const DAY = 86_400_000;
const nobody = () => false;

async function kept(days: number | null | undefined) {
  const clock = new ManualClock();
  await clock.pass(1000 * DAY);
  const journal = await openSqliteJournal({file: ':memory:'});
  const ago = (count: number) => clock.now() - count * DAY;
  for (const [id, count] of [
    ['old', 91],
    ['open', 91],
    ['aging', 89.5],
    ['new', 1],
  ] as const) {
    await journal.createSession(sessionRecord(id, 'me', ago(count)));
  }
  const speaker = new Speaker('open', 'open.1');
  await journal.append(await journal.claim('open'), {...entry([speaker.say()]), at: ago(91)});
  const faults: unknown[] = [];
  const retention = new Retention({clock, days, onFault: (fault) => faults.push(fault)});
  const sessions = async () => (await journal.sessions('me')).map(({id}) => id).sort();
  return {clock, journal, faults, retention, sessions};
}

test('sessions nobody used for 90 days go at the start, later ones within a day, open ones never', async () => {
  const {clock, journal, retention, sessions} = await kept(undefined);
  retention.start(journal, nobody);
  await settled();
  assert.deepEqual(await sessions(), ['aging', 'new', 'open']);
  await clock.pass(DAY);
  assert.deepEqual(await sessions(), ['new', 'open']);
  retention.stop();
  assert.equal(clock.waiting, 0);
});

test('a session that is in use is not old, until nobody uses it', async () => {
  const {clock, journal, retention, sessions} = await kept(undefined);
  const used = new Set(['old']);
  retention.start(journal, (session) => used.has(session));
  await settled();
  assert.deepEqual(await sessions(), ['aging', 'new', 'old', 'open']);
  used.clear();
  await clock.pass(DAY);
  assert.deepEqual(await sessions(), ['new', 'open']);
  retention.stop();
});

test('for ever is for ever', async () => {
  const {clock, journal, retention, sessions} = await kept(null);
  retention.start(journal, nobody);
  await clock.pass(DAY);
  assert.deepEqual(await sessions(), ['aging', 'new', 'old', 'open']);
  assert.equal(clock.waiting, 0);
});

test('what goes wrong is told, and tried again the next day', async () => {
  const {clock, journal, retention, sessions, faults} = await kept(30);
  let tries = 0;
  const prune = (before: number) =>
    ++tries === 1 ? Promise.reject(new Error('disk')) : journal.prune(before);
  retention.start({prune}, nobody);
  await settled();
  assert.equal(faults.length, 1);
  await clock.pass(DAY);
  assert.deepEqual(await sessions(), ['new', 'open']);
});

test('no days at all is a mistake', () => {
  for (const days of [0, -1, NaN]) {
    assert.throws(() => new Retention({clock: new ManualClock(), days, onFault: () => {}}), ConfigError);
  }
});
