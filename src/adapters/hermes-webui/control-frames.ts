/** What Hermes WebUI asks of the reader, and the boundaries set by the reader or the server. */
import {
  asObject,
  firstString,
  jsonText,
  ownList,
  ownNumber,
  ownObject,
  ownString,
  type Json,
  type JsonObject,
} from '../../anchor/json.js';
import type {ControlEvent, ControlOption, ControlType} from '../../anchor/turn-event.js';
import {approvalControl} from '../approval.js';
import {knownOnly, millis, type FrameHandler, type FrameHead} from '../frame-head.js';

/** A permission request. The side streams wrap theirs under `pending`: a hint which one waits, not an event of the run. */
export const permissionAsked: FrameHandler = (data, head) =>
  Object.hasOwn(data, 'pending') ? knownOnly(data, head) : approvalControl(data, head, 'until-next');

/** A question with choices. */
export const clarifyAsked: FrameHandler = (data, head) =>
  Object.hasOwn(data, 'pending') ? knownOnly(data, head) : clarification(data, head);

function clarification(data: JsonObject, head: FrameHead): ControlEvent {
  return {
    ...head,
    at: head.at ?? millis(ownNumber(data, 'requested_at')),
    type: 'control',
    control: 'clarify',
    controlId: firstString(data, 'clarify_id'),
    text: ownString(data, 'question') ?? '',
    options: ownList(data, 'choices_offered').map(readChoice),
    // 0 = never.
    expiresAt: millis(ownNumber(data, 'expires_at') || null),
    life: 'until-next',
  };
}

function readChoice(choice: Json): ControlOption {
  const object = asObject(choice);
  const id = object === null ? (jsonText(choice) ?? '') : (firstString(object, 'value', 'id', 'label') ?? '');
  return {id, label: (object && firstString(object, 'label')) ?? id, kind: null};
}

function boundary(control: ControlType): FrameHandler {
  return (data, head) => ({
    type: 'control',
    control,
    controlId: null,
    text: firstString(data, 'text', 'continuation_prompt', 'message') ?? '',
    options: [],
    life: 'answered',
    ...head,
  });
}

/** A steering text that came too late for the run. */
export const steerLeftOver = boundary('steer');

/** The server goes on by itself towards the session's goal. */
export const goalContinues = boundary('continue');

/** What waits for the reader now, as the side streams and the `/pending` requests say. Null when nothing waits. */
export function readPending(payload: unknown): ControlEvent | null {
  const object = asObject(payload);
  const pending = object && ownObject(object, 'pending');
  if (!pending) return null;
  const isQuestion = ownString(pending, 'kind') === 'clarify' || Object.hasOwn(pending, 'clarify_id');
  const head = {run: null, seq: null, at: null, sessionId: ownString(pending, 'session_id')};
  return isQuestion
    ? clarification(pending, {...head, name: 'clarify'})
    : approvalControl(pending, {...head, name: 'approval'}, 'until-next');
}
