/** Hermes approvals, as both wires carry them: a command, why it is asked, and up to four answers. */
import {firstString, ownList, ownValue, type JsonObject} from '../anchor/json.js';
import type {ControlEvent, ControlOption} from '../anchor/turn-event.js';
import type {FrameHead} from './frame-head.js';

const choices: ReadonlyMap<unknown, ControlOption> = new Map(
  [
    {id: 'once', label: 'Allow once', kind: 'allow_once'},
    {id: 'session', label: 'Allow for this session', kind: 'allow_always'},
    {id: 'always', label: 'Always allow', kind: 'allow_always'},
    {id: 'deny', label: 'Deny', kind: 'reject_once'},
  ].map((option) => [option.id, option]),
);

/** The options of a Hermes approval: those it lists, else all four, without `always` where that is not allowed. */
function permissionChoices(data: JsonObject): readonly ControlOption[] {
  const listed = ownList(data, 'choices').filter((id) => typeof id === 'string');
  const options = listed.map((id) => choices.get(id) ?? {id, label: id, kind: null});
  if (options.length > 0) return options;
  const permanent = ownValue(data, 'allow_permanent') !== false;
  return [...choices.values()].filter(({id}) => permanent || id !== 'always');
}

/** An approval as a control. The command stays whole; how long it is pending is the wire's own rule. */
export function approvalControl(data: JsonObject, head: FrameHead, life: ControlEvent['life']): ControlEvent {
  const command = firstString(data, 'command');
  const description = firstString(data, 'description');
  return {
    type: 'control',
    control: 'permission',
    controlId: approvalId(data),
    text: command ?? description ?? firstString(data, 'tool') ?? '',
    detail: command === null ? null : description,
    options: permissionChoices(data),
    life,
    ...head,
  };
}

/** The approval's own id; null on wires that know one approval at a time. */
export function approvalId(data: JsonObject): string | null {
  return firstString(data, 'approval_id', 'request_id');
}
