/** Hermes WebUI as a fake: the paths a session in its full form asks, answered as the recordings have them. */
import type {SessionSource} from '../../../src/session/index.js';
import {FakeServer, frame} from './fake-server.js';

export const SOURCE: SessionSource = {base: '', sessionId: 's1', wire: 'hermes-webui'};
export const SESSION = '/api/session';
export const STREAM = '/api/chat/stream';
export const STATUS = '/api/chat/stream/status';
export const WATCH = '/api/session/stream';

export interface Message {
  readonly role: string;
  readonly content: string;
  readonly timestamp: number;
}

/** A settled session; `more` adds or replaces fields. */
export const settledSession = (messages: readonly Message[], more: object = {}) => ({
  session: {
    session_id: 's1',
    updated_at: messages.at(-1)?.timestamp ?? 1,
    message_count: messages.length,
    messages,
    active_stream_id: null,
    ...more,
  },
});

export const exchange = (n: number, question: string, answer: string): Message[] => [
  {role: 'user', content: question, timestamp: n},
  {role: 'assistant', content: answer, timestamp: n + 0.5},
];

/** A session in which a run goes on. */
export const pendingSession = (run: string, messages: readonly Message[] = [], more: object = {}) =>
  settledSession(messages, {
    active_stream_id: run,
    pending_user_message: 'Go on',
    pending_started_at: 50.25,
    updated_at: 50.25,
    ...more,
  });

export const token = (run: string, seq: number, text: string) => frame('token', {text}, `${run}:${seq}`);

/** The end of a run, with the session in it. */
export const done = (run: string, seq: number, session: object = {}) =>
  frame('done', {session: (session as {session?: object}).session ?? null}, `${run}:${seq}`) +
  frame('stream_end', {session_id: 's1'}, `${run}:${seq + 1}`);

/** A server with nothing running and an open channel. */
export function webui(): FakeServer {
  return new FakeServer()
    .on(SESSION, settledSession(exchange(1, 'Hi', 'Ho')))
    .on('/api/session/status', {message_count: 2, active_stream_id: null})
    .on('/api/approval/pending', {pending: null, pending_count: 0})
    .on('/api/clarify/pending', {pending: null, pending_count: 0})
    .streams(STREAM)
    .streams(WATCH);
}
