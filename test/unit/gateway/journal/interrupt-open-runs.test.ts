import assert from 'node:assert/strict';
import {test} from 'node:test';
import {systemClock, type Clock} from '../../../../src/gateway/clock.js';
import {interruptOpenRuns} from '../../../../src/gateway/journal/interrupt-open-runs.js';
import type {Journal} from '../../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../../src/gateway/journal/sqlite-journal.js';
import {SettledHistory} from '../../../../src/gateway/settled.js';
import {entry, refuses} from './contract.js';
import {sessionRecord, Speaker} from './run-events.js';

const clock: Clock = {...systemClock, now: () => 7000};
const tool = {tool: 'edit', tool_call_id: 'c1', kind: 'edit', locations: [{path: 'a.md'}]};

async function openJournal(): Promise<Journal> {
  const journal = await openSqliteJournal({file: ':memory:'});
  for (const id of ['s1', 's2']) await journal.createSession(sessionRecord(id));
  return journal;
}

test('a run without an end is ended, with its open tools and permissions, and no other', async () => {
  const journal = await openJournal();
  const old = await journal.claim('s1');
  const done = new Speaker('s1', 'r0');
  const run = new Speaker('s1', 'r1');
  await journal.append(old, entry([done.say(), done.end(), new Speaker('s1', 's.s1').say()]));
  const options = [{id: 'no', name: 'No', kind: 'reject_once'}];
  await journal.append(
    old,
    entry([
      run.tell({event: 'run.started', prompt: 'Edit', turn_id: 't1'}),
      run.tell({event: 'tool.started', ...tool, tool_call_id: 'c0', status: 'in_progress'}),
      run.tell({event: 'tool.completed', ...tool, tool_call_id: 'c0', status: 'completed', error: false}),
      run.tell({event: 'tool.started', ...tool, status: 'pending', preview: 'a.md'}),
      run.tell({event: 'tool.updated', ...tool, status: 'in_progress', title: 'Edit a.md'}),
      run.tell({event: 'tool.started', ...tool, tool_call_id: 'c2', status: 'pending'}),
      run.tell({event: 'permission.requested', permission_id: 'p2', tool_call_id: 'c2', options}),
      run.tell({
        event: 'permission.resolved',
        permission_id: 'p2',
        outcome: 'selected',
        option_id: 'no',
        option_kind: 'reject_once',
        by: 'reader',
      }),
      run.tell({event: 'permission.requested', permission_id: 'p1', tool_call_id: 'c1', options}),
      run.tell({event: 'tool.updated', ...tool, tool_call_id: 'c0', status: 'completed', output: 'late'}),
    ]),
  );
  const interrupted = await interruptOpenRuns(journal, clock);
  assert.deepEqual(
    interrupted.map(({id}) => id),
    ['r1'],
  );
  const added = (await journal.read({run: 'r1'}, 'r1:10', 99)).map(({data}) => JSON.parse(data) as object);
  const head = (seq: number) => ({run_id: 'r1', seq, session_id: 's1', timestamp: 7});
  const ended = {event: 'tool.completed', ...tool, error: true};
  assert.deepEqual(added.slice(0, 3), [
    {...head(11), event: 'permission.resolved', permission_id: 'p1', outcome: 'cancelled', by: 'cancel'},
    {...head(12), ...ended, status: 'interrupted', title: 'Edit a.md'},
    {...head(13), ...ended, tool_call_id: 'c2', status: 'denied'},
  ]);
  const {error, hint, ...last} = added[3] as Record<string, unknown>;
  assert.deepEqual(last, {
    ...head(14),
    event: 'run.failed',
    code: 'gateway_stopped',
    terminal_state: 'interrupted',
  });
  assert.match(`${error as string} ${hint as string}`, /\.$/);
  assert.deepEqual(await journal.openRuns(), []);
  assert.deepEqual(await interruptOpenRuns(journal, clock), []);
  await assert.rejects(journal.append(old, entry([run.say()])), refuses('fenced'));
  const turn = (await new SettledHistory(journal).of('s1')).transcript!.turns.at(-1)!;
  assert.equal(turn.terminal, 'interrupted');
  assert.deepEqual(
    turn.artifacts.map(({path}) => path),
    ['a.md'],
  );
  await journal.close();
});

test('runs of several sessions and of many frames are ended', async () => {
  const journal = await openJournal();
  for (const id of ['s1', 's2']) {
    const run = new Speaker(id, `r.${id}`);
    const said = Array.from({length: 2500}, () => run.say());
    await journal.append(await journal.claim(id), entry(said));
  }
  assert.equal((await interruptOpenRuns(journal, clock, 's2')).length, 1);
  assert.equal((await interruptOpenRuns(journal, clock)).length, 1);
  for (const id of ['s1', 's2']) {
    assert.deepEqual(await journal.run(`r.${id}`), {id: `r.${id}`, session: id, lastSeq: 2501, ended: true});
  }
  await journal.close();
});
