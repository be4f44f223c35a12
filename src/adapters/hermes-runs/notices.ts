/** What a run says beside its work: notices, compaction, work of subagents, updates newer than us. */
import {firstString, ownObject, type JsonObject} from '../../anchor/json.js';
import type {LifecycleEvent} from '../../anchor/turn-event.js';
import {knownOnly, type FrameHandler} from '../frame-head.js';

export const noticed: FrameHandler = (data, head) => ({
  type: 'notice',
  text: firstString(data, 'text', 'message') ?? '',
  topic: firstString(data, 'topic', 'severity', 'kind'),
  ...head,
});

const phases: ReadonlyMap<string | null, LifecycleEvent['status']> = new Map<
  string,
  LifecycleEvent['status']
>([
  ['completed', 'completed'],
  ['done', 'completed'],
  ['error', 'error'],
  ['failed', 'error'],
]);

export const compacted: FrameHandler = (data, head) => ({
  type: 'lifecycle',
  topic: 'compression',
  status: phases.get(firstString(data, 'status')) ?? 'running',
  text: firstString(data, 'text', 'message') ?? '',
  ...head,
});

/** An update no table knows: its text, if it has one, is shown; else it is only known to have been. */
export const agentUpdated: FrameHandler = (data, head) => {
  const update = ownObject(data, 'update') ?? data;
  const topic = firstString(update, 'sessionUpdate');
  const text = isLate(topic) ? null : textOf(update);
  if (text === null) return knownOnly(data, head);
  return {...head, type: 'notice', text, topic};
};

// What comes of a call or a thought after its turn is over is kept in the journal and told to nobody.
function isLate(topic: string | null): boolean {
  return topic === 'tool_call' || topic === 'tool_call_update' || topic === 'agent_thought_chunk';
}

function textOf(update: JsonObject): string | null {
  const content = ownObject(update, 'content');
  return firstString(update, 'text', 'message', 'title') ?? (content && firstString(content, 'text'));
}

export function subagent(action: string): FrameHandler {
  return (data, head) => {
    const id = firstString(data, 'delegation_id', 'child_session_id');
    return {
      type: 'side-effect',
      kind: 'subagent',
      action: firstString(data, 'status') ?? action,
      label: firstString(data, 'summary', 'goal') ?? id,
      // Start and end are two facts.
      ownId: id && `${action}:${id}`,
      ...head,
    };
  };
}
