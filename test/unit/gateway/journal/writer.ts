/** A child that appends until it is killed, and prints the position of each frame that was acknowledged. */
import {openSqliteJournal} from '../../../../src/gateway/journal/sqlite-journal.js';
import {entry} from './contract.js';
import {sessionRecord, Speaker} from './run-events.js';

const journal = await openSqliteJournal({file: process.argv[2]!});
if ((await journal.session('s1')) === null) await journal.createSession(sessionRecord('s1'));
const fence = await journal.claim('s1');
let position = (await journal.read({session: 's1'}, null, 1_000_000)).length;
const run = new Speaker('s1', `r${position}`);
for (;;) {
  const batch = Array.from({length: 1 + (position % 4)}, () => run.say('text '.repeat(position % 50)));
  await journal.append(fence, entry(batch, 'a line'));
  position += batch.length;
  process.stdout.write(`${position}\n`);
}
