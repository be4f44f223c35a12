/** A disk that is full for a while: what was begun then gets its end once there is room. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {JournalError} from '../../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../../src/gateway/journal/sqlite-journal.js';
import {bench, reader, settled} from './session-bench.js';

test('a run that a full disk left open is ended before the next one of its session begins', async () => {
  const journal = await openSqliteJournal({file: ':memory:'});
  const disk = {full: false};
  const append: typeof journal.append = (fence, entry) =>
    disk.full ? Promise.reject(new JournalError('full', 'No space is left.')) : journal.append(fence, entry);
  const given = await bench({journal: {...bound(journal), append}});
  const {session, run, agent} = await given.running('One');
  agent.text('Half');
  await settled();
  disk.full = true;
  agent.text('Lost');
  await settled();
  assert.deepEqual(
    (await journal.openRuns()).map(({id}) => id),
    [run],
  );
  assert.equal(await given.active(session), null);

  disk.full = false;
  const next = await given.start(session, 'Two');
  assert.equal(next, `${session}.2`);
  assert.equal(
    await given.sketch(run),
    'run.started One\nmessage.delta Half\nrun.failed journal_failed interrupted',
  );
  assert.deepEqual(
    (await journal.openRuns()).map(({id}) => id),
    [next],
  );
  await given.sessions.stop();
  assert.ok((await given.sessions.list(reader)).every(({activeRunId}) => activeRunId === null));
});

/** The methods of an object, to be called from beside it. */
function bound<T extends object>(object: T): T {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(object)) as (keyof T)[];
  return Object.fromEntries(
    names
      .filter((name) => name !== 'constructor')
      .map((name) => [name, (object[name] as (...args: unknown[]) => unknown).bind(object)]),
  ) as T;
}
