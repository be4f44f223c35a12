/** The four answers Hermes knows to a permission request, as options. */
import {ownList, ownValue, type JsonObject} from '../anchor/json.js';
import type {ControlOption} from '../anchor/turn-event.js';

const choices: ReadonlyMap<unknown, ControlOption> = new Map(
  [
    {id: 'once', label: 'Allow once', kind: 'allow_once'},
    {id: 'session', label: 'Allow for this session', kind: 'allow_always'},
    {id: 'always', label: 'Always allow', kind: 'allow_always'},
    {id: 'deny', label: 'Deny', kind: 'reject_once'},
  ].map((option) => [option.id, option]),
);

/** The options of a Hermes approval: those it lists, else all four, without `always` where that is not allowed. */
export function permissionChoices(data: JsonObject): readonly ControlOption[] {
  const listed = ownList(data, 'choices').filter((id) => typeof id === 'string');
  const options = listed.map((id) => choices.get(id) ?? {id, label: id, kind: null});
  if (options.length > 0) return options;
  const permanent = ownValue(data, 'allow_permanent') !== false;
  return [...choices.values()].filter(({id}) => permanent || id !== 'always');
}
