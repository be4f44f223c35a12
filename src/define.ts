/**
 * Registers every element under its own name. Sessions first: what stands in the page is upgraded in this order, and
 * providers must be there before consumers.
 */
import {
  HermesComposer,
  HermesRuntimePicker,
  HermesSession,
  HermesTranscript,
  HermesTurn,
} from './elements/index.js';
import {register} from './register.js';

register('hermes-session', HermesSession);
register('hermes-transcript', HermesTranscript);
register('hermes-turn', HermesTurn);
register('hermes-composer', HermesComposer);
register('hermes-runtime-picker', HermesRuntimePicker);
