/**
 * The part of a session that folds, follows its server and asks it: all that a first connection can do without. Loaded
 * while that connection is on its way; see docs/decisions/0001-first-load.md.
 */
export {SessionCore} from './session-core.js';
