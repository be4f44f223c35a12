/** One message of a settled Hermes WebUI session, in each of the shapes that are about. */
import {
  firstString,
  ownList,
  ownNumber,
  ownString,
  ownTrue,
  ownValue,
  type JsonObject,
} from '../../anchor/json.js';
import type {SettledMessage, SettledPart} from '../../anchor/settled.js';
import {normalizeTerminalState} from '../../anchor/terminal-state.js';
import {millis} from '../frame-head.js';
import {readActivityScene} from './activity-scene.js';
import {attachmentPart, readContent, resultPart, thoughtPart} from './message-parts.js';
import {declaredCalls, partialCalls} from './settled-calls.js';

/** Reads a message. */
export function readMessage(message: JsonObject): SettledMessage {
  const parts = readParts(message);
  return {
    role: readRole(message, parts),
    timestamp: ownNumber(message, 'timestamp'),
    parts,
    partial: ownTrue(message, '_partial'),
    notice: ownTrue(message, '_error') ? readNotice(message, parts) : null,
    terminal: normalizeTerminalState(ownValue(message, '_terminal_state')),
    recovered: Object.keys(message).some((key) => key.startsWith('_recovered') && Boolean(message[key])),
    runs: ['_anchor_stream_id', '_recovered_stream_id']
      .map((key) => firstString(message, key))
      .filter((run) => run !== null),
    durationMs: millis(ownNumber(message, '_turnDuration')),
    activity: readActivityScene(ownValue(message, '_anchor_activity_scene')),
  };
}

function readRole(message: JsonObject, parts: readonly SettledPart[]): SettledMessage['role'] {
  const role = ownString(message, 'role');
  if (role === 'tool') return 'tool';
  if (isHidden(message, parts)) return 'hidden';
  if (role === 'assistant') return 'assistant';
  if (role !== 'user') return 'hidden';
  // Imported histories bring tool results as messages of the user.
  return parts.length > 0 && parts.every((part) => part.type === 'result') ? 'tool' : 'prompt';
}

// The agent writes notes to itself into the history, as messages of the user or its own.
const noteTags = [
  '[context compaction',
  '[context summary',
  '[session arc summary',
  '[prior context',
  '[your active task list was preserved across context compression]',
];

function isHidden(message: JsonObject, parts: readonly SettledPart[]): boolean {
  if (ownTrue(message, '_compressed_summary')) return true;
  const kind = firstString(message, 'display_kind');
  if (kind !== null && kind !== 'steer') return true;
  const first = parts.find((part) => part.type === 'text');
  const beginning = first?.type === 'text' ? first.text.trimStart().slice(0, 80).toLowerCase() : '';
  return noteTags.some((tag) => beginning.startsWith(tag));
}

/** Parts in the order they were said: text before the calls it announces; finished calls of a cut message before its text. */
function readParts(message: JsonObject): readonly SettledPart[] {
  if (ownString(message, 'role') === 'tool') return [resultPart(message)];
  const content = readContent(ownValue(message, 'content'));
  const reasoning = firstString(message, 'reasoning', '_reasoning', 'reasoning_content', 'thinking');
  const thought = content.some((part) => part.type === 'thought') ? null : thoughtPart(reasoning);
  const {finished, unfinished} = partialCalls(message, '_partial_tool_calls');
  const attachments = ownList(message, 'attachments').map(attachmentPart);
  return [
    thought,
    ...finished,
    ...content,
    ...attachments,
    ...declaredCalls(message, content),
    ...unfinished,
  ].filter((part) => part !== null);
}

// The one mark a stopped turn's notice has. It is a field's value, not its prose.
const CANCELLATION_LABEL = 'Cancellation details';

/** A notice of the server. What it means is said by marks only; without one it is an error by inference. */
function readNotice(
  message: JsonObject,
  parts: readonly SettledPart[],
): NonNullable<SettledMessage['notice']> {
  const type = firstString(message, 'type');
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const marked =
    normalizeTerminalState(ownValue(message, '_terminal_state')) ??
    (ownValue(message, 'provider_details_label') === CANCELLATION_LABEL ? 'cancelled' : null) ??
    (type === null ? null : (normalizeTerminalState(type, 'apperror') ?? 'error'));
  return {
    terminal: marked,
    error: {
      type,
      message: firstString(message, 'provider_details') ?? said,
      hint: firstString(message, 'hint'),
    },
  };
}
