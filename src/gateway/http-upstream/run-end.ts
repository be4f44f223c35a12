/** How a run of Hermes ended, by the last event of its stream or by its status, and the answer to the prompt. */
import {RequestError} from '@agentclientprotocol/sdk';
import type {JsonRpcObject} from '../agent/agent.js';
import type {RunFailure} from '../../protocol/index.js';
import {objectAt, textAt, valueAt} from '../sessions/loose.js';
import {UpstreamError} from './hermes-api.js';

export type HermesRunEnd =
  | {readonly type: 'completed'; readonly output: string; readonly usage: JsonRpcObject}
  | {readonly type: 'cancelled'}
  | {readonly type: 'failed'; readonly error: string; readonly state?: RunFailure};

/** The end that an event (`run.completed`) or a status (`completed`) tells of; null while the run goes on. */
export function runEnd(name: string, fields: JsonRpcObject): HermesRunEnd | null {
  switch (name.replace(/^run\./, '')) {
    case 'completed':
      return {type: 'completed', output: textAt(fields, 'output') ?? '', usage: objectAt(fields, 'usage')};
    case 'cancelled':
      return {type: 'cancelled'};
    case 'failed':
      return {type: 'failed', error: textAt(fields, 'error') || 'Hermes ended the run with an error.'};
    case 'interrupted': {
      const error = textAt(fields, 'error') || 'Hermes was stopped while it worked.';
      return {type: 'failed', error, state: 'interrupted'};
    }
    default:
      return null;
  }
}

/** The run is out of sight: nobody can say what became of it. */
export function lost(why: string): HermesRunEnd {
  return {type: 'failed', error: `The connection to Hermes was lost, and ${why}`, state: 'connection_lost'};
}

/** The answer to the prompt. A failure is thrown, as the protocol wants it. */
export function promptAnswer(end: HermesRunEnd): object {
  switch (end.type) {
    case 'completed':
      return {stopReason: 'end_turn', ...usageOf(end.usage)};
    case 'cancelled':
      return {stopReason: 'cancelled'};
    case 'failed':
      throw new RequestError(-32603, end.error, end.state && {terminalState: end.state});
  }
}

/** A run that could not be started, as the answer to its prompt. */
export function startRefusal(error: unknown): RequestError {
  if (!(error instanceof UpstreamError)) return new RequestError(-32603, 'The run could not be started.');
  const {code, message} = error;
  switch (code) {
    case 'unauthorized':
      return new RequestError(-32000, `Hermes does not take the key: ${message}`);
    case 'not-found':
      return new RequestError(-32601, 'This Hermes has no /v1/runs. Update it, or use the hermes profile.');
    case 'busy':
      return new RequestError(
        -32603,
        `Hermes is at work on all it takes. Wait for a run to end. (${message})`,
      );
    case 'refused':
    case 'conflict':
      return new RequestError(-32602, `Hermes does not take this prompt: ${message}`);
    case 'failed':
      return new RequestError(-32603, `Hermes failed to start the run: ${message}`);
    case 'unreachable': {
      const said = 'Hermes did not answer, so the run may or may not have been started. Check that it runs.';
      return new RequestError(-32603, said, {terminalState: 'connection_lost'});
    }
  }
}

function usageOf(usage: JsonRpcObject): object {
  const [inputTokens, outputTokens, totalTokens] = ['input_tokens', 'output_tokens', 'total_tokens'].map(
    (key) => valueAt(usage, key),
  );
  return typeof inputTokens === 'number' ? {usage: {inputTokens, outputTokens, totalTokens}} : {};
}
