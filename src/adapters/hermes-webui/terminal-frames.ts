/** The ends of a run on Hermes WebUI. The session some of them embed rides along as an observation of its own. */
import {firstString, ownObject, ownString, ownTrue, ownValue, type JsonObject} from '../../anchor/json.js';
import {normalizeTerminalState} from '../../anchor/terminal-state.js';
import type {SettledSession} from '../../anchor/settled.js';
import type {TurnErrorFacts} from '../../anchor/turn-event.js';
import type {FrameHandler} from '../frame-head.js';
import {readUsage} from '../usage-facts.js';
import {linkedSessions} from './fact-frames.js';
import {readSession} from './settled.js';

function embedded(data: JsonObject): SettledSession | null {
  const session = ownObject(data, 'session');
  return session && readSession(session);
}

function errorFacts(data: JsonObject): TurnErrorFacts {
  const type = firstString(data, 'type');
  return {
    type,
    message: firstString(data, 'message', 'error', 'details', 'label') ?? type ?? '',
    hint: firstString(data, 'hint'),
  };
}

export const completed: FrameHandler = (data, head) => ({
  type: 'terminal',
  state: normalizeTerminalState(ownValue(data, 'terminal_state')) ?? 'completed',
  strength: 'observed',
  // Only side questions, which have no session, bring their answer along.
  output: ownString(data, 'answer'),
  usage: readUsage(ownObject(data, 'usage')),
  session: embedded(data),
  ...head,
});

export const cancelled: FrameHandler = (data, head) => ({
  type: 'terminal',
  borrows: true,
  state: 'cancelled',
  strength: 'observed',
  session: embedded(data),
  ...head,
});

export const failed: FrameHandler = (data, head) => {
  const recovery = ownTrue(data, 'recovery_control');
  const linksSessions = linkedSessions(
    data,
    'old_session_id',
    'session_id',
    'new_session_id',
    'continuation_session_id',
  );
  const base = {
    type: 'terminal',
    borrows: recovery,
    linksSessions,
    session: embedded(data),
    ...head,
  } as const;
  // Made up by the server for a run it lost: it says "reload the session", and is no error of the run.
  if (recovery || head.seq === null) return {...base, state: 'interrupted', strength: 'synthetic'};
  const state =
    normalizeTerminalState(ownValue(data, 'terminal_state')) ??
    normalizeTerminalState(ownValue(data, 'type'), 'apperror') ??
    'error';
  return {...base, state, strength: 'observed', error: state === 'cancelled' ? null : errorFacts(data)};
};

export const failedInTransport: FrameHandler = (data, head) => ({
  type: 'terminal',
  state: 'error',
  strength: 'observed',
  error: errorFacts(data),
  ...head,
});
