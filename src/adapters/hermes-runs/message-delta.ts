/** Text of the answer, and blocks that are not text: shown as what they refer to, never as nothing. */
import {firstString, ownObject, ownString, type JsonObject} from '../../anchor/json.js';
import type {TurnEvent} from '../../anchor/turn-event.js';
import type {FrameHead} from '../frame-head.js';

export function messageDelta(data: JsonObject, head: FrameHead): TurnEvent {
  const delta = ownString(data, 'delta');
  const block = delta ? null : ownObject(data, 'content');
  const text = block === null ? delta : ownString(block, 'text');
  if (block !== null && text === null) return blockEvent(block, head);
  // Most frames come through here: spelled out, as a spread costs more than the rest.
  return {
    type: 'text',
    run: head.run,
    seq: head.seq,
    name: head.name,
    sessionId: head.sessionId,
    at: head.at,
    channel: 'prose',
    text: text ?? '',
    messageId: ownString(data, 'message_id'),
  };
}

function blockEvent(block: JsonObject, head: FrameHead): TurnEvent {
  const holder = ownObject(block, 'resource') ?? block;
  const uri = firstString(holder, 'uri');
  const type = firstString(block, 'type') ?? 'content';
  if (uri === null) {
    return {...head, type: 'notice', topic: type, text: `[${firstString(holder, 'mimeType') ?? type}]`};
  }
  const path = firstString(block, 'name', 'title') ?? uri;
  return {...head, type: 'artifact', artifact: {path, uri, change: 'referenced'}};
}
