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

/** What holds the facts. They are asked for anew after each wait: the agent may have said more meanwhile. */
export interface HeldFacts {
  facts: SessionFacts;
}

/** Resolves once the agent is in a mode, which then is among the facts. */
export async function chooseMode({ask, id}: OpenedSession, held: HeldFacts, mode: string): Promise<void> {
  const {modes} = held.facts;
  if (!modes) throw new GatewayError('unsupported', 'This agent has no modes.');
  const ids = modes.available.map((available) => available.id);
  if (!ids.includes(mode)) throw invalid(`There is no mode ${JSON.stringify(mode)}.`, ids);
  if (modes.current !== mode) await asked(ask('session/set_mode', {sessionId: id, modeId: mode}));
  const {facts} = held;
  held.facts = {...withMode(facts, mode), chosen: {...facts.chosen, mode}};
}

/** Resolves once the agent has taken a value for an option, which then is among the facts. */
export async function chooseOption(
  opened: OpenedSession,
  held: HeldFacts,
  option: string,
  value: string | boolean,
): Promise<void> {
  await setOption(opened, held, option, value);
  const {facts} = held;
  held.facts = {
    ...facts,
    chosen: {...facts.chosen, options: {...facts.chosen.options, [option]: value}},
  };
}

async function setOption(
  {ask, id}: OpenedSession,
  held: HeldFacts,
  option: string,
  value: string | boolean,
): Promise<void> {
  const shown = shownOptions(held.facts);
  const known = shown.find((each) => each['id'] === option);
  if (!known) {
    const ids = shown.map((each) => textAt(each, 'id')).filter((each) => each !== null);
    throw ids.length === 0
      ? new GatewayError('unsupported', 'This agent has no options.')
      : invalid(`There is no option ${JSON.stringify(option)}.`, ids);
  }
  checkValue(known, value);
  if (known === held.facts.legacyModel) {
    await asked(ask('session/set_model', {sessionId: id, modelId: value}));
    held.facts = withLegacyModel(held.facts, String(value));
    return;
  }
  const type = typeof value === 'boolean' ? {type: 'boolean'} : {};
  const answer = await asked(
    ask('session/set_config_option', {sessionId: id, configId: option, ...type, value}),
  );
  held.facts = withAnswer(held.facts, objectOf(answer));
}

/**
 * What the reader chose before, and the profile's model, told to a fresh process that has it otherwise. What it no
 * longer has is left as it is.
 */
export async function chooseAgain(
  opened: OpenedSession,
  held: HeldFacts,
  defaultModel: string | null,
): Promise<void> {
  const {mode, options} = held.facts.chosen;
  const model = shownOptions(held.facts).find((option) => textAt(option, 'category') === 'model');
  if (mode !== null) await orAsItWas(chooseMode(opened, held, mode));
  const modelId = model && textAt(model, 'id');
  const defaults = modelId && defaultModel !== null && opened.how === 'made' ? {[modelId]: defaultModel} : {};
  for (const [option, value] of Object.entries({...defaults, ...options})) {
    const current = shownOptions(held.facts).find((each) => each['id'] === option);
    if (!current || valueAt(current, 'currentValue') === value) continue;
    // A default is the profile's choice, not the reader's.
    const isChosen = Object.hasOwn(options, option);
    await orAsItWas((isChosen ? chooseOption : setOption)(opened, held, option, value));
  }
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

async function orAsItWas(choice: Promise<void>): Promise<void> {
  try {
    await choice;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
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
