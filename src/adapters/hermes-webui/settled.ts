/** Settled sessions of Hermes WebUI: `GET /api/session`, and the same object inside `done`, `cancel` and `apperror`. */
import {
  asObject,
  firstString,
  ownNumber,
  ownObject,
  ownObjects,
  ownString,
  ownTrue,
  ownValue,
  type JsonObject,
} from '../../anchor/json.js';
import type {SettledPart, SettledSession} from '../../anchor/settled.js';
import {normalizeTerminalState, terminalKey} from '../../anchor/terminal-state.js';
import {readPlan} from '../plan-entries.js';
import {readUsage} from '../usage-facts.js';
import {readActivityScene} from './activity-scene.js';
import {linkedSessions} from './fact-frames.js';
import {readMessage} from './message.js';
import {thoughtPart} from './message-parts.js';
import {partialCalls, toolSummaries, type PartialCalls} from './settled-calls.js';

/** The session in a payload: `{session}`, or the session itself when it has messages. Null for anything else. */
export function readWebuiSettled(payload: unknown): SettledSession | null {
  const object = asObject(payload);
  const session =
    object && (ownObject(object, 'session') ?? (Array.isArray(ownValue(object, 'messages')) ? object : null));
  return session && readSession(session);
}

/** Reads a session object. */
export function readSession(session: JsonObject): SettledSession {
  const messages = ownObjects(session, 'messages').map(readMessage);
  const offset = ownCount(session, '_messages_offset') ?? 0;
  return {
    sessionId: firstString(session, 'session_id'),
    linkedIds: linkedSessions(session, 'parent_session_id', 'session_id', 'continuation_session_id'),
    title: firstString(session, 'title'),
    updatedAt: ownNumber(session, 'updated_at'),
    messageCount: ownCount(session, 'message_count') ?? offset + messages.length,
    offset,
    window: offset > 0 || ownTrue(session, '_messages_truncated'),
    messages,
    pending: readPendingTurn(session),
    activeRun: firstString(session, 'active_stream_id'),
    journal: readJournal(ownObject(session, 'runtime_journal')),
    usage: readUsage(session),
    // Sizes of the context window are usage; what the frames tell of it beyond that is not settled.
    context: null,
    plan: readPlan(ownObject(session, 'todo_state'), 'todos'),
    tools: toolSummaries(session),
    live: readLive(ownObject(session, 'runtime_journal_snapshot')),
  };
}

/** More messages than any session has: a number beyond is no count, and would make a list of that length. */
const MOST_MESSAGES = 1_000_000;

function ownCount(object: JsonObject, key: string): number | null {
  const value = ownNumber(object, key);
  return Number.isInteger(value) && value! >= 0 && value! <= MOST_MESSAGES ? value : null;
}

function readPendingTurn(session: JsonObject): SettledSession['pending'] {
  const prompt = firstString(session, 'pending_user_message');
  if (prompt === null && !ownTrue(session, 'has_pending_user_message')) return null;
  return {prompt, startedAt: ownNumber(session, 'pending_started_at')};
}

function readJournal(block: JsonObject | null): SettledSession['journal'] {
  const status = block && (ownObject(block, 'journal') ?? block);
  const run = status && (firstString(status, 'run_id', 'stream_id') ?? firstString(block, 'stream_id'));
  if (!run) return null;
  const state = ownString(status, 'terminal_state') ?? '';
  return {
    run,
    terminal: normalizeTerminalState(state, 'journal'),
    inferred: terminalKey(state) === 'lost_worker_bookkeeping',
  };
}

function readLive(snapshot: JsonObject | null): SettledSession['live'] {
  const run = snapshot && firstString(snapshot, 'run_id', 'stream_id');
  if (!run) return null;
  return {run, lastSeq: ownNumber(snapshot, 'last_seq') ?? 0, parts: liveParts(snapshot)};
}

/** The scene knows the order but leaves out what the snapshot says elsewhere; that is filled in around it. */
function liveParts(snapshot: JsonObject): readonly SettledPart[] {
  const scene = readActivityScene(ownValue(snapshot, 'anchor_activity_scene')) ?? [];
  const has = (type: SettledPart['type']) => scene.some((part) => part.type === type);
  const thought = has('thought') ? null : thoughtPart(firstString(snapshot, 'last_reasoning_text'));
  const text = has('text') ? null : firstString(snapshot, 'last_assistant_text');
  const {finished, unfinished} = has('call') ? noCalls : partialCalls(snapshot, 'tool_calls');
  const answer = text === null ? null : ({type: 'text', text} as const);
  return [thought, ...finished, ...scene, answer, ...unfinished].filter((part) => part !== null);
}

const noCalls: PartialCalls = {finished: [], unfinished: []};
