/** Frames of Hermes WebUI about compression, warnings, what was saved, and what finished beside the run. */
import {firstString, ownNumber, ownString, type JsonObject} from '../../anchor/json.js';
import type {ArtifactChange, LifecycleEvent} from '../../anchor/turn-event.js';
import {knownOnly, millis, type FrameHandler} from '../frame-head.js';
import {readCallId} from './tool-frames.js';

/** Session ids a payload proves to be one session, oldest first. */
export function linkedSessions(data: JsonObject, ...keys: readonly string[]): readonly string[] {
  const ids = keys.map((key) => firstString(data, key)).filter((id) => id !== null);
  return [...new Set(ids)];
}

export function compression(status: LifecycleEvent['status']): FrameHandler {
  return (data, head) => ({
    type: 'lifecycle',
    topic: 'compression',
    status,
    text: ownString(data, 'message') ?? '',
    linksSessions: linkedSessions(data, 'old_session_id', 'new_session_id', 'continuation_session_id'),
    ...head,
  });
}

export const warned: FrameHandler = (data, head) => ({
  type: 'notice',
  text: firstString(data, 'message', 'type') ?? '',
  topic: firstString(data, 'type'),
  ...head,
});

export const stateSaved: FrameHandler = (data, head) => ({
  type: 'side-effect',
  kind: firstString(data, 'kind') ?? 'state',
  action: firstString(data, 'action') ?? 'saved',
  label: firstString(data, 'name'),
  ...head,
});

// Two frames tell of one task, under ids that are not theirs: only `event_id` says that they are one fact.
export const backgroundDone: FrameHandler = (data, head) => ({
  ...head,
  at: head.at ?? millis(ownNumber(data, 'completed_at')),
  type: 'side-effect',
  borrows: true,
  kind: 'background',
  action: 'completed',
  label: firstString(data, 'summary', 'task_id'),
  ownId: firstString(data, 'event_id'),
});

const changes: ReadonlyMap<unknown, ArtifactChange> = new Map(
  (['created', 'modified', 'deleted', 'referenced'] as const).map((change) => [change, change]),
);

export const artifactReferenced: FrameHandler = (data, head) => {
  const uri = firstString(data, 'uri', 'url');
  const path = firstString(data, 'path', 'name') ?? uri;
  if (path === null) return knownOnly(data, head);
  const change = changes.get(firstString(data, 'change', 'action')) ?? 'referenced';
  return {...head, type: 'artifact', artifact: {path, uri, change}, callId: readCallId(data)};
};
