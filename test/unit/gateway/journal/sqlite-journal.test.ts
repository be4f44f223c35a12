import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import type {Journal} from '../../../../src/gateway/journal/journal.js';
import {openDatabase} from '../../../../src/gateway/journal/sqlite.js';
import {openSqliteJournal} from '../../../../src/gateway/journal/sqlite-journal.js';
import {entry, follow, ids, journalContract, refuses, type JournalStore} from './contract.js';
import {sessionRecord, Speaker} from './run-events.js';

async function openStore(): Promise<JournalStore & {readonly file: string}> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-journal-'));
  const file = join(folder, 'journal.db');
  let open: Journal = await openSqliteJournal({file});
  return {
    file,
    journal: open,
    async reopen() {
      await open.close();
      return (open = await openSqliteJournal({file}));
    },
    async remove() {
      await open.close();
      await rm(folder, {recursive: true});
    },
  };
}

journalContract('SQLite', openStore);

test('a second gateway on one file is refused', async () => {
  const store = await openStore();
  await assert.rejects(openSqliteJournal({file: store.file}), refuses('in-use'));
  await store.remove();
});

test('a file of a newer gateway, of something else or of nothing we know is refused with a sentence', async () => {
  const store = await openStore();
  await store.journal.close();
  const db = await openDatabase(store.file);
  db.exec('PRAGMA user_version = 99');
  db.close();
  await assert.rejects(openSqliteJournal({file: store.file}), refuses('newer'));
  const other = `${store.file}.other`;
  const strange = await openDatabase(other);
  strange.exec('CREATE TABLE notes (id)');
  strange.close();
  await assert.rejects(openSqliteJournal({file: other}), refuses('damaged'));
  const garbage = `${store.file}.garbage`;
  await writeFile(garbage, 'not a database, whatever its name says. '.repeat(100));
  await assert.rejects(openSqliteJournal({file: garbage}), refuses('damaged'));
  await assert.rejects(openSqliteJournal({file: '/nowhere/at/all/journal.db'}), refuses('unwritable'));
  await rm(join(store.file, '..'), {recursive: true});
});

test('a full disk refuses the append, keeps what was there, and takes it later', async () => {
  const store = await openStore();
  await store.journal.close();
  const journal = await openSqliteJournal({file: store.file, pages: 40});
  await journal.createSession(sessionRecord('s1'));
  const fence = await journal.claim('s1');
  const run = new Speaker('s1', 'r1');
  await journal.append(fence, entry([run.say()]));
  const reader = follow(journal, {session: 's1'}, null, 2);
  const big = new Speaker('s1', 'r1');
  big.say();
  await assert.rejects(journal.append(fence, entry([big.say('x'.repeat(300_000))])), refuses('full'));
  assert.deepEqual(ids(await journal.read({session: 's1'}, null, 9)), ['r1:1']);
  await journal.append(fence, entry([run.say('small')]));
  assert.deepEqual(ids(await reader), ['r1:1', 'r1:2']);
  await journal.close();
  await store.remove();
});

test('sessions nobody uses are forgotten and found again', async () => {
  const store = await openStore();
  const {journal} = store;
  for (let n = 0; n < 200; n++) {
    const id = `t${n}`;
    await journal.createSession(sessionRecord(id));
    const run = new Speaker(id, `r.${n}`);
    await journal.append(await journal.claim(id), entry([run.say(), run.end()]));
  }
  for (let n = 0; n < 200; n++) {
    const run = new Speaker(`t${n}`, `q.${n}`);
    await journal.append({session: `t${n}`, token: 1}, entry([run.say()]));
    assert.deepEqual(ids(await journal.read({session: `t${n}`}, null, 9)), [
      `r.${n}:1`,
      `r.${n}:2`,
      `q.${n}:1`,
    ]);
  }
  await store.remove();
});

test('kill -9 at any moment loses no frame that was acknowledged', async () => {
  const store = await openStore();
  await store.journal.close();
  let acknowledged = 0;
  for (let kill = 0; kill < 10; kill++) {
    const writer = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'writer.ts'), store.file],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    writer.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // A different moment each time, counted in what the child has done and not in time.
      if (output.length > kill * 700) writer.kill('SIGKILL');
    });
    await new Promise((resolve) => writer.once('close', resolve));
    // Later lines were acknowledged later; a torn last one was not read by anybody.
    acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1) ?? acknowledged);
    const journal = await openSqliteJournal({file: store.file});
    const frames = await journal.read({session: 's1'}, null, 1_000_000);
    assert.ok(acknowledged > 0 && frames.length >= acknowledged, `${frames.length} of ${acknowledged}`);
    frames.forEach(({position, seq, data}, n) => {
      assert.equal(position, n + 1);
      assert.equal((JSON.parse(data) as {seq: number}).seq, seq);
    });
    await journal.close();
  }
  await store.remove();
});
