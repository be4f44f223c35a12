/** Agent refusals: what went wrong with an agent, as a sentence that says what the reader can do. */
import {AgentError, type AgentExit, type AgentInfo, type JsonRpcObject} from '../agent/agent.js';
import {GatewayError} from '../gateway-error.js';
import type {Profile} from '../profiles/profile.js';
import {objectAt, objectsAt, textAt, valueAt} from './loose.js';

const AUTH_REQUIRED = -32000;
const RESOURCE_NOT_FOUND = -32002;

/** What an error of an agent becomes for readers: a refusal. Any other error is no fault of the agent, and stays itself. */
export function agentRefusal(error: unknown, profile: Profile, info: AgentInfo | null): Error {
  if (!(error instanceof AgentError)) return errorOf(error);
  if (isAuthRequired(error)) return authRequired(profile, info);
  const code = error.code === 'not-found' ? 'profile-missing' : 'agent-failed';
  return new GatewayError(code, sentence(error.message), {profile: profile.name}, {cause: error});
}

/** How a run ends that such an error ended. What no reader is meant to see is told to `onFault`. */
export function failedRun(
  error: unknown,
  profile: Profile,
  info: AgentInfo | null,
  onFault: (fault: unknown) => void,
): {readonly code: string; readonly error: string} {
  const refusal = agentRefusal(error, profile, info);
  if (refusal instanceof GatewayError) return {code: 'agent_failed', error: refusal.message};
  onFault(refusal);
  const sentence = 'The gateway failed at this run. Try again; whoever runs it finds the cause in its log.';
  return {code: 'internal', error: sentence};
}

/** True for a refusal that a sign-in would end. */
export function isAuthRequired(error: AgentError): boolean {
  return error.rpc?.code === AUTH_REQUIRED;
}

/** True for an error that says the agent does not know the session it was asked about. */
export function isUnknownSession(error: JsonRpcObject): boolean {
  const data = objectAt(error, 'data');
  if (valueAt(error, 'code') === RESOURCE_NOT_FOUND || textAt(data, 'sessionId') !== null) return true;
  const text = [
    textAt(error, 'message'),
    textAt(error, 'data'),
    textAt(data, 'message'),
    textAt(data, 'details'),
  ];
  return /\b(?:unknown session|session\b.{0,80}?\b(?:not found|unknown|does not exist))|\bno such session/i.test(
    text.join(' '),
  );
}

/** What became of a run whose agent is gone. */
export function exitSentence(profile: Profile, {code, signal, message}: AgentExit): string {
  const how = signal !== null ? ` (signal ${signal})` : code !== null ? ` (code ${code})` : '';
  const why = message === '' ? '' : ` ${sentence(message)}`;
  return `${profile.name} ended before it had answered${how}.${why}`;
}

function authRequired(profile: Profile, info: AgentInfo | null): GatewayError {
  const methods = info?.authMethods ?? [];
  const ways = methods.map((method) => signInWay(method, profile)).filter((way) => way !== null);
  const how =
    ways.length > 0
      ? `${ways.join('; or ')}. Then try again.`
      : 'Sign in with its own command, then try again.';
  return new GatewayError('auth-required', `${profile.name} wants you to sign in first: ${how}`, {
    profile: profile.name,
    authMethods: methods.map((method) => ({
      id: textAt(method, 'id'),
      name: textAt(method, 'name'),
      description: textAt(method, 'description'),
    })),
  });
}

function signInWay(method: JsonRpcObject, {bin}: Profile): string | null {
  const name = textAt(method, 'name') ?? textAt(method, 'id');
  if (textAt(method, 'type') === 'terminal' && bin !== null) {
    const args = valueAt(method, 'args');
    const words = Array.isArray(args) ? args.filter((word): word is string => typeof word === 'string') : [];
    return `run \`${[bin.replace(/^.*[\\/]/, ''), ...words].join(' ')}\` in a terminal`;
  }
  const variables = objectsAt(method, 'vars').map((variable) => textAt(variable, 'name'));
  if (variables.length > 0) return `set ${variables.join(', ')} for the gateway and restart it`;
  const description = textAt(method, 'description');
  return name === null ? description : description === null ? name : `${name} (${description})`;
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
