/** Choices of the reader: the mode and the options of a session, told to its agent. */
import {AgentError, type JsonRpcObject} from '../agent/agent.js';
import {GatewayError} from '../gateway-error.js';
import type {OpenedSession} from './agent-host.js';
import {objectOf, objectsAt, textAt, valueAt} from './loose.js';
import {
  MODEL,
  shownOptions,
  withAnswer,
  withLegacyModel,
  withMode,
  type SessionFacts,
} from './session-facts.js';

/** The facts once the agent is in a mode. */
export async function chooseMode(
  {ask, id}: OpenedSession,
  facts: SessionFacts,
  mode: string,
): Promise<SessionFacts> {
  const {modes, chosen} = facts;
  if (!modes) throw new GatewayError('unsupported', 'This agent has no modes.');
  const ids = modes.available.map((available) => available.id);
  if (!ids.includes(mode)) throw invalid(`There is no mode ${JSON.stringify(mode)}.`, ids);
  if (modes.current !== mode) await asked(ask('session/set_mode', {sessionId: id, modeId: mode}));
  return {...withMode(facts, mode), chosen: {...chosen, mode}};
}

/** The facts once the agent has taken a value for an option. */
export async function chooseOption(
  {ask, id}: OpenedSession,
  facts: SessionFacts,
  option: string,
  value: string | boolean,
): Promise<SessionFacts> {
  const shown = shownOptions(facts);
  const known = shown.find((each) => each['id'] === option);
  if (!known) {
    const ids = shown.map((each) => textAt(each, 'id')).filter((each) => each !== null);
    throw ids.length === 0
      ? new GatewayError('unsupported', 'This agent has no options.')
      : invalid(`There is no option ${JSON.stringify(option)}.`, ids);
  }
  checkValue(known, value);
  const chosen = {...facts.chosen, options: {...facts.chosen.options, [option]: value}};
  if (known === facts.legacyModel) {
    await asked(ask('session/set_model', {sessionId: id, modelId: value}));
    return {...withLegacyModel(facts, String(value)), chosen};
  }
  const type = typeof value === 'boolean' ? {type: 'boolean'} : {};
  const answer = await asked(
    ask('session/set_config_option', {sessionId: id, configId: option, ...type, value}),
  );
  return {...withAnswer(facts, objectOf(answer)), chosen};
}

/**
 * What the reader chose before, and the profile's model, told to a fresh process that has it otherwise. What it no
 * longer has is left as it is.
 */
export async function chooseAgain(
  opened: OpenedSession,
  facts: SessionFacts,
  defaultModel: string | null,
): Promise<SessionFacts> {
  const {mode, options} = facts.chosen;
  let next = facts;
  if (mode !== null) next = await orAsItWas(next, () => chooseMode(opened, next, mode));
  const model = shownOptions(facts).find((option) => textAt(option, 'category') === 'model');
  const modelId = model && textAt(model, 'id');
  const defaults = modelId && defaultModel !== null && opened.how === 'made' ? {[modelId]: defaultModel} : {};
  for (const [option, value] of Object.entries({...defaults, ...options})) {
    const current = shownOptions(next).find((each) => each['id'] === option);
    if (!current || valueAt(current, 'currentValue') === value) continue;
    const {chosen} = next;
    next = await orAsItWas(next, () => chooseOption(opened, next, option, value));
    // A default is the profile's choice, not the reader's.
    if (!Object.hasOwn(options, option)) next = {...next, chosen};
  }
  return next;
}

/** Ids and values an option offers; groups are looked into. */
export function offeredValues(option: JsonRpcObject): readonly string[] {
  return objectsAt(option, 'options')
    .flatMap((entry) => (Array.isArray(valueAt(entry, 'options')) ? objectsAt(entry, 'options') : [entry]))
    .map((entry) => textAt(entry, 'value'))
    .filter((value) => value !== null);
}

function checkValue(option: JsonRpcObject, value: string | boolean): void {
  const isSwitch = textAt(option, 'type') === 'boolean';
  if (isSwitch !== (typeof value === 'boolean'))
    throw invalid(`${named(option)} takes ${isSwitch ? 'true or false' : 'a text'}.`);
  const values = offeredValues(option);
  if (!isSwitch && values.length > 0 && !values.includes(String(value))) {
    throw invalid(`${named(option)} has no value ${JSON.stringify(value)}.`, values);
  }
}

const named = (option: JsonRpcObject) => textAt(option, 'name') ?? textAt(option, 'id') ?? MODEL;

async function orAsItWas(facts: SessionFacts, choose: () => Promise<SessionFacts>): Promise<SessionFacts> {
  try {
    return await choose();
  } catch (error) {
    if (error instanceof GatewayError) return facts;
    throw error;
  }
}

/** An answer of the agent; its refusal is the reader's to know. */
async function asked(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof AgentError) || error.rpc === null) throw error;
    const text = error.rpc.message.replace(/[.]$/, '');
    throw new GatewayError('invalid-request', `The agent does not take this: ${text}.`, {}, {cause: error});
  }
}

function invalid(message: string, choices?: readonly string[]): GatewayError {
  return new GatewayError('invalid-request', message, choices ? {choices} : {});
}
