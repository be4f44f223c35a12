/** Endings: the answer to a prompt, or what stands for one, and the terminal event it becomes. */
import type {RunFailure, RunTerminalName} from '../run-event.js';
import {later, type Draft, type DraftRun, type Told} from './draft.js';
import {fieldOf, fieldsOf, numberIn, textIn, wordIn, type Fields} from './fields.js';
import {dropPermissions} from './permissions.js';
import type {AcpState} from './state.js';
import {closeTools} from './tools.js';
import {resultUsage} from './usage.js';

/** The answer to a prompt. What it means is decided when the run is closed: late updates still count. */
export interface Ending {
  readonly result: Fields | undefined;
  readonly error: Fields | undefined;
  /** True for a prompt that was answered while another one went on. */
  readonly wasQueued: boolean;
  readonly at: number;
}

type Terminal = {
  readonly [Name in RunTerminalName]: {readonly name: Name; readonly fields: Told<Name>};
}[RunTerminalName];

/** Closes a run with what its answer means. Its open permissions and calls are closed before that. */
export function closeRun(draft: Draft, run: DraftRun, ending: Ending): void {
  close(draft, run, terminalOf(ending, run, draft.state), later(ending.at, run.lastAt));
}

/** Closes a run that was stopped and did not say so itself. */
export function cancelRun(draft: Draft, run: DraftRun, reason: string | undefined): void {
  const fields = {...run.usage, ...(reason !== undefined && {reason})};
  close(draft, run, {name: 'run.cancelled', fields}, draft.at);
}

/** Closes a run that got no answer. */
export function failRun(draft: Draft, run: DraftRun, fields: Told<'run.failed'>): void {
  close(draft, run, {name: 'run.failed', fields}, draft.at);
}

function close(draft: Draft, run: DraftRun, {name, fields}: Terminal, at: number): void {
  const stopped = run.cancelled || name === 'run.cancelled';
  dropPermissions(draft, run, at);
  closeTools(draft, run, stopped ? 'cancelled' : 'interrupted', at);
  draft.tell(run, name, fields, at);
}

function terminalOf({result, error, wasQueued}: Ending, run: DraftRun, state: AcpState): Terminal {
  if (error) return errorTerminal(error, run, wasQueued, state);
  const usage = {...run.usage, ...resultUsage(result, state.runtime)};
  const reason = wordIn(result, 'stopReason');
  // An agent that was stopped before it said a word may call that an end like others.
  if (reason === 'cancelled' || (run.cancelled && !run.active && reason === 'end_turn'))
    return {name: 'run.cancelled', fields: usage};
  if (reason === 'error')
    return {name: 'run.failed', fields: {error: 'The agent ended the turn with an error.', code: 'error'}};
  // Hermes refuses prompts of sessions it does not know; a model that refuses says why.
  if (reason === 'refusal' && !run.active) {
    const hint = 'The agent may have lost this session. Start a new one and send the prompt again.';
    return {name: 'run.failed', fields: {error: 'The agent refused the prompt.', code: 'refusal', hint}};
  }
  const output = {output: run.output, ...(reason !== undefined && {stop_reason: reason})};
  return {name: 'run.completed', fields: {...output, ...usage}};
}

const codes: ReadonlyMap<number, string> = new Map([
  [-32000, 'auth_required'],
  [-32002, 'session_not_found'],
  [-32600, 'invalid_request'],
  [-32601, 'method_not_found'],
  [-32602, 'invalid_params'],
  [-32603, 'internal_error'],
  [-32700, 'parse_error'],
]);

const CANCELLED = -32800;

function errorTerminal(error: Fields, run: DraftRun, wasQueued: boolean, state: AcpState): Terminal {
  const number = numberIn(error, 'code');
  if (number === CANCELLED) return {name: 'run.cancelled', fields: run.usage};
  const code = errorCode(error, number, wasQueued);
  const hint = hintOf(code, run, state);
  const said = errorState(error);
  return {
    name: 'run.failed',
    fields: {
      error: errorText(error),
      code,
      ...(hint !== undefined && {hint}),
      ...(said !== undefined && {terminal_state: said}),
    },
  };
}

function errorCode(error: Fields, number: number | undefined, wasQueued: boolean): string {
  if (wasQueued && number === -32600) return 'busy';
  if (number === -32602 && wordIn(fieldsOf(fieldOf(error, 'data')), 'sessionId')) return 'session_not_found';
  return number === undefined ? 'error' : (codes.get(number) ?? String(number));
}

/** What the gateway's own agents say of a failure that is not the agent's: what became of the work is not known. */
function errorState(error: Fields): RunFailure | undefined {
  const said = wordIn(fieldsOf(fieldOf(error, 'data')), 'terminalState');
  return said === 'connection_lost' || said === 'interrupted' ? said : undefined;
}

// Agents put the reason into `data`, each under a name of its own.
function errorText(error: Fields): string {
  const data = fieldOf(error, 'data');
  const fields = fieldsOf(data);
  const detail =
    typeof data === 'string'
      ? data
      : (wordIn(fields, 'message') ?? wordIn(fields, 'details') ?? wordIn(fields, 'error'));
  const message = textIn(error, 'message') || 'The agent answered with an error';
  return detail === undefined || message.includes(detail) ? message : `${message}: ${detail}`;
}

function hintOf(code: string, {trouble}: DraftRun, {signIns}: AcpState): string | undefined {
  switch (code) {
    case 'auth_required': {
      const ways = signIns.length > 0 ? ` (${signIns.join(', or ')})` : '';
      return `Sign in to the agent${ways}, then send the prompt again.`;
    }
    case 'session_not_found':
      return 'The agent does not know this session. Start a new one and send the prompt again.';
    case 'busy':
      return 'Wait for the run that goes on, or stop it, then send the prompt again.';
    default:
      return trouble === 'auth'
        ? 'The model’s provider refused the agent’s credentials. Renew them, then send the prompt again.'
        : undefined;
  }
}

/** The terminal event's fields for a failure that a gateway states. */
export function failure(fact: {
  readonly error: string;
  readonly code?: string;
  readonly hint?: string;
  readonly terminalState?: RunFailure;
}): Told<'run.failed'> {
  const {error, code, hint, terminalState} = fact;
  return {
    error,
    ...(code !== undefined && {code}),
    ...(hint !== undefined && {hint}),
    terminal_state: terminalState ?? 'interrupted',
  };
}
