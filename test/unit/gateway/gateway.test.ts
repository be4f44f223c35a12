/** The gateway over restarts: what it keeps beside what was said, and what it lets go. */
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {createGateway, type GatewayOptions} from '../../../src/gateway/gateway.js';
import {openSqliteJournal} from '../../../src/gateway/journal/sqlite-journal.js';
import {thisMachine} from '../../../src/gateway/profiles/machine.js';
import {sessionRecord} from './journal/run-events.js';
import {temporaryFolder} from './tools/temporary-folder.js';

/** A gateway that answers one question and is stopped. */
async function once(
  options: Partial<GatewayOptions> & {dataDir: string},
  method: string,
  path: string,
  body?: object,
) {
  const machine = {...thisMachine(), env: {}};
  const gateway = await createGateway({machine, hosts: 'any', ...options});
  const init = {
    method,
    ...(body && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
  };
  const answer = await gateway.fetch(new Request(`http://127.0.0.1/api/hermes/client/${path}`, init));
  await gateway.stop();
  return (await answer.json()) as {profiles: {name: string; active: boolean}[]; sessions: {id: string}[]};
}

test('the profile a subject chose is its default after a restart, and the usual one where it is gone', async (context) => {
  const dataDir = await temporaryFolder(context, {});
  const activeIn = ({profiles}: Awaited<ReturnType<typeof once>>) =>
    profiles.find(({active}) => active)?.name;
  assert.equal(activeIn(await once({dataDir}, 'PUT', 'profiles/active', {profile: 'reasonix'})), 'reasonix');
  assert.equal(activeIn(await once({dataDir, profile: 'hermes'}, 'GET', 'profiles')), 'reasonix');
  const machine = {...thisMachine(), env: {MNOTE_WEB_ACP_RUNTIMES: 'hermes,demo'}};
  assert.equal(activeIn(await once({dataDir, machine}, 'GET', 'profiles')), 'demo');
});

test('sessions older than what is kept are gone at the start', async (context) => {
  const dataDir = await temporaryFolder(context, {});
  const journal = await openSqliteJournal({file: join(dataDir, 'journal.sqlite')});
  await journal.createSession(sessionRecord('old', 'local', Date.now() - 91 * 86_400_000));
  await journal.createSession(sessionRecord('new', 'local', Date.now()));
  await journal.close();
  const ids = async (retentionDays: number | null | undefined) => {
    const {sessions} = await once({dataDir, retentionDays}, 'GET', 'sessions');
    return sessions.map(({id}) => id);
  };
  assert.deepEqual(await ids(null), ['new', 'old']);
  assert.deepEqual(await ids(undefined), ['new']);
});
