/** The elements: markup, styles, accessibility and view state over the scene. Importing registers nothing. */
export {sessionContext} from './context.js';
export * from './events.js';
export {HermesComposer} from './hermes-composer.js';
export {HermesRuntimePicker} from './hermes-runtime-picker.js';
export {HermesSession} from './hermes-session.js';
export {HermesTranscript} from './hermes-transcript.js';
export {HermesTurn} from './hermes-turn.js';
export type {QueuedPrompt} from './prompt-queue.js';
export {english, type Strings} from './strings.js';
export {
  loadModel,
  Session,
  type SessionListener,
  type SessionOptions,
  type SessionProblem,
  type SessionSource,
} from '../session/index.js';
