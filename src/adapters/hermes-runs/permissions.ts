/** Permission requests of a run and their ends, in our gateway's words and in Hermes Agent's. */
import {firstString, ownNumber, ownObject, ownObjects, ownString, ownValue} from '../../anchor/json.js';
import {millis, type FrameHandler} from '../frame-head.js';
import {approvalControl, approvalId} from '../approval.js';
import {blocksText, diffOf, readInput} from './tools.js';

export const permissionAsked: FrameHandler = (data, head) => {
  const input = ownObject(data, 'input');
  const command = input && firstString(input, 'command');
  const title = firstString(data, 'title');
  const blocks = ownObjects(data, 'content');
  const said = [command === null ? null : title, blocksText(blocks)].filter((text) => text !== null);
  return {
    type: 'control',
    control: 'permission',
    controlId: firstString(data, 'permission_id'),
    callId: firstString(data, 'tool_call_id'),
    text: command ?? title ?? firstString(data, 'kind') ?? '',
    detail: said.length > 0 ? said.join('\n') : null,
    input: readInput(ownValue(data, 'input')),
    diff: diffOf(blocks),
    options: ownObjects(data, 'options').map((option) => ({
      id: firstString(option, 'id', 'optionId') ?? '',
      label: firstString(option, 'name', 'id') ?? '',
      kind: firstString(option, 'kind'),
    })),
    expiresAt: millis(ownNumber(data, 'expires_at') || null),
    life: 'until-resolved',
    ...head,
  };
};

export const permissionResolved: FrameHandler = (data, head) => {
  const outcome = firstString(data, 'outcome');
  const cancelled = outcome === 'cancelled';
  return {
    type: 'control-resolved',
    control: 'permission',
    controlId: firstString(data, 'permission_id'),
    status: ownString(data, 'by') === 'timeout' ? 'expired' : cancelled ? 'stale' : 'answered',
    choice: firstString(data, 'option_id') ?? outcome,
    denied: refuses(firstString(data, 'option_kind') ?? outcome),
    ...head,
  };
};

function refuses(word: string | null): boolean {
  return word !== null && /^(?:reject|den[iy])/.test(word);
}

export const approvalAsked: FrameHandler = (data, head) => approvalControl(data, head, 'until-resolved');

export const approvalAnswered: FrameHandler = (data, head) => ({
  type: 'control-resolved',
  control: 'permission',
  controlId: approvalId(data),
  status: 'answered',
  choice: firstString(data, 'choice'),
  denied: ownValue(data, 'choice') === 'deny',
  ...head,
});
