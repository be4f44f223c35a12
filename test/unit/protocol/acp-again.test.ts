/** Facts of a gateway that no message says: a prompt sent again, a run that only its process's end stopped. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createAcpState, step, type AcpObservation} from '../../../src/protocol/index.js';

const client = (message: object): AcpObservation => ({from: 'client', message, at: 1});
const agent = (message: object): AcpObservation => ({from: 'agent', message, at: 1});
const chunk = (sessionId: string, text: string) =>
  agent({
    method: 'session/update',
    params: {sessionId, update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}},
  });
const prompt = (id: number, sessionId: string) =>
  client({id, method: 'session/prompt', params: {sessionId, prompt: [{type: 'text', text: 'Hi'}]}});

function events(observations: readonly AcpObservation[]) {
  let state = createAcpState({sessionId: 'x', acpSessionId: 'old', runs: 1});
  return observations.flatMap((observation) => {
    const [next, told] = step(state, observation);
    state = next;
    return told;
  });
}

test('a prompt sent again in a new session is the same run, and only the second answer ends it', () => {
  const told = events([
    prompt(1, 'old'),
    {from: 'gateway', fact: {type: 'again'}, at: 1},
    agent({id: 1, result: {stopReason: 'refusal'}}),
    client({id: 2, method: 'session/new', params: {}}),
    agent({id: 2, result: {sessionId: 'new'}}),
    prompt(3, 'new'),
    chunk('new', 'Hello'),
    agent({id: 3, result: {stopReason: 'end_turn'}}),
    {from: 'gateway', fact: {type: 'grace-over'}, at: 1},
  ]);
  assert.deepEqual(
    told.map(({event, run_id, seq}) => [event, run_id, seq]),
    [
      ['run.started', 'x.2', 1],
      ['message.delta', 'x.2', 2],
      ['run.completed', 'x.2', 3],
    ],
  );
});

test('a request of another process with the id of the prompt before is not its answer', () => {
  const told = events([
    prompt(1, 'old'),
    {from: 'gateway', fact: {type: 'again'}, at: 1},
    client({id: 1, method: 'session/load', params: {sessionId: 'old'}}),
    chunk('old', 'what was said before'),
    agent({id: 1, result: {}}),
    prompt(2, 'old'),
    chunk('old', 'Hello'),
  ]);
  assert.deepEqual(
    told.map(({event}) => event),
    ['run.started', 'message.delta'],
  );
});

test('a run whose process was ended to stop it is cancelled; one that has its answer keeps it', () => {
  const stop: AcpObservation = {from: 'gateway', fact: {type: 'cancelled', reason: 'Ended.'}, at: 1};
  const last = (observations: readonly AcpObservation[]) => events(observations).at(-1);
  const cancelled = last([prompt(1, 'old'), stop]);
  assert.deepEqual(cancelled?.event === 'run.cancelled' && [cancelled.reason, cancelled.seq], ['Ended.', 2]);
  const answered = last([prompt(1, 'old'), agent({id: 1, result: {stopReason: 'end_turn'}}), stop]);
  assert.equal(answered?.event, 'run.completed');
});
