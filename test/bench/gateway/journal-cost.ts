/** What recorder and journal alone cost, with as many runs at once as are asked for. */
import {join} from 'node:path';
import type {Journal} from '../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../src/gateway/journal/sqlite-journal.js';
import {Recorder} from '../../../src/gateway/recorder.js';
import {createAcpState, type AcpObservation} from '../../../src/protocol/index.js';

const EVENTS = 20_000;
/** Lines that come within one turn of the event loop, where there are that many runs. */
const AT_ONCE = 10;

/** CPU of an event, in µs. */
export async function journalCost(folder: string, runs: number): Promise<number> {
  const journal = await openSqliteJournal({file: join(folder, 'cost.db')});
  const recorders: Recorder[] = [];
  for (let run = 0; run < runs; run++) recorders.push(await openRun(journal, run));
  const before = process.cpuUsage();
  for (let said = 0; said < EVENTS;) {
    let last = recorders[0]!;
    for (let n = 0; n < Math.min(AT_ONCE, runs); n++, said++) {
      last = recorders[said % runs]!;
      void last.observe(chunk(said % runs, said));
    }
    await last.flushed();
  }
  const {user, system} = process.cpuUsage(before);
  await journal.close();
  return (user + system) / EVENTS;
}

function chunk(run: number, at: number): AcpObservation {
  const content = {type: 'text', text: 'the page keeps every word '};
  const params = {sessionId: `a${run}`, update: {sessionUpdate: 'agent_message_chunk', content}};
  return {from: 'agent', message: {jsonrpc: '2.0', method: 'session/update', params}, at};
}

/** A recorder with a run that goes on. */
async function openRun(journal: Journal, run: number): Promise<Recorder> {
  const [id, agentSessionId] = [`s${run}`, `a${run}`];
  const [owner, profile, cwd] = ['me', 'demo', '/'];
  const record = {id, owner, profile, cwd, title: null, agentSessionId, settings: {}};
  await journal.createSession({...record, createdAt: 1, updatedAt: 1});
  const state = createAcpState({sessionId: id, acpSessionId: agentSessionId});
  const recorder = new Recorder({journal, fence: await journal.claim(id), state});
  const params = {sessionId: agentSessionId, prompt: [{type: 'text', text: 'Go on'}]};
  const message = {jsonrpc: '2.0', id: 1, method: 'session/prompt', params};
  void recorder.observe({from: 'client', message, at: 1});
  await recorder.flushed();
  return recorder;
}
