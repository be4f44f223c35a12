/** Steering: a further instruction for a turn that goes on, where an agent takes one. */
import {GatewayError} from '../gateway-error.js';
import type {Profile} from '../profiles/profile.js';
import type {OpenedSession} from './agent-host.js';
import {objectOf, textAt} from './loose.js';

/** The refusal for a run that has ended, or is about to be stopped. */
export function runIsOver(): GatewayError {
  return new GatewayError('run-over', 'The turn is over or about to stop. Send the text as a prompt.');
}

/** Whether the agent took the text into the turn, or keeps it for the next one. */
export async function steerMessage(
  {ask, id, capabilities}: OpenedSession,
  text: string,
  profile: Profile,
): Promise<'taken' | 'queued'> {
  if (text.trim() === '') throw new GatewayError('invalid-request', 'Write what the agent is to heed.');
  const {steerMethod} = capabilities;
  if (steerMethod === null) {
    throw new GatewayError(
      'unsupported',
      `${profile.name} cannot be steered while it works. Stop the turn and send the text as a prompt.`,
    );
  }
  const answer = await ask(steerMethod, {sessionId: id, prompt: [{type: 'text', text}]});
  return textAt(objectOf(answer), 'disposition') === 'queued_followup' ? 'queued' : 'taken';
}
