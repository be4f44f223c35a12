/**
 * Session facts: modes, options, commands and abilities of a session's agent, as its messages tell them. A value; kept
 * with the session, so that a panel has them before the agent is there again.
 */
import type {JsonRpcObject} from '../agent/agent.js';
import type {AgentFacts} from '../../protocol/index.js';
import type {Capabilities} from './capabilities.js';
import {objectAt, objectsAt, textAt, valueAt} from './loose.js';

type AgentObject = AgentFacts['options'][number];
type Modes = NonNullable<AgentFacts['modes']>;

export interface SessionFacts {
  readonly modes: Modes | null;
  /** ACP config options, verbatim. */
  readonly options: readonly AgentObject[];
  readonly commands: readonly AgentObject[];
  /** Null before an agent was there. */
  readonly abilities: Pick<AgentFacts, 'canSteer' | 'accepts'> | null;
  /** The older way to choose a model, which some agents still speak: their list, as one more option. */
  readonly legacyModel: AgentObject | null;
  /** What the reader chose, to be chosen again in the next process. */
  readonly chosen: {
    readonly mode: string | null;
    readonly options: Readonly<Record<string, string | boolean>>;
  };
}

export const noFacts: SessionFacts = {
  modes: null,
  options: [],
  commands: [],
  abilities: null,
  legacyModel: null,
  chosen: {mode: null, options: {}},
};

/** What a panel is told. */
export function agentFacts(facts: SessionFacts, profile: string, runtimeType: string): AgentFacts {
  const {modes, commands, abilities} = facts;
  return {profile, runtimeType, modes, options: shownOptions(facts), commands, ...(abilities ?? noAbilities)};
}

const noAbilities = {canSteer: false, accepts: []};

/** The options of the agent, and its models where no option has them. */
export function shownOptions({options, legacyModel}: SessionFacts): readonly AgentObject[] {
  const hasModel = options.some((option) => textAt(option, 'category') === 'model' || option['id'] === MODEL);
  return legacyModel && !hasModel ? [legacyModel, ...options] : options;
}

/** The id of the option made of an older list of models. */
export const MODEL = 'model';

/** What the answer to `session/new`, `session/load`, `session/resume` or a changed option adds. */
export function withAnswer(facts: SessionFacts, answer: JsonRpcObject): SessionFacts {
  const modes = readModes(objectAt(answer, 'modes'));
  const models = legacyModel(objectAt(answer, 'models'));
  const options = Array.isArray(valueAt(answer, 'configOptions')) ? objectsAt(answer, 'configOptions') : null;
  return {
    ...facts,
    ...(modes && {modes}),
    ...(models && {legacyModel: models}),
    ...(options && {options}),
  };
}

/** What a `session/update` adds; the same reference when it is about something else. */
export function withUpdate(facts: SessionFacts, update: JsonRpcObject): SessionFacts {
  switch (textAt(update, 'sessionUpdate')) {
    case 'current_mode_update':
      return withMode(facts, textAt(update, 'currentModeId'));
    case 'config_option_update':
      return withAnswer(facts, update);
    case 'available_commands_update':
      return {...facts, commands: objectsAt(update, 'availableCommands')};
    default:
      return facts;
  }
}

export function withMode(facts: SessionFacts, current: string | null): SessionFacts {
  return current === null ? facts : {...facts, modes: {available: facts.modes?.available ?? [], current}};
}

/** The older list of models with another one chosen. */
export function withLegacyModel(facts: SessionFacts, currentValue: string): SessionFacts {
  return facts.legacyModel ? {...facts, legacyModel: {...facts.legacyModel, currentValue}} : facts;
}

export function withCapabilities(facts: SessionFacts, capabilities: Capabilities): SessionFacts {
  const {image, audio, embeddedContext} = capabilities.prompt;
  const accepts = [image && 'image', audio && 'audio', embeddedContext && 'resource'] as const;
  const canSteer = capabilities.steerMethod !== null;
  return {...facts, abilities: {canSteer, accepts: accepts.filter((kind) => kind !== false)}};
}

/** The facts as they were kept with the session. */
export function readFacts(settings: Readonly<Record<string, unknown>>): SessionFacts {
  const kept = valueAt(settings, 'facts');
  return kept && typeof kept === 'object' ? {...noFacts, ...(kept as Partial<SessionFacts>)} : noFacts;
}

function readModes(modes: JsonRpcObject): Modes | null {
  const available = objectsAt(modes, 'availableModes')
    .map((mode) => ({
      id: textAt(mode, 'id') ?? '',
      name: textAt(mode, 'name') ?? textAt(mode, 'id') ?? '',
      description: textAt(mode, 'description'),
    }))
    .filter(({id}) => id !== '');
  return available.length > 0 ? {current: textAt(modes, 'currentModeId') ?? '', available} : null;
}

function legacyModel(models: JsonRpcObject): AgentObject | null {
  const options = objectsAt(models, 'availableModels').map((model) => ({
    value: textAt(model, 'modelId') ?? '',
    name: textAt(model, 'name') ?? textAt(model, 'modelId') ?? '',
    description: textAt(model, 'description'),
  }));
  if (options.length === 0) return null;
  const currentValue = textAt(models, 'currentModelId');
  return {id: MODEL, name: 'Model', category: 'model', type: 'select', currentValue, options};
}
