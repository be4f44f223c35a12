/**
 * The part of a session that folds: the anchor and the adapters. Loaded when a session first has something to fold, while
 * its connection is already on the way; see docs/decisions/0001-first-load.md.
 */
export {readSettled} from '../adapters/index.js';
export {
  applySettled,
  applySnapshot,
  applyTurnEvents,
  beginTurn,
  createTranscript,
  toSnapshot,
} from '../anchor/index.js';
export {WireReader} from './wire-reader.js';
