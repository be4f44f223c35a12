/** Our side of the benchmark: lines → recorder → journal → the gateway's own routes and streams. No agent is spoken to. */
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {serve} from '@hono/node-server';
import {systemClock} from '../../../src/gateway/clock.js';
import {createApp} from '../../../src/gateway/http/app.js';
import type {Journal, JournalScope} from '../../../src/gateway/journal/journal.js';
import {openSqliteJournal} from '../../../src/gateway/journal/sqlite-journal.js';
import {Recorder} from '../../../src/gateway/recorder.js';
import type {SessionService} from '../../../src/gateway/sessions/session-service.js';
import {createAcpState, type JsonRpcMessage} from '../../../src/protocol/index.js';
import type {Served} from './server.js';

/** A recorder with a run that goes on. */
export async function openRun(journal: Journal, run: number): Promise<Recorder> {
  const [session, at] = [`s${run}`, Date.now()];
  const [owner, profile, cwd] = ['me', 'demo', '/'];
  const record = {id: session, owner, profile, cwd, title: null, agentSessionId: `a${run}`, settings: {}};
  await journal.createSession({...record, createdAt: at, updatedAt: at});
  const state = createAcpState({sessionId: session, acpSessionId: `a${run}`});
  const recorder = new Recorder({journal, fence: await journal.claim(session), state, onFailure: fail});
  void recorder.observe({from: 'gateway', fact: {type: 'run', runId: `r${run}`, turnId: `t${run}`}, at});
  const params = {sessionId: `a${run}`, prompt: [{type: 'text', text: 'Go on'}]};
  void recorder.observe({
    from: 'client',
    message: {jsonrpc: '2.0', id: 1, method: 'session/prompt', params},
    at,
  });
  await recorder.flushed();
  return recorder;
}

function fail(error: unknown): never {
  throw error;
}

export async function openGateway(folder: string, runs: number): Promise<Served> {
  const journal = await openSqliteJournal({file: join(folder, 'journal.db')});
  const recorders: Recorder[] = [];
  for (let run = 0; run < runs; run++) recorders.push(await openRun(journal, run));
  const service = {
    readable: (_caller: unknown, scope: JournalScope) => Promise.resolve(scope),
  } as unknown as SessionService;
  const app = createApp({service, journal, onFault: fail});
  const port = await new Promise<number>((resolve) => {
    const options = {fetch: app.fetch.bind(app), port: 0, hostname: '127.0.0.1'};
    serve(options, (info: AddressInfo) => resolve(info.port));
  });
  return {
    port,
    path: '/api/hermes/client/events/rRUN',
    listen: (run, output) => listen(recorders[run]!, output),
  };
}

function listen(recorder: Recorder, output: Readable): void {
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line) as JsonRpcMessage;
      void recorder.observe({from: 'agent', message, at: systemClock.now()});
    }
  });
}
